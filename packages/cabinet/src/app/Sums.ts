/** Sums of invoices, as the server adds them up. */
import { keepPreviousData } from "@tanstack/react-query"
import type { Answer } from "../api/Contract.ts"
import { ask } from "../api/Session.ts"
import type { InvoiceFilter } from "./InvoiceFilter.ts"
import { usePages } from "./Pages.ts"
import { useMay } from "./Permissions.ts"
import { useGiven } from "./Places.ts"

const call = "GET /panel/orgs/:organizationId/sums"

type Sums = Answer<typeof call>

const paid: ReadonlyArray<string> = ["paid", "partially_refunded", "refunded"]

/** What came in of them, less what went back, and how many were paid. Pure. */
const receivedOf = (looks: ReadonlyArray<Sums>): { readonly amount: number; readonly count: number } => {
  const found = looks.flatMap(({ statuses }) => statuses).filter(({ status }) => paid.includes(status))
  const tiyn = found.reduce((sum, { amount, refunded }) => sum + Math.round((amount - refunded) * 100), 0)
  return { amount: tiyn / 100, count: found.reduce((sum, { count }) => sum + count, 0) }
}

/**
 * The sums of what a filter lets through; null while they are not known, or for who may not see them. A request looks
 * at so many rows: of what lies behind them `further` asks, and `lookedTo` tells how far back was looked.
 */
export const useSums = (filter: InvoiceFilter) => {
  const { params, query } = useGiven()
  const given = { params, query: { ...query, ...filter } }
  const isWanted = useMay()("reports:read") !== null
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = usePages({
    queryKey: [call, given, "looks"],
    queryFn: ({ pageParam, signal }) =>
      ask(call, { params, query: { ...given.query, ...(pageParam !== null && { after: pageParam }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    enabled: isWanted,
    placeholderData: keepPreviousData
  })
  if (data === undefined) return null
  return {
    count: data.pages.reduce((sum, { count }) => sum + count, 0),
    received: receivedOf(data.pages),
    lookedTo: hasNextPage ? (data.pages.at(-1)?.lookedTo ?? null) : null,
    isLooking: isFetchingNextPage,
    further: () => fetchNextPage()
  }
}
