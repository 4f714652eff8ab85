/**
 * The subscription and its life: a schedule that makes invoices, what can be asked of it, and what each command makes
 * of it. Pure. The caller commits: see `SubscriptionStore.commitMany`.
 */

import { Data, Result } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { Customer, InvoiceKind, Source } from "../invoice/Invoice.ts"
import type { Creation } from "../invoice/InvoiceStore.ts"
import type { Mail } from "../mail/Mail.ts"
import type { ConnectionId, EventId, InvoiceId, OrganizationId, SubscriptionId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import type { Tiyn } from "../value/Money.ts"
import { dateOf, dayOfMonthFrom, type Interval, indexAfter, type Rhythm } from "../value/Rhythm.ts"
import type { Run } from "./Run.ts"

/** `finished`: it has made all its runs. Cancelled and finished ones are closed for good. */
export type SubscriptionStatus = "active" | "paused" | "cancelled" | "finished"

/** What becomes of missed dates: one invoice for all of them, or none. */
export type Misfire = "run_once" | "skip"

/** A subscription as it is stored. Instants are epoch milliseconds. */
export interface Subscription extends Rhythm {
  readonly id: SubscriptionId
  readonly organizationId: OrganizationId
  readonly mode: Mode
  /** The cashier of the key that made it; null: the organization's default one at the time of each run. */
  readonly connectionId: ConnectionId | null
  readonly status: SubscriptionStatus
  readonly amount: Tiyn
  readonly kind: InvoiceKind
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
  readonly lastInvoiceId: InvoiceId | null
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

/** A fact of a subscription, kept for ever. */
export interface SubscriptionEvent {
  readonly id: string
  readonly subscriptionId: SubscriptionId
  readonly organizationId: OrganizationId
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
  readonly invoiceId: InvoiceId | null
  /** Catalogue code of what went wrong. */
  readonly code: string | null
  readonly createdAt: number
}

/** What a decision yields, to be written as one, guarded by the version of `previous`. */
export interface SubscriptionChange {
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

/** What a merchant may change; an absent member stays. */
export interface SubscriptionPatch {
  readonly amount?: Tiyn
  readonly kind?: InvoiceKind
  readonly description?: string | null
  readonly interval?: Interval
  readonly every?: number
  readonly dayOfMonth?: number | null
  readonly nextRunAt?: number
  readonly maxRuns?: number | null
  readonly customer?: Customer
  readonly metadata?: string | null
  readonly retryHours?: ReadonlyArray<number>
  readonly misfire?: Misfire
}

/** What can be asked of a subscription. */
export type SubscriptionCommand = Data.TaggedEnum<{
  Pause: object
  Resume: object
  Cancel: object
  Patch: { readonly patch: SubscriptionPatch }
}>
/** Constructors of commands. */
export const SubscriptionCommand = Data.taggedEnum<SubscriptionCommand>()

/** It is cancelled or finished, and accepts nothing any more. */
export class SubscriptionClosed extends refusal("SubscriptionClosed", "subscription_closed") {}

/** What a decision needs to know beside the subscription. */
export interface SubscriptionContext {
  readonly now: number
  /** As many as a decision may keep events. */
  readonly eventIds: readonly [string, string]
  readonly source: Source
}

/** Whether nothing can happen to it any more. */
export const isClosed = ({ status }: Subscription): boolean => status === "cancelled" || status === "finished"

/**
 * What `command` makes of the subscription; null if it changes nothing. Pure: the caller commits the change, or
 * answers the refusal.
 */
export const decideSubscription = (
  subscription: Subscription,
  command: SubscriptionCommand,
  circumstances: SubscriptionContext
): Result.Result<SubscriptionChange | null, SubscriptionClosed> => {
  if (isClosed(subscription)) return Result.fail(new SubscriptionClosed())
  const { status } = subscription
  switch (command._tag) {
    case "Pause":
      return Result.succeed(
        status === "paused"
          ? null
          : changeOf(subscription, { status: "paused", dueAt: null }, [{ type: "subscription.paused" }], circumstances)
      )
    case "Resume":
      return Result.succeed(status === "active" ? null : resume(subscription, circumstances))
    case "Cancel": {
      const members = { status: "cancelled", dueAt: null } as const
      return Result.succeed(changeOf(subscription, members, [{ type: "subscription.cancelled" }], circumstances))
    }
    case "Patch":
      return Result.succeed(patch(subscription, command.patch, circumstances))
  }
}

/** What a change tells of; the rest of its events is the same for all. */
export type EventDraft = Pick<SubscriptionEvent, "type"> &
  Partial<Pick<SubscriptionEvent, "run" | "invoiceId" | "code">>

/** A change of the subscription's own members, with what is told of it. */
export const changeOf = (
  previous: Subscription,
  members: Partial<Subscription>,
  told: ReadonlyArray<EventDraft>,
  { now, eventIds, source }: SubscriptionContext
): SubscriptionChange => {
  const events = told.map(
    (one, index): SubscriptionEvent => ({
      run: null,
      invoiceId: null,
      code: null,
      ...one,
      id: eventIds[index]!,
      subscriptionId: previous.id,
      organizationId: previous.organizationId,
      sequence: previous.sequence + 1 + index,
      source,
      createdAt: now
    })
  )
  const sequence = previous.sequence + events.length
  const next = { ...previous, ...members, updatedAt: now, sequence, version: previous.version + 1 }
  return { previous, next, events, run: null, creation: null, mail: null }
}

/** The first event of a subscription. */
export const subscriptionCreated = (subscription: Subscription, id: EventId, source: Source): SubscriptionEvent => ({
  id,
  subscriptionId: subscription.id,
  organizationId: subscription.organizationId,
  sequence: 1,
  type: "subscription.created",
  source,
  run: null,
  invoiceId: null,
  code: null,
  createdAt: subscription.createdAt
})

// With `run_once` a date that has passed stays next, so that the one invoice for all of them is made at once.
const resume = (subscription: Subscription, circumstances: SubscriptionContext): SubscriptionChange => {
  const { nextIndex, nextRunAt, misfire } = subscription
  const skips = misfire === "skip" && nextRunAt <= circumstances.now
  const index = skips ? indexAfter(subscription, circumstances.now) : nextIndex
  const dueAt = skips ? dateOf(subscription, index) : nextRunAt
  return changeOf(
    subscription,
    { status: "active", nextIndex: index, nextRunAt: dueAt, dueAt, ...(skips && noFaults) },
    [{ type: "subscription.resumed" }, ...(skips ? [{ type: "subscription.skipped" } as const] : [])],
    circumstances
  )
}

const patch = (
  subscription: Subscription,
  given: SubscriptionPatch,
  circumstances: SubscriptionContext
): SubscriptionChange | null => {
  const { nextRunAt, ...own } = given
  const members = { ...own, ...rescheduled(subscription, given, circumstances.now) }
  const isSame = Object.entries(members).every(([name, value]) => isEqual(value, Reflect.get(subscription, name)))
  if (isSame) return null
  const next = { ...subscription, ...members }
  const finishes = next.maxRuns !== null && next.runs >= next.maxRuns
  const status = finishes ? "finished" : subscription.status
  return changeOf(
    subscription,
    { ...members, status, dueAt: status === "active" ? next.nextRunAt : null },
    [{ type: "subscription.changed" }, ...(finishes ? [{ type: "subscription.finished" } as const] : [])],
    circumstances
  )
}

// Another rhythm begins at the next date, which stays where it is unless a date or a day of the month is given. A date
// that was set stays in any case: the days of the month begin after it.
const rescheduled = (subscription: Subscription, given: SubscriptionPatch, now: number): Partial<Subscription> => {
  const names = ["interval", "every", "dayOfMonth"] as const
  const changes = names.some((name) => given[name] !== undefined && given[name] !== subscription[name])
  if (!changes && (given.nextRunAt === undefined || given.nextRunAt === subscription.nextRunAt)) return {}
  const dayOfMonth = given.dayOfMonth === undefined ? subscription.dayOfMonth : given.dayOfMonth
  if (given.nextRunAt === undefined && dayOfMonth !== null && isSet(subscription, now)) {
    return { anchorAt: dayOfMonthFrom(dayOfMonth, subscription.nextRunAt + 1), nextIndex: 0 }
  }
  const movesDay = typeof given.dayOfMonth === "number" && given.dayOfMonth !== subscription.dayOfMonth
  const from = given.nextRunAt ?? (movesDay ? now : subscription.nextRunAt)
  const nextRunAt = dayOfMonth === null ? from : dayOfMonthFrom(dayOfMonth, from)
  return { anchorAt: nextRunAt, nextIndex: 0, nextRunAt, ...(nextRunAt !== subscription.nextRunAt && noFaults) }
}

/** Whether the next date was set by hand, and is to come: it is no day of the month, and follows no other date. */
const isSet = ({ nextIndex, nextRunAt, anchorAt, dayOfMonth }: Subscription, now: number): boolean =>
  nextRunAt > now && nextIndex === 0 && (dayOfMonth === null || nextRunAt !== anchorAt)

// Faults are those of the date that is next: they end if another date takes its place.
const noFaults = { faults: 0, fault: null } as const

const isEqual = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
