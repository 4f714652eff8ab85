/** What is being removed, or was: nothing of it is read while its screen is still there. */
import type { DefaultOptions, Query, QueryClient, QueryKey } from "@tanstack/react-query"

/** The identifier of what a reading tells of: that of its path. Undefined if it tells of no single thing. Pure. */
export const idOfReading = ([, given]: QueryKey): unknown =>
  typeof given === "object" && given !== null && "params" in given ? idOf(given.params) : undefined

const idOf = (params: unknown): unknown =>
  typeof params === "object" && params !== null && "id" in params ? params.id : undefined

/** All that was read of one thing, for the verbs of the client. Pure. */
export const readingsOf = (id: unknown) => ({ predicate: ({ queryKey }: Query) => idOfReading(queryKey) === id })

/** How far the removal is of what it tells of: under way or done; null if nothing has removed it. */
const removalOf = (queries: QueryClient, { queryKey }: Query): "pending" | "success" | null => {
  const id = idOfReading(queryKey)
  if (id === undefined) return null
  const removals = queries.getMutationCache().findAll({ predicate: ({ meta }) => meta?.["removes"] === id })
  const statuses = removals.map(({ state: { status } }) => status)
  return (["pending", "success"] as const).find((status) => statuses.includes(status)) ?? null
}

const never = new Promise<never>(() => {})

/**
 * Stands between every reading and the server, so that clocks, news and the return to a window are all held: what is
 * being removed stays as it was read, and what was not read yet is awaited. Afterwards only what still stands there is
 * held: to look for it anew is to ask.
 */
export const persister: NonNullable<NonNullable<DefaultOptions["queries"]>["persister"]> = (read, context, query) => {
  const removal = removalOf(context.client, query)
  if (removal !== null && query.state.data !== undefined) return query.state.data
  return removal === "pending" ? never : read(context)
}

/**
 * Reads again once a removal has ended. Of what could not be removed, all: held, it counts as read just now. Of what
 * was removed, only what still waits, where its screen was opened anew meanwhile.
 */
const readAgain = async (queries: QueryClient, id: unknown): Promise<void> => {
  await queries.cancelQueries(readingsOf(id))
  await queries.invalidateQueries(readingsOf(id))
}

/**
 * Looks after removals, whose mutations have `removes` in their `meta`. What was removed is forgotten once no screen
 * shows it.
 */
export const tendRemovals = (queries: QueryClient): void => {
  queries.getQueryCache().subscribe(({ type, query }) => {
    if (type !== "observerRemoved" || query.isActive() || removalOf(queries, query) === null) return
    queries.removeQueries({ ...readingsOf(idOfReading(query.queryKey)), type: "inactive" })
  })
  queries.getMutationCache().subscribe((event) => {
    if (event.type !== "updated" || (event.action.type !== "error" && event.action.type !== "success")) return
    const id = event.mutation.meta?.["removes"]
    if (id !== undefined) void readAgain(queries, id)
  })
}
