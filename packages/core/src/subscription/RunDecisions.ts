/** What a subscription does when its date has come: which run is due, and what making it changes. Pure. */
import { Data } from "effect"
import type { Creation } from "../invoice/InvoiceStore.ts"
import type { Mail } from "../mail/Mail.ts"
import { dateOf, indexAfter } from "../value/Rhythm.ts"
import { type Change, type Circumstances, changeOf, type Run, type Subscription, type Told } from "./Subscription.ts"
import type { SubscriptionSettings } from "./SubscriptionSettings.ts"

/** Where the schedule goes on. */
export interface Onward {
  readonly nextIndex: number
  readonly nextRunAt: number
}

/** What is due. */
export type Plan = Data.TaggedEnum<{
  /** Nothing, or nothing any more. */
  Nothing: object
  /** Dates have passed that nobody served and nobody wants. */
  Skip: { readonly onward: Onward }
  /** One run, for the date `scheduledAt` and all before it. */
  Run: { readonly scheduledAt: number; readonly onward: Onward }
}>
/** Constructors of plans. */
export const Plan = Data.taggedEnum<Plan>()

/**
 * What is due at `now`. A date that is a little late is served as if it were not; one is missed where nobody has tried
 * to serve it in time. For missed ones there is one run in all, or none, as `misfire` says. The next date is in the
 * future.
 */
export const plan = (subscription: Subscription, now: number, { subscriptions }: SubscriptionSettings): Plan => {
  const { status, nextRunAt, misfire, faults } = subscription
  if (status !== "active" || nextRunAt > now) return Plan.Nothing()
  const nextIndex = indexAfter(subscription, now)
  const onward = { nextIndex, nextRunAt: dateOf(subscription, nextIndex) }
  // A date that was set by hand comes before the first of the rhythm.
  const scheduledAt = nextIndex === 0 ? nextRunAt : dateOf(subscription, nextIndex - 1)
  const isMissed = faults === 0 && now - scheduledAt > subscriptions.missedAfterMs
  return isMissed && misfire === "skip" ? Plan.Skip({ onward }) : Plan.Run({ scheduledAt, onward })
}

/** The dates are passed over. */
export const skipped = (subscription: Subscription, onward: Onward, circumstances: Circumstances): Change =>
  changeOf(subscription, { ...onward, dueAt: onward.nextRunAt }, [{ type: "subscription.skipped" }], circumstances)

/** What a run needs to be written. */
export interface Made {
  readonly creation: Creation
  readonly mail: Mail | null
  /** Null: out of schedule, and the schedule stays as it is. */
  readonly due: Extract<Plan, { readonly _tag: "Run" }> | null
  /** When the provider has to be asked to take the invoice; null: it needs nobody to do so. */
  readonly issueAt: number | null
}

/** The run is made, with its invoice. May finish the subscription. */
export const ran = (
  subscription: Subscription,
  { creation, mail, due, issueAt }: Made,
  circumstances: Circumstances
): Change => {
  const { now } = circumstances
  const invoiceId = creation.invoice.id
  const runs = subscription.runs + 1
  const finishes = subscription.maxRuns !== null && runs >= subscription.maxRuns
  const status = finishes ? "finished" : subscription.status
  const onward = due === null ? {} : due.onward
  const nextRunAt = due === null ? subscription.nextRunAt : due.onward.nextRunAt
  const told: ReadonlyArray<Told> = [
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
  const run: Run = {
    subscriptionId: subscription.id,
    organizationId: subscription.organizationId,
    run: runs,
    scheduledAt: due === null ? null : due.scheduledAt,
    invoiceIds: [invoiceId],
    status: issueAt === null ? "open" : "issuing",
    faults: 0,
    dueAt: issueAt,
    createdAt: now,
    updatedAt: now
  }
  return { ...changeOf(subscription, members, told, circumstances), run, creation, mail }
}

/** The run could not be made; it stays due. An outage is told of once, not at every try. */
export const faulted = (
  subscription: Subscription,
  code: string,
  circumstances: Circumstances,
  settings: SubscriptionSettings
): Change => {
  const dueAt = circumstances.now + faultWaitMs(subscription.faults, settings)
  const told = subscription.fault === code ? [] : [{ type: "subscription.run_failed", code } as const]
  return changeOf(subscription, { faults: subscription.faults + 1, fault: code, dueAt }, told, circumstances)
}

/** Nothing was due after all: what a claim has moved goes back to what the schedule says. */
export const rescheduled = (subscription: Subscription, circumstances: Circumstances): Change => {
  const { status, nextRunAt } = subscription
  return changeOf(subscription, { dueAt: status === "active" ? nextRunAt : null }, [], circumstances)
}

/** How long to wait after so many faults in a row before it. */
export const faultWaitMs = (faults: number, { subscriptions }: SubscriptionSettings): number => {
  const waits = subscriptions.faultWaitsMs
  return waits[Math.min(faults, waits.length - 1)] ?? 0
}

/** When the invoice of a run that ended without money is issued again; null where the ladder is over. */
export const reissueAt = (run: Run, { retryHours }: Subscription, endedAt: number): number | null => {
  const hours = retryHours[run.invoiceIds.length - 1]
  return hours === undefined ? null : endedAt + hours * 3_600_000
}

/** The invoice of a run is issued again: another try of the same run. */
export const reissued = (
  subscription: Subscription,
  run: Run,
  { creation, mail, issueAt }: Omit<Made, "due">,
  circumstances: Circumstances
): Change => {
  const { now } = circumstances
  const invoiceId = creation.invoice.id
  const next: Run = {
    ...run,
    invoiceIds: [...run.invoiceIds, invoiceId],
    status: issueAt === null ? "open" : "issuing",
    faults: 0,
    dueAt: issueAt,
    updatedAt: now
  }
  const told: Told = { type: "subscription.reissued", run: run.run, invoiceId }
  const change = changeOf(subscription, { lastInvoiceId: invoiceId }, [told], circumstances)
  return { ...change, run: next, creation, mail }
}

/** The run alone changes; `told` where something is to be known of it. */
export const runChanged = (
  subscription: Subscription,
  run: Run,
  members: Partial<Run>,
  told: ReadonlyArray<Told>,
  circumstances: Circumstances
): Change => ({
  ...changeOf(subscription, {}, told, circumstances),
  run: { ...run, ...members, updatedAt: circumstances.now }
})
