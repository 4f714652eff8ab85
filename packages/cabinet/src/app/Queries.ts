/** What was read of the server, and how it is read. */
import { QueryClient, queryOptions } from "@tanstack/react-query"
import { Refusal } from "../api/Call.ts"
import type { Answer, Call, Request } from "../api/Contract.ts"
import { ask } from "../api/Session.ts"
import { persister, tendRemovals } from "./Removed.ts"

/** Refusals that come of the moment; all others would be the same again. */
const isPassing = (failure: Error): boolean =>
  failure instanceof Refusal && (failure.code === "offline" || failure.status >= 500)

/** The readings of one person. */
export const queriesOf = (): QueryClient => {
  const queries = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // What the page shows already is more than a page of an error.
        networkMode: "always",
        retry: (count, failure) => isPassing(failure) && count < 2,
        retryDelay: (count) => 1000 * 2 ** count,
        persister
      },
      mutations: { networkMode: "always", retry: false }
    }
  })
  tendRemovals(queries)
  return queries
}

/** The reading of a call, under its own name. */
export const reading = <C extends Call>(call: C, given: Request<C>) =>
  queryOptions<Answer<C>>({
    queryKey: [call, given],
    queryFn: ({ signal }) => ask(call, given, { signal })
  })
