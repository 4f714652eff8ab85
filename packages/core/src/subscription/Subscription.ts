/**
 * The subscription and its life: a schedule that makes invoices, what can be asked of it, and what each command makes
 * of it. Pure. Whoever decides also commits: see `SubscriptionStore.commitMany`.
 */

import type { Customer, Kind, Source } from "../invoice/Invoice.ts"
import type { Creation } from "../invoice/InvoiceStore.ts"
import type { Mode } from "../Mode.ts"
import type { Tiyn } from "../Money.ts"
import type { Mail } from "../mail/Mail.ts"

/** `finished`: it has made all its runs. Cancelled and finished ones are closed for good. */
export type Status = "active" | "paused" | "cancelled" | "finished"

/** The step of a schedule. */
export type Interval = "day" | "week" | "month"

/** What becomes of dates that nobody could serve: one invoice for all of them, or none. */
export type Misfire = "run_once" | "skip"

/** When invoices are due: the n-th date is a function of these and n alone, so that no error adds up. */
export interface Rhythm {
  readonly interval: Interval
  /** 1 to 12. */
  readonly every: number
  /** 1 to 28, at 10:00 in Almaty; null: the anchor's own day and time. */
  readonly dayOfMonth: number | null
  /** Date 0, in milliseconds. */
  readonly anchorAt: number
}

/** A subscription as it is stored. Instants are epoch milliseconds. */
export interface Subscription extends Rhythm {
  readonly id: string
  readonly organizationId: string
  readonly mode: Mode
  /** The cashier of the key that made it; null: the organization's default one at the time of each run. */
  readonly connectionId: string | null
  readonly status: Status
  readonly amount: Tiyn
  readonly kind: Kind
  readonly description: string | null
  readonly customer: Customer
  /** JSON text of an object, exactly as it was sent. */
  readonly metadata: string | null
  /** Hours after which a run's failed or expired invoice is issued again, at most five. */
  readonly retryHours: ReadonlyArray<number>
  readonly misfire: Misfire
  /** Which date of the rhythm comes next. */
  readonly nextIndex: number
  /** That date. Kept as it was when the subscription closes. */
  readonly nextRunAt: number
  readonly lastRunAt: number | null
  /** The newest invoice it has made, issued again or not. */
  readonly lastInvoiceId: string | null
  /** Runs made; each has an invoice, and those that were issued again do not count. */
  readonly runs: number
  readonly maxRuns: number | null
  /** Times in a row that a run could not be made, and why the last one could not. */
  readonly faults: number
  readonly fault: string | null
  readonly idempotencyKey: string | null
  /** Digest of the create request, to tell a replay from another request under the same key. */
  readonly fingerprint: string | null
  /** When the runner has to look at it next; null: never. */
  readonly dueAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
  /** Sequence of its newest event; the first is 1, without gaps. */
  readonly sequence: number
  /** Grows by one with every change; guards every write. */
  readonly version: number
}

/** A run: one invoice, and those that were issued again for it. */
export interface Run {
  readonly subscriptionId: string
  readonly organizationId: string
  /** 1, 2, 3 … within the subscription. */
  readonly run: number
  /** The date it was made for; null: out of schedule. */
  readonly scheduledAt: number | null
  /** Its invoices, oldest first; the last one is the one in force. Never empty. */
  readonly invoiceIds: ReadonlyArray<string>
  /**
   * `issuing`: the provider has yet to take the invoice. `open`: the customer may pay; a failed or expired invoice
   * makes the run due. `ended`: nothing follows.
   */
  readonly status: "issuing" | "open" | "ended"
  /** Times in a row that the provider could not take the invoice. */
  readonly faults: number
  readonly dueAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** A fact of a subscription, kept for ever. */
export interface SubscriptionEvent {
  readonly id: string
  readonly subscriptionId: string
  readonly organizationId: string
  /** 1, 2, 3 … within the subscription. */
  readonly sequence: number
  readonly type:
    | "subscription.created"
    | "subscription.changed"
    | "subscription.paused"
    | "subscription.resumed"
    | "subscription.cancelled"
    | "subscription.finished"
    /** A run was made, or its invoice issued again. */
    | "subscription.run"
    | "subscription.reissued"
    /** Dates passed without an invoice, as `misfire` says. */
    | "subscription.skipped"
    /** A run could not be made; it stays due. */
    | "subscription.run_failed"
  readonly source: Source
  readonly run: number | null
  readonly invoiceId: string | null
  /** Catalogue code of what went wrong. */
  readonly code: string | null
  readonly createdAt: number
}

/** What a decision yields, to be written as one, guarded by the version of `previous`. */
export interface Change {
  readonly previous: Subscription
  readonly next: Subscription
  /** In the order of their sequences. */
  readonly events: ReadonlyArray<SubscriptionEvent>
  /** Written whole, new or not; null: no run changes. */
  readonly run: Run | null
  /** The invoice that the run makes. */
  readonly creation: Creation | null
  /** What tells the customer of it. */
  readonly mail: Mail | null
}
