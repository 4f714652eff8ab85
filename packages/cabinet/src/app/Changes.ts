/** Reads anew what others have changed: another window, a customer who paid, the server itself. */
import type { Query, QueryClient, QueryKey } from "@tanstack/react-query"
import { useRouter } from "@tanstack/react-router"
import { useEffect } from "react"
import { type Change, type ChangeListener, watchChanges } from "../browser/Changes.ts"
import { type Mode, useHere } from "./Organization.ts"
import { idOfReading } from "./Removed.ts"

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
const isTouched = (queryKey: QueryKey, changes: ReadonlyArray<Change>): boolean => {
  const [call] = queryKey
  if (typeof call !== "string" || !call.startsWith(prefix)) return false
  const rest = call.slice(prefix.length)
  const id = idOfReading(queryKey)
  return changes.some(
    (change) =>
      callsOf[change.type].some((each) => rest.startsWith(each)) &&
      (id === undefined || change.id === null || id === change.id)
  )
}

/** Of what changes are told. */
interface Followed {
  readonly organizationId: string
  readonly mode: Mode
}

/** What keeps all that was read of an organization as it is now. */
export interface Freshness {
  /** Goes on with this one from now on, with none if null. */
  readonly follow: (next: Followed | null) => void
}

/** Keeps what one page has read. */
export const freshnessOf = (queries: QueryClient): Freshness => {
  let followed: Followed | null = null
  let stop = () => {}
  const due = new Set<Query>()
  /** What is being read is read to its end first: else nothing would ever come where changes outrun a slow network. */
  const readOnceMore = async (query: Query) => {
    if (due.has(query)) return
    due.add(query)
    await query.promise?.catch(() => {})
    due.delete(query)
    await queries.invalidateQueries({ queryKey: query.queryKey, exact: true })
  }
  const readAgain = (changes: ReadonlyArray<Change>, isMeant: (query: Query) => boolean = () => true) => {
    const touched = ({ queryKey }: Query) => isTouched(queryKey, changes)
    const found = queries.getQueryCache().findAll({ predicate: (query) => touched(query) && !isLong(query) })
    for (const query of found) if (isMeant(query)) void readOnceMore(query)
  }
  const listener: ChangeListener = {
    onChanges: readAgain,
    onOpen: () => {
      const before = new Set(queries.getQueryCache().getAll())
      return () => readAgain([{ type: "reset", id: null }], (query) => before.has(query))
    }
  }
  return {
    follow: (next) => {
      if (next?.organizationId === followed?.organizationId && next?.mode === followed?.mode) return
      stop()
      followed = next
      stop = next === null ? () => {} : watchChanges(next.organizationId, next.mode, listener)
    }
  }
}

/** Keeps all that is shown of the organization as it is now, until its screens are left. */
export const useChanges = (): void => {
  const { freshness } = useRouter().options.context
  const { organizationId, mode } = useHere()
  useEffect(() => freshness.follow({ organizationId, mode }), [freshness, organizationId, mode])
  useEffect(() => () => freshness.follow(null), [freshness])
}
