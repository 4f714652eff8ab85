/** What calls about the organization that is looked at are given, and what is read anew after they have changed it. */
import { useQueryClient } from "@tanstack/react-query"
import { useHere } from "./Organization.ts"

/** Path and query of a call about the organization. */
export const useGiven = () => {
  const { organizationId, mode } = useHere()
  return { params: { organizationId }, query: { mode } } as const
}

/** Has everything read anew whose call begins so. */
export const useForget = (): ((...calls: ReadonlyArray<string>) => Promise<void>) => {
  const queries = useQueryClient()
  return (...calls) =>
    queries.invalidateQueries({
      predicate: ({ queryKey: [call] }) => typeof call === "string" && calls.some((each) => call.startsWith(each))
    })
}

/** Has everything read anew that tells of invoices. */
export const useForgetInvoices = (): (() => Promise<void>) => {
  const forget = useForget()
  return () =>
    forget(
      "GET /panel/orgs/:organizationId/invoices",
      "GET /panel/orgs/:organizationId/sums",
      "GET /panel/orgs/:organizationId/totals",
      "GET /panel/orgs/:organizationId/statement",
      "GET /panel/orgs/:organizationId/shift"
    )
}
