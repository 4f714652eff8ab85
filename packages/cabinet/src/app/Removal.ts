/** Removes what has a screen of its own, and reads nothing of it while that screen is still there. */
import {
  type DefaultOptions,
  type Query,
  type QueryClient,
  type QueryKey,
  useMutation,
  useQueryClient
} from "@tanstack/react-query"

/** The identifier of what a reading tells of: that of its path. Undefined if it tells of no single thing. Pure. */
export const idOfReading = ([, given]: QueryKey): unknown =>
  typeof given === "object" && given !== null && "params" in given ? idOf(given.params) : undefined

const idOf = (params: unknown): unknown =>
  typeof params === "object" && params !== null && "id" in params ? params.id : undefined

/** Whether it tells of something that is being removed, or was. */
const isRemoved = (queries: QueryClient, { queryKey }: Pick<Query, "queryKey">): boolean => {
  const id = idOfReading(queryKey)
  if (id === undefined) return false
  const removals = queries.getMutationCache().findAll({ predicate: ({ meta }) => meta?.["removes"] === id })
  return removals.some(({ state: { status } }) => status === "pending" || status === "success")
}

/**
 * Stands between every reading and the server, so that clocks, news and the return to a window are all held: what is
 * being removed stays as it was read. If it cannot be removed, it is read again as before.
 */
export const persister: NonNullable<NonNullable<DefaultOptions["queries"]>["persister"]> = (read, context, query) =>
  query.state.data !== undefined && isRemoved(context.client, query) ? query.state.data : read(context)

/** Forgets what was read of something that was removed, once no screen shows it: to look for it there is to ask. */
export const forgetRemoved = (queries: QueryClient): void => {
  const cache = queries.getQueryCache()
  cache.subscribe(({ type, query }) => {
    if (type === "observerRemoved" && !query.isActive() && isRemoved(queries, query)) cache.remove(query)
  })
}

/** How something is removed that has a screen. */
interface Removing {
  readonly id: string
  readonly remove: () => Promise<unknown>
  /** Leaves the screen. */
  readonly onRemoved: () => Promise<void>
}

/** The removal. What is being read at that moment is given up: its answer could be that it is not there. */
export const useRemoval = ({ id, remove, onRemoved }: Removing) => {
  const queries = useQueryClient()
  return useMutation({
    meta: { removes: id },
    mutationFn: remove,
    onMutate: () => queries.cancelQueries({ predicate: ({ queryKey }) => idOfReading(queryKey) === id }),
    onSuccess: onRemoved
  })
}
