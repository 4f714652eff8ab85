/** Port: how much waits in the storage over all organizations, and how large the storage is. For operators only. */
import { Context, type Effect } from "effect"
import type { StorageError } from "../error/StorageError.ts"

/**
 * What waits: rows that agents take once they are due, and items that people have to see to (`work_items`). Webhooks
 * are missing, as the dispatcher tells of them by itself.
 */
export const backlogKinds = [
  "invoices",
  "letters",
  "subscriptions",
  "subscription_runs",
  "reconciliations",
  "work_items"
] as const
/** One of them. */
export type BacklogKind = (typeof backlogKinds)[number]

/** How much of a kind waits. */
export interface Backlog {
  readonly kind: BacklogKind
  /** `maxCounted` if there are as many or more. */
  readonly count: number
  /** Since when the oldest waits, in epoch milliseconds; null: nothing waits. */
  readonly oldestAt: number | null
}

/** Port: what is asked of the storage for metrics. */
export class BacklogStore extends Context.Service<
  BacklogStore,
  {
    /** What waits at `now`, a row for each kind. At most `maxCounted` rows of a kind are counted. */
    readonly waiting: (now: number, maxCounted: number) => Effect.Effect<ReadonlyArray<Backlog>, StorageError>
    /** Bytes of the database, without its log of writes. */
    readonly size: Effect.Effect<number, StorageError>
  }
>()("@tolem/core/BacklogStore") {}
