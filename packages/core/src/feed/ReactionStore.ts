/**
 * Port: consumers, and the events that each of them has still to hear. What a consumer hears of is written down with
 * the places of events in the feed: by `FeedStore.place`, in its transaction.
 */
import { Context, Data, type Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { StorageError } from "../error/StorageError.ts"
import type { Invoice, InvoiceEvent } from "../invoice/Invoice.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { PageBounds } from "../value/QueryChecks.ts"

/** Code of the application that hears of events. It belongs to the whole installation. */
export interface Consumer {
  readonly name: string
  /** What it hears of; empty means all. */
  readonly types: ReadonlyArray<InvoiceEvent["type"]>
  /** Whose events it hears of; empty means all. */
  readonly organizations: ReadonlyArray<OrganizationId>
}

/** An event that a consumer has to hear, claimed for one try. */
export interface ReactionJob {
  readonly id: string
  readonly consumer: string
  readonly event: InvoiceEvent
  /** As it is now. */
  readonly invoice: Invoice
  /** Which try it is, from 1 on; one that ended with its process counts. */
  readonly attempt: number
  /** Proof of the claim. */
  readonly lease: string
}

/** An event that a consumer has failed to hear, for the log. `pending`: it is tried again. */
export interface FailedReaction {
  readonly id: string
  readonly consumer: string
  readonly organizationId: OrganizationId
  readonly mode: Mode
  readonly type: InvoiceEvent["type"]
  readonly invoiceId: Invoice["id"]
  readonly eventId: InvoiceEvent["id"]
  readonly status: "pending" | "failed"
  readonly attemptCount: number
  readonly dueAt: number
  readonly failedAt: number
  readonly error: string
}

/** A handler has failed: what it has written is undone. `message` is for the log of failures. */
export class ReactionFailed extends Data.TaggedError("ReactionFailed")<{ readonly message: string }> {}

/** Handles an event inside of the transaction that settles it; `transaction` is as the database's driver has it. */
export type InTransaction = (transaction: unknown) => Effect.Effect<void, ReactionFailed, SqlClient.SqlClient>

/** The member of a transaction that must end in the turn of the event loop in which it has begun: its value is true. */
export const isSynchronous = Symbol.for("@tolem/core/isSynchronous")

/** A storage whose transactions are of this type to the application. It says so to the compiler only. */
export interface Transacting<Tx> {
  readonly "~tolem/Transaction"?: Tx
}

/** Which events to claim: of these consumers, due at `now`. No other claim gets them before `until`. */
export interface ReactionClaim {
  readonly consumers: ReadonlyArray<string>
  readonly now: number
  readonly until: number
  readonly limit: number
  readonly lease: string
}

/** Port: reactions. */
export class ReactionStore extends Context.Service<
  ReactionStore,
  {
    /**
     * Adds a consumer, or changes what it hears of. A new one hears of what is made from `since` on, also while no
     * process runs that handles it.
     */
    readonly register: (consumer: Consumer, since: number) => Effect.Effect<void, StorageError>
    /** Removes a consumer, and what it had still to hear. False: there is none. */
    readonly remove: (name: string) => Effect.Effect<boolean, StorageError>
    /** Organizations with events that have no place yet, in the order of their ids, from behind one on. */
    readonly arriving: (after: string, limit: number) => Effect.Effect<ReadonlyArray<OrganizationId>, StorageError>
    /** Claims what is due, counting the try; of an invoice only the first that its consumer has still to hear. */
    readonly claim: (claim: ReactionClaim) => Effect.Effect<ReadonlyArray<ReactionJob>, StorageError>
    /**
     * Runs the handler in a transaction that removes what it handles, if the claim still holds: all of it is
     * committed, or none. Answers whether it held; then the handler has run to its end.
     */
    readonly settle: (job: ReactionJob, handler: InTransaction) => Effect.Effect<boolean, ReactionFailed | StorageError>
    /** Writes a failure: it is tried again at `dueAt`, or never (null). Nothing where the claim has ended. */
    readonly fail: (
      job: ReactionJob,
      failure: { readonly error: string; readonly dueAt: number | null; readonly now: number }
    ) => Effect.Effect<void, StorageError>
    /** Gives claimed ones back: due again, and the try not counted. */
    readonly release: (jobs: ReadonlyArray<ReactionJob>, now: number) => Effect.Effect<void, StorageError>
    /** What was not heard at the first try and is not heard yet, newest failure first. */
    readonly failures: (
      consumer: string,
      page: PageBounds
    ) => Effect.Effect<ReadonlyArray<FailedReaction>, StorageError>
    /** Has a failed one tried again, with all its tries. False: there is none such. */
    readonly resend: (id: string, now: number) => Effect.Effect<boolean, StorageError>
  }
>()("@tolem/core/ReactionStore") {}
