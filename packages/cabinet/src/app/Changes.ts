/** Reads anew what others have changed: another window, a customer who paid, the server itself. */
import { type Query, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { type Change, watchChanges } from "../browser/Changes.ts"
import { useHere } from "./Organization.ts"

const prefix = "GET /panel/orgs/:organizationId"

/** The calls whose answers tell of a change, by the beginning of what follows the organization. */
const callsOf = {
  invoice: ["/invoices", "/sums", "/totals", "/attention"],
  refund: ["/invoices", "/sums", "/totals", "/attention"],
  connection: ["/connections", "/attention"],
  endpoint: ["/webhook-endpoints", "/attention"],
  reset: [""]
} as const

/** A list of more pages is read anew by those who begin it again, not for each change. */
const fewPages = 3

const isLong = ({ state: { data } }: Query): boolean =>
  typeof data === "object" &&
  data !== null &&
  "pages" in data &&
  Array.isArray(data.pages) &&
  data.pages.length > fewPages

/** Whether what was read may be otherwise now. Pure. */
const isTouched = (queryKey: ReadonlyArray<unknown>, changes: ReadonlyArray<Change>): boolean => {
  const [call, given] = queryKey
  if (typeof call !== "string" || !call.startsWith(prefix)) return false
  const rest = call.slice(prefix.length)
  const id = typeof given === "object" && given !== null && "params" in given ? idOf(given.params) : undefined
  return changes.some(
    (change) =>
      callsOf[change.type].some((each) => rest.startsWith(each)) &&
      (id === undefined || change.id === null || id === change.id)
  )
}

const idOf = (params: unknown): unknown =>
  typeof params === "object" && params !== null && "id" in params ? params.id : undefined

/** Keeps all that is shown of the organization as it is now. */
export const useChanges = (): void => {
  const queries = useQueryClient()
  const { organizationId, mode } = useHere()
  useEffect(
    () =>
      watchChanges(organizationId, mode, (changes) => {
        void queries.invalidateQueries({
          predicate: (query) => isTouched(query.queryKey, changes) && !isLong(query)
        })
      }),
    [queries, organizationId, mode]
  )
}
