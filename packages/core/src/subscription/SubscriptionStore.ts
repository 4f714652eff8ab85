/** Port: where subscriptions, their runs and events are kept. Each verb is one atomic step. */
import { Context, Data, type Effect, type Option, type Result } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { Invoice } from "../invoice/Invoice.ts"
import type { OverQuota } from "../tariff/Tariff.ts"
import type { SubscriptionId } from "../value/Ids.ts"
import type { TiynSum } from "../value/Money.ts"
import type { Rhythm } from "../value/Rhythm.ts"
import type { Among, LookAtWaiting, Viewer } from "../value/Tenant.ts"
import type { Run } from "./Run.ts"
import type { Subscription, SubscriptionChange, SubscriptionEvent, SubscriptionStatus } from "./Subscription.ts"

/** Another writer changed the subscription since it was read. Nothing was written. */
export class SubscriptionChanged extends Data.TaggedError("SubscriptionChanged") {}

/** Why a change is not written. */
export type CommitRefusal = SubscriptionChanged | OverQuota

/** What became of a creation: written, or an earlier subscription has its idempotency key and nothing was written. */
export type SubscriptionInsertion = Data.TaggedEnum<{
  Created: { readonly subscription: Subscription }
  Replayed: { readonly subscription: Subscription }
}>
/** Constructors of insertions. */
export const SubscriptionInsertion = Data.taggedEnum<SubscriptionInsertion>()

/** What a committed change has made. */
export interface CommitResult {
  readonly subscription: Subscription
  readonly invoice: Invoice | null
}

/** Which subscriptions to list, newest first. Empty `statuses` means all. */
export interface SubscriptionQuery extends Viewer {
  readonly statuses: ReadonlyArray<SubscriptionStatus>
  /** Part of the id, the description, or the customer's name, phone or e-mail, in any case; null does not filter. */
  readonly search: string | null
  /** Only active ones whose next run could not be made. */
  readonly isStuck: boolean
  readonly limit: number
  readonly offset: number
}

/** A page of subscriptions. */
export interface SubscriptionPage {
  readonly total: number
  readonly subscriptions: ReadonlyArray<Subscription>
}

/** Active ones with the same schedule: how many, and the sum of their amounts in tiyn. */
export interface ScheduleGroup extends Rhythm, Pick<Subscription, "nextRunAt" | "misfire"> {
  /** Of each, whether its next run could not be made: 0 if not, else 1. */
  readonly faults: number
  /** Runs that are left to each; null: no end. */
  readonly left: number | null
  readonly count: number
  readonly amount: TiynSum
}

/** A place among the active ones in the order of their next dates. */
export interface SchedulePlace {
  readonly nextRunAt: number
  readonly id: SubscriptionId
}

/** Active ones of a viewer that fall due before an instant, in the order of their next dates, behind `after`. */
export interface ScheduleQuery extends Viewer {
  readonly before: number
  readonly after: SchedulePlace | null
  /** The most rows that are looked at. */
  readonly rows: number
}

/** Groups of some rows, in no order, and where they end; null: there are no more. */
export interface SchedulePart {
  readonly groups: ReadonlyArray<ScheduleGroup>
  readonly end: SchedulePlace | null
}

/** Those of one status, interval and `every`. */
export interface RhythmSum extends Pick<Rhythm, "interval" | "every"> {
  readonly status: SubscriptionStatus
  readonly count: number
  readonly amount: TiynSum
  /** Those of them whose next run could not be made. */
  readonly stuck: number
}

/** A subscription with everything that is kept about it, events and runs oldest first. */
export interface SubscriptionDetail {
  readonly subscription: Subscription
  readonly events: ReadonlyArray<SubscriptionEvent>
  readonly runs: ReadonlyArray<Run>
}

/** A due run with what it belongs to. */
export interface DueRun {
  readonly run: Run
  readonly subscription: Subscription
}

/** Port: subscriptions with their events and runs. */
export class SubscriptionStore extends Context.Service<
  SubscriptionStore,
  {
    /** Writes the subscription and its first event, unless (organization, mode, idempotency key) is taken. */
    readonly insert: (
      subscription: Subscription,
      event: SubscriptionEvent
    ) => Effect.Effect<SubscriptionInsertion, StorageError>
    /**
     * Writes each change if the row still has the version of `change.previous`: the row, its events, its run, the
     * invoice that the run makes with its event and daily totals, and the mail. Of two changes of one subscription in
     * one batch only the first wins. Answers in the order of `changes`; one that fails writes nothing.
     */
    readonly commitMany: (
      changes: ReadonlyArray<SubscriptionChange>
    ) => Effect.Effect<ReadonlyArray<Result.Result<CommitResult, CommitRefusal>>, StorageError>
    /** The subscription with this id, of any organization: the caller decides what may be seen. */
    readonly find: (id: SubscriptionId) => Effect.Effect<Option.Option<Subscription>, StorageError>
    /** The same with its events and runs, all as they were at one moment. */
    readonly detail: (id: SubscriptionId) => Effect.Effect<Option.Option<SubscriptionDetail>, StorageError>
    /** A page of what `query` matches. `total` is exact. */
    readonly list: (query: SubscriptionQuery) => Effect.Effect<SubscriptionPage, StorageError>
    /** How many there are of a viewer, and of which amounts, by status and rhythm; in no order. */
    readonly sums: (viewer: Viewer) => Effect.Effect<ReadonlyArray<RhythmSum>, StorageError>
    /** The next so many, as groups, as they were at one moment. */
    readonly schedule: (query: ScheduleQuery) => Effect.Effect<SchedulePart, StorageError>
    /** The next so many themselves, in their order. */
    readonly scheduled: (query: ScheduleQuery) => Effect.Effect<ReadonlyArray<Subscription>, StorageError>
    /** Runs of a subscription before the run of a number, newest first; null: from the newest. */
    readonly runs: (
      id: SubscriptionId,
      before: number | null,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Run>, StorageError>
    /**
     * Leases subscriptions that are due at `now`, oldest first, by moving their `dueAt` to `until`. Nobody else gets
     * them before that. The version stays. With `among` only those tenants' oldest, so many of each.
     */
    readonly claim: (
      now: number,
      until: number,
      limit: number,
      among?: Among
    ) => Effect.Effect<ReadonlyArray<Subscription>, StorageError>
    /**
     * The same for runs. A run becomes due, too, when its newest invoice fails or expires: the write of that change
     * makes it due as well.
     */
    readonly claimRuns: (
      now: number,
      until: number,
      limit: number,
      among?: Among
    ) => Effect.Effect<ReadonlyArray<DueRun>, StorageError>
    /** Who has subscriptions that are due. */
    readonly waiting: LookAtWaiting<StorageError>
    /** Who has runs that are due. */
    readonly waitingRuns: LookAtWaiting<StorageError>
  }
>()("@tolem/core/SubscriptionStore") {}
