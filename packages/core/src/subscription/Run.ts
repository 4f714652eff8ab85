/**
 * The run and its life: one date of a subscription, its invoices, and what each event makes of it. Pure; what was
 * decided is written by `SubscriptionStore.commitMany`, guarded by the subscription's version.
 */
import { Data, Result } from "effect"
import type { Invoice } from "../invoice/Invoice.ts"
import { isWaiting } from "../invoice/live/CreationStages.ts"
import { hours } from "../value/CommonSettings.ts"
import type { InvoiceId, OrganizationId, SubscriptionId } from "../value/Ids.ts"
import type { SubscriptionSettings } from "./SubscriptionSettings.ts"

/** A run: one invoice, and those that were issued again for it. */
export interface Run {
  readonly subscriptionId: SubscriptionId
  readonly organizationId: OrganizationId
  /** 1, 2, 3 … within the subscription. */
  readonly run: number
  /** The date it was made for; null: out of schedule. */
  readonly scheduledAt: number | null
  /** Its invoices, oldest first; the last one is the one in force. Never empty. */
  readonly invoiceIds: ReadonlyArray<InvoiceId>
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

/** The newest invoice of a run has failed or expired at `lostAt`; its customer has asked for `renewals` of them all. */
export interface Loss {
  readonly lostAt: number
  readonly renewals: number
}

/** What can happen to a run. */
export type RunCommand = Data.TaggedEnum<{
  /** Its newest invoice can be paid. */
  Offer: object
  /** Its next invoice could not be had, for the reason of this catalogue code. It is tried again later. */
  Fault: { readonly code: string }
  /** One of its invoices was paid, in time or late. */
  Pay: object
  /** The merchant has cancelled its newest invoice, or none of its invoices is kept any more. */
  Cancel: object
  /** Its newest invoice is lost. */
  Lose: Loss
  /** Another invoice takes the place of a lost one. `issueAt` as in `newRun`. */
  Reissue: Loss & { readonly invoiceId: InvoiceId; readonly issueAt: number | null }
  /** The same at the wish of the customer, whose newest invoice was lost, whatever the ladder says. */
  Renew: { readonly invoiceId: InvoiceId }
}>
/** Constructors of commands. */
export const RunCommand = Data.taggedEnum<RunCommand>()

/** What a decision needs to know beside the run. */
export interface RunContext {
  readonly now: number
  /** Of its subscription. A finished one still issues the invoices of its last run again. */
  readonly subscription: {
    readonly status: "active" | "paused" | "cancelled" | "finished"
    readonly retryHours: ReadonlyArray<number>
  }
  readonly settings: SubscriptionSettings
}

/** The run with what is told of it among the events of its subscription. */
export interface RunChange {
  readonly next: Run
  readonly told: ReadonlyArray<
    | { readonly type: "subscription.run_failed"; readonly run: number; readonly code: string }
    | { readonly type: "subscription.reissued"; readonly run: number; readonly invoiceId: InvoiceId }
  >
}

/** Nothing follows any more: what comes later, late money too, changes its invoice and not the run. */
export class RunEnded extends Data.TaggedError("RunEnded") {}

/** The time of its next invoice has not come, or there is none. */
export class RunNotDue extends Data.TaggedError("RunNotDue") {}

/** Why a command was refused. */
export type RunRefusal = RunEnded | RunNotDue

/** A run as it begins. `issueAt`: when the provider has to be asked again to take the invoice; null: it need not be. */
export const newRun = (
  facts: Pick<Run, "subscriptionId" | "organizationId" | "run" | "scheduledAt"> & { readonly invoiceId: InvoiceId },
  issueAt: number | null,
  now: number
): Run => {
  const { invoiceId, ...rest } = facts
  return { ...rest, invoiceIds: [invoiceId], ...issued(issueAt), createdAt: now, updatedAt: now }
}

/** What `command` makes of the run. Pure: the caller commits the change, or drops what was refused. */
export const decideRun = (run: Run, command: RunCommand, context: RunContext): Result.Result<RunChange, RunRefusal> => {
  // One that has ended without money can begin again.
  if (run.status === "ended" && command._tag !== "Renew") return Result.fail(new RunEnded())
  const { now } = context
  const change = (members: Partial<Run>, told: RunChange["told"] = []) =>
    Result.succeed({ next: { ...run, ...members, updatedAt: now }, told })
  const end = { status: "ended", dueAt: null } as const
  switch (command._tag) {
    case "Offer":
      return change(issued(null))
    case "Fault": {
      const dueAt = now + faultWaitMs(run.faults, context.settings)
      // An outage is told of once, not at every try.
      const told = { type: "subscription.run_failed", run: run.run, code: command.code } as const
      return change({ faults: run.faults + 1, dueAt }, run.faults === 0 ? [told] : [])
    }
    case "Pay":
    case "Cancel":
      return change(end)
    case "Lose": {
      const dueAt = nextInvoiceAt(run, command, context)
      return change(dueAt === null ? end : { status: "open", dueAt })
    }
    case "Reissue": {
      const { invoiceId, issueAt } = command
      if (!isReissuable(run, command, context)) return Result.fail(new RunNotDue())
      const told = { type: "subscription.reissued", run: run.run, invoiceId } as const
      return change({ invoiceIds: [...run.invoiceIds, invoiceId], ...issued(issueAt) }, [told])
    }
    case "Renew": {
      const { invoiceId } = command
      if (context.subscription.status === "cancelled" || context.subscription.status === "paused") {
        return Result.fail(new RunEnded())
      }
      const told = { type: "subscription.reissued", run: run.run, invoiceId } as const
      return change({ invoiceIds: [...run.invoiceIds, invoiceId], ...issued(null) }, [told])
    }
  }
}

/** What is to be done for a run: decide a command, have the provider take an invoice, or make another one. */
export type RunStep = Data.TaggedEnum<{
  Decide: { readonly command: RunCommand }
  Issue: { readonly invoice: Invoice }
  Reissue: Loss
}>
/** Constructors of steps. */
export const RunStep = Data.taggedEnum<RunStep>()

/** What the invoices of a run, oldest first, ask for. Pure. */
export const nextRunStep = (run: Run, invoices: ReadonlyArray<Invoice>, context: RunContext): RunStep => {
  const newest = invoices.at(-1)
  if (invoices.some(({ paidAt }) => paidAt !== null)) return RunStep.Decide({ command: RunCommand.Pay() })
  switch (newest?.status) {
    case "new":
      if (run.status !== "issuing") return RunStep.Decide({ command: RunCommand.Offer() })
      // While an unanswered call is looked into, no other is made.
      return isWaiting(newest)
        ? RunStep.Issue({ invoice: newest })
        : RunStep.Decide({ command: RunCommand.Fault({ code: "provider_error" }) })
    case "pending":
      return RunStep.Decide({ command: RunCommand.Offer() })
    case "failed":
    case "expired": {
      const loss = { lostAt: newest.updatedAt, renewals: renewalsAmong(invoices) }
      return isReissuable(run, loss, context)
        ? RunStep.Reissue(loss)
        : RunStep.Decide({ command: RunCommand.Lose(loss) })
    }
    default:
      return RunStep.Decide({ command: RunCommand.Cancel() })
  }
}

/** How long to wait after so many faults in a row before it. */
export const faultWaitMs = (faults: number, { subscriptions }: SubscriptionSettings): number => {
  const waits = subscriptions.faultWaitsMs
  return waits[Math.min(faults, waits.length - 1)] ?? 0
}

// Without a date the run waits for nothing but what becomes of its invoice.
const issued = (issueAt: number | null) =>
  ({ status: issueAt === null ? "open" : "issuing", faults: 0, dueAt: issueAt }) as const

// One that the customer has asked for ends when the one before would have; a try of the ladder has an end of its own.
const renewalsAmong = (invoices: ReadonlyArray<Invoice>): number =>
  invoices.filter(({ validUntil }, index) => validUntil !== null && validUntil === invoices[index - 1]?.validUntil)
    .length

/** When the lost invoice is issued again, past or to come; null: its ladder is over, or its subscription is stopped. */
const nextInvoiceAt = (run: Run, { lostAt, renewals }: Loss, { now, subscription }: RunContext): number | null => {
  const wait = subscription.retryHours[run.invoiceIds.length - 1 - renewals]
  if (wait === undefined || subscription.status === "cancelled") return null
  const at = lostAt + wait * hours
  // A paused subscription issues nothing, neither now nor afterwards.
  return at <= now && subscription.status === "paused" ? null : at
}

const isReissuable = (run: Run, loss: Loss, context: RunContext): boolean => {
  const at = nextInvoiceAt(run, loss, context)
  return at !== null && at <= context.now
}
