/** What a subscription does when its date has come: which run is due, and what making it changes. Pure. */
import { Data } from "effect"
import type { Creation } from "../invoice/InvoiceStore.ts"
import type { Mail } from "../mail/Mail.ts"
import { dateOf, indexAfter, type Rhythm } from "../value/Rhythm.ts"
import { faultWaitMs, newRun, type RunChange } from "./Run.ts"
import {
  changeOf,
  type EventDraft,
  type Subscription,
  type SubscriptionChange,
  type SubscriptionContext
} from "./Subscription.ts"
import type { SubscriptionSettings } from "./SubscriptionSettings.ts"

/** What of a subscription says which dates it has. */
export interface Scheduled extends Rhythm, Pick<Subscription, "status" | "nextRunAt" | "misfire" | "faults"> {}

/** Where the schedule goes on. */
export interface NextRun {
  readonly nextIndex: number
  readonly nextRunAt: number
}

/** What is due. */
export type RunPlan = Data.TaggedEnum<{
  /** Nothing, or nothing any more. */
  Nothing: object
  /** Dates have passed unserved, and no invoice is wanted for them. */
  Skip: { readonly onward: NextRun }
  /** One run, for the date `scheduledAt` and all before it. */
  Run: { readonly scheduledAt: number; readonly onward: NextRun }
}>
/** Constructors of plans. */
export const RunPlan = Data.taggedEnum<RunPlan>()

/**
 * What is due at `now`. A date that is a little late is served as if it were not; one is missed if no server has tried
 * to serve it in time. For missed ones there is one run in all, or none, as `misfire` says. The next date is in the
 * future.
 */
export const plan = (subscription: Scheduled, now: number, { subscriptions }: SubscriptionSettings): RunPlan => {
  const { status, nextRunAt, misfire, faults } = subscription
  if (status !== "active" || nextRunAt > now) return RunPlan.Nothing()
  const nextIndex = indexAfter(subscription, now)
  const onward = { nextIndex, nextRunAt: dateOf(subscription, nextIndex) }
  // A date that was set by hand comes before the first of the rhythm.
  const scheduledAt = nextIndex === 0 ? nextRunAt : dateOf(subscription, nextIndex - 1)
  const isMissed = faults === 0 && now - scheduledAt > subscriptions.missedAfterMs
  return isMissed && misfire === "skip" ? RunPlan.Skip({ onward }) : RunPlan.Run({ scheduledAt, onward })
}

/** The dates are passed over. */
export const skipped = (
  subscription: Subscription,
  onward: NextRun,
  circumstances: SubscriptionContext
): SubscriptionChange =>
  changeOf(subscription, { ...onward, dueAt: onward.nextRunAt }, [{ type: "subscription.skipped" }], circumstances)

/** What a run needs to be written. */
export interface NewRun {
  readonly creation: Creation
  readonly mail: Mail | null
  /** Null: out of schedule, and the schedule stays as it is. */
  readonly due: Extract<RunPlan, { readonly _tag: "Run" }> | null
  /** When the provider has to be asked to take the invoice; null: no provider has to be asked. */
  readonly issueAt: number | null
}

/** The run is made, with its invoice. May finish the subscription. */
export const runMade = (
  subscription: Subscription,
  { creation, mail, due, issueAt }: NewRun,
  circumstances: SubscriptionContext
): SubscriptionChange => {
  const { now } = circumstances
  const invoiceId = creation.invoice.id
  const runs = subscription.runs + 1
  const finishes = subscription.maxRuns !== null && runs >= subscription.maxRuns
  const status = finishes ? "finished" : subscription.status
  const onward = due === null ? {} : due.onward
  const nextRunAt = due === null ? subscription.nextRunAt : due.onward.nextRunAt
  const told: ReadonlyArray<EventDraft> = [
    { type: "subscription.run", run: runs, invoiceId },
    ...(finishes ? [{ type: "subscription.finished" } as const] : [])
  ]
  const members = {
    ...onward,
    ...(due !== null && { faults: 0, fault: null }),
    status,
    runs,
    lastRunAt: now,
    lastInvoiceId: invoiceId,
    dueAt: status === "active" ? nextRunAt : null
  }
  const { id: subscriptionId, organizationId } = subscription
  const scheduledAt = due === null ? null : due.scheduledAt
  const run = newRun({ subscriptionId, organizationId, run: runs, scheduledAt, invoiceId }, issueAt, now)
  return { ...changeOf(subscription, members, told, circumstances), run, creation, mail }
}

/** The run could not be made; it stays due. An outage is told of once, not at every try. */
export const runFailed = (
  subscription: Subscription,
  code: string,
  circumstances: SubscriptionContext,
  settings: SubscriptionSettings
): SubscriptionChange => {
  const dueAt = circumstances.now + faultWaitMs(subscription.faults, settings)
  const told = subscription.fault === code ? [] : [{ type: "subscription.run_failed", code } as const]
  return changeOf(subscription, { faults: subscription.faults + 1, fault: code, dueAt }, told, circumstances)
}

/** Nothing was due after all: what a claim has moved goes back to what the schedule says. */
export const rescheduled = (subscription: Subscription, circumstances: SubscriptionContext): SubscriptionChange => {
  const { status, nextRunAt } = subscription
  return changeOf(subscription, { dueAt: status === "active" ? nextRunAt : null }, [], circumstances)
}

/** A run changes, and nothing of its subscription. */
export const runChanged = (
  subscription: Subscription,
  { next, told }: RunChange,
  circumstances: SubscriptionContext
): SubscriptionChange => ({ ...changeOf(subscription, {}, told, circumstances), run: next })

/** The invoice of a run is issued again: another try of the same run. */
export const reissued = (
  subscription: Subscription,
  { next, told }: RunChange,
  { creation, mail }: Pick<NewRun, "creation" | "mail">,
  circumstances: SubscriptionContext
): SubscriptionChange => {
  const lastInvoiceId = creation.invoice.id
  return { ...changeOf(subscription, { lastInvoiceId }, told, circumstances), run: next, creation, mail }
}
