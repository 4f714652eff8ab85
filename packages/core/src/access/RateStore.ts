/** Port: counters of request windows, shared by all servers. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"

/** One request to be counted. */
export interface Hit {
  /** Whose requests are counted: the id of a key, a network of visitors. */
  readonly subject: string
  /** Requests of different kinds are counted apart. */
  readonly kind: string
  /** Start of the window, milliseconds. */
  readonly windowAt: number
}

/** One request that is counted only if there is room for it. */
export interface Take extends Hit {
  /** Counted while the counter is below it. */
  readonly room: number
}

/** Whether there was room, and the counter's value after it. */
export interface Taken {
  readonly isTaken: boolean
  readonly count: number
}

/** Port: counts requests in windows of a minute. */
export class RateStore extends Context.Service<
  RateStore,
  {
    /**
     * Counts each request. Answers, in order, the counter's value with this request in it: no two requests of one
     * window get the same value, over all servers.
     */
    readonly hitMany: (hits: ReadonlyArray<Hit>) => Effect.Effect<ReadonlyArray<number>, StorageError>
    /**
     * Counts, in order, each request that finds its counter below its `room`, the ones before it included; what finds
     * none moves nothing. Exact over all servers: no counter exceeds the largest `room` that it was asked for.
     */
    readonly takeMany: (takes: ReadonlyArray<Take>) => Effect.Effect<ReadonlyArray<Taken>, StorageError>
    /** Forgets windows that began before `before`, oldest first, `limit` counts at most. Answers how many. */
    readonly forget: (before: number, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@tolem/core/RateStore") {}
