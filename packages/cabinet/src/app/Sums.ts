/** Sums of invoices, as the server adds them up. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { Answer } from "../api/Contract.ts"
import type { InvoiceFilter } from "./InvoiceFilter.ts"
import { useMay } from "./Permissions.ts"
import { useGiven } from "./Places.ts"
import { reading } from "./Queries.ts"

type Sums = Answer<"GET /panel/orgs/:organizationId/sums">

const paid: ReadonlyArray<string> = ["paid", "partially_refunded", "refunded"]

/** What came in of them, less what went back, and how many were paid. Pure. */
export const receivedOf = ({ statuses }: Sums): { readonly amount: number; readonly count: number } => {
  const found = statuses.filter(({ status }) => paid.includes(status))
  const tiyn = found.reduce((sum, { amount, refunded }) => sum + Math.round((amount - refunded) * 100), 0)
  return { amount: tiyn / 100, count: found.reduce((sum, { count }) => sum + count, 0) }
}

/** The sums of what a filter lets through; null while they are not known, or for who may not see them. */
export const useSums = (filter: InvoiceFilter): Sums | null => {
  const { params, query } = useGiven()
  const sums = reading("GET /panel/orgs/:organizationId/sums", { params, query: { ...query, ...filter } })
  const isWanted = useMay()("reports:read") !== null
  const { data } = useQuery({ ...sums, enabled: isWanted, placeholderData: keepPreviousData })
  return data ?? null
}

/** What came in of what a filter lets through. */
export const useReceived = (filter: InvoiceFilter) => {
  const sums = useSums(filter)
  return sums === null ? null : receivedOf(sums)
}
