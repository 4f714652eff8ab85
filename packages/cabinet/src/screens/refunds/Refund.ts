/** Refunds over all invoices, as they are answered and read. */
import { keepPreviousData } from "@tanstack/react-query"
import type { Answer } from "../../api/Contract.ts"
import { ask } from "../../api/Session.ts"
import { usePages } from "../../app/Pages.ts"
import { useForget, useForgetInvoices, useGiven } from "../../app/Places.ts"
import type { RefundFilter } from "../../app/RefundFilter.ts"

/** A refund of the list. */
export type ListedRefund = Answer<"GET /panel/orgs/:organizationId/refunds">["refunds"][number]

const call = "GET /panel/orgs/:organizationId/refunds"
const perPage = 50
const everyMs = 30_000

/** Refunds that a filter lets through, newest first; null: not yet read. `status`: one, or several with commas. */
export const useRefunds = (filter: Omit<RefundFilter, "status"> & { readonly status?: string }) => {
  const { params, query } = useGiven()
  const wanted = { ...query, ...filter, limit: perPage }
  const pages = usePages({
    queryKey: [call, { params, query: wanted }],
    queryFn: ({ pageParam: after, signal }) =>
      ask(call, { params, query: { ...wanted, ...(after !== null && { after }) } }, { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: everyMs
  })
  const found = new Map(pages.data?.pages.flatMap(({ refunds }) => refunds).map((each) => [each.id, each]))
  return { ...pages, refunds: pages.data === undefined ? null : [...found.values()] }
}

/** Has everything read anew that tells of refunds. */
export const useForgetRefunds = (): (() => Promise<void>) => {
  const forget = useForget()
  const forgetInvoices = useForgetInvoices()
  return async () => {
    await Promise.all([forget(call, "GET /panel/orgs/:organizationId/attention"), forgetInvoices()])
  }
}
