/** Makes the runs of subscriptions: in schedule, out of it, and again if an invoice ended without money. */
import { Clock, Context, Effect, Exit, Layer, Option, Result } from "effect"
import { Connections } from "../connection/Connections.ts"
import type { Code } from "../error/ErrorCatalog.ts"
import { isOneItemsFault, overfull, type StorageError } from "../error/StorageError.ts"
import { Commits } from "../invoice/Commits.ts"
import { countNew } from "../invoice/changes/InvoiceMetrics.ts"
import { type Invoice, isOpen, type Source } from "../invoice/Invoice.ts"
import { type InvoiceChanged, InvoiceStore } from "../invoice/InvoiceStore.ts"
import type { InvoiceCreateFailed } from "../invoice/live/LiveOffers.ts"
import { LivePayments } from "../invoice/live/LivePayments.ts"
import { Ids } from "../value/Ids.ts"
import { tenantKey } from "../value/Tenant.ts"
import * as Batcher from "../work/Batcher.ts"
import { traced } from "../work/Spans.ts"
import { decideRun, type Loss, nextRunStep, RunCommand } from "./Run.ts"
import * as RunDecisions from "./RunDecisions.ts"
import * as RunMeans from "./RunMeans.ts"
import * as RunRenewal from "./RunRenewal.ts"
import { isClosed, type Subscription, type SubscriptionChange, SubscriptionClosed } from "./Subscription.ts"
import { SubscriptionSettings } from "./SubscriptionSettings.ts"
import { type CommitRefusal, type CommitResult, type DueRun, SubscriptionStore } from "./SubscriptionStore.ts"

/** What closes invoices. */
interface Closing {
  readonly invoices: InvoiceStore["Service"]
  readonly commits: Commits["Service"]
  readonly payments: LivePayments["Service"]
}

/** How often a push is withdrawn anew where others change its invoice at the same time. */
const maxRivals = 5

const make = Effect.gen(function* () {
  const store = yield* SubscriptionStore
  const invoices = yield* InvoiceStore
  const commits = yield* Commits
  const connections = yield* Connections
  const payments = yield* LivePayments
  const ids = yield* Ids
  const settings = yield* SubscriptionSettings
  const billing = yield* RunMeans.make
  const { meansOf, invoiceOf } = billing
  const withdraw = withdrawal({ invoices, commits, payments })

  const write = yield* Batcher.make({
    name: "runs",
    ...settings.batch,
    runAll: (changes: ReadonlyArray<SubscriptionChange>) =>
      Effect.flatMap(store.commitMany(changes), (results) => {
        const made = changes.flatMap(({ creation }, index) =>
          creation !== null && Result.isSuccess(results[index]!) ? [creation.invoice] : []
        )
        return Effect.as(countNew(made), results.map(exitOf))
      }),
    lineOf: ({ next }) => tenantKey(next),
    full: (): CommitRefusal | StorageError => overfull("SubscriptionStore.commitMany"),
    isolate: (error: CommitRefusal | StorageError) => error._tag === "StorageError" && isOneItemsFault(error)
  })
  const commit = (change: SubscriptionChange) => traced("SubscriptionStore.commitMany")(write(change))
  /** For agents: losing the race is fine, the winner has rescheduled the row. */
  const attempt = (change: SubscriptionChange, unwritten: (code: Code) => Effect.Effect<void> = () => Effect.void) =>
    commit(change).pipe(
      Effect.catchTag("SubscriptionChanged", () => Effect.void),
      Effect.catchTag("OverQuota", ({ code }) => unwritten(code))
    )

  const circumstances = Effect.fnUntraced(function* (source: Source) {
    const eventIds = [yield* ids.next("evt"), yield* ids.next("evt")] as const
    return { now: yield* Clock.currentTimeMillis, eventIds, source }
  })

  const fire = Effect.fn("SubscriptionRuns.fire")(function* (subscription: Subscription) {
    const plan = RunDecisions.plan(subscription, yield* Clock.currentTimeMillis, settings)
    if (plan._tag === "Nothing") {
      return yield* attempt(RunDecisions.rescheduled(subscription, yield* circumstances("schedule")))
    }
    if (plan._tag === "Skip") {
      return yield* attempt(RunDecisions.skipped(subscription, plan.onward, yield* circumstances("schedule")))
    }
    const unmade = Effect.fnUntraced(function* (code: Code) {
      yield* attempt(RunDecisions.runFailed(subscription, code, yield* circumstances("schedule"), settings))
    })
    const means = yield* Effect.result(meansOf(subscription))
    if (Result.isFailure(means)) {
      return yield* means.failure._tag === "StorageError" ? Effect.fail(means.failure) : unmade(means.failure.code)
    }
    const place = { run: subscription.runs + 1, attempt: 0 }
    const made = yield* invoiceOf(subscription, place, means.success, "schedule")
    const change = RunDecisions.runMade(subscription, { ...made, due: plan }, yield* circumstances("schedule"))
    const committed = yield* attempt(change, (code) => Effect.ignore(unmade(code)))
    if (committed !== undefined && made.issueAt !== null) yield* issueOwn(committed, change)
  })

  const issueOwn = ({ subscription, invoice }: CommitResult, { run }: SubscriptionChange) =>
    invoice === null || run === null ? Effect.void : Effect.asVoid(Effect.result(issue({ subscription, run }, invoice)))

  /** Has the provider take the invoice of a run. What does not come about now falls due again. */
  const issue = Effect.fnUntraced(function* (due: DueRun, invoice: Invoice) {
    const offered = yield* Effect.result(offer(invoice))
    if (Result.isSuccess(offered)) yield* change(due, RunCommand.Offer())
    else if (!hasEnded(offered.failure)) yield* change(due, RunCommand.Fault(offered.failure))
    return yield* Effect.fromResult(offered)
  })

  const offer = Effect.fnUntraced(function* (invoice: Invoice) {
    const cashier = yield* connections.forCreate(invoice.organizationId, invoice.connectionId)
    const offered = payments.offerWaiting(invoice, cashier, null)
    // Invoices of runs need no place of a link.
    return yield* Effect.catchTag(offered, "LinkSoldOut", (error) => Effect.die(error))
  })

  const change = Effect.fnUntraced(function* ({ run, subscription }: DueRun, command: RunCommand) {
    const given = yield* circumstances("schedule")
    const decided = decideRun(run, command, { now: given.now, subscription, settings })
    if (Result.isSuccess(decided)) yield* attempt(RunDecisions.runChanged(subscription, decided.success, given))
  })

  const follow = Effect.fn("SubscriptionRuns.follow")(function* (due: DueRun) {
    const { run, subscription } = due
    const found = yield* invoices.details(run.invoiceIds)
    const all = found.flatMap((one) => (Option.isSome(one) ? [one.value.invoice] : []))
    const step = nextRunStep(run, all, { now: yield* Clock.currentTimeMillis, subscription, settings })
    switch (step._tag) {
      case "Decide":
        // Money for an earlier one came late.
        if (step.command._tag === "Pay") yield* withdraw(all)
        return yield* change(due, step.command)
      case "Issue":
        return yield* Effect.catch(Effect.asVoid(issue(due, step.invoice)), (error) =>
          error._tag === "StorageError" ? Effect.fail(error) : Effect.void
        )
      case "Reissue":
        return yield* reissue(due, step)
    }
  })

  const reissue = Effect.fnUntraced(function* (due: DueRun, { lostAt, renewals }: Loss) {
    const { subscription, run } = due
    const unmade = (code: Code) => change(due, RunCommand.Fault({ code }))
    const means = yield* Effect.result(meansOf(subscription))
    if (Result.isFailure(means)) {
      return yield* means.failure._tag === "StorageError" ? Effect.fail(means.failure) : unmade(means.failure.code)
    }
    const place = { run: run.run, attempt: run.invoiceIds.length }
    const made = yield* invoiceOf(subscription, place, means.success, "schedule")
    const given = yield* circumstances("schedule")
    const command = RunCommand.Reissue({ lostAt, renewals, invoiceId: made.creation.invoice.id, issueAt: made.issueAt })
    const decided = decideRun(run, command, { now: given.now, subscription, settings })
    if (Result.isFailure(decided)) return
    const written = RunDecisions.reissued(subscription, decided.success, made, given)
    const committed = yield* attempt(written, (code) => Effect.ignore(unmade(code)))
    if (committed !== undefined && made.issueAt !== null) yield* issueOwn(committed, written)
  })

  const runNow = Effect.fn("SubscriptionRuns.runNow")(function* (
    subscription: Subscription,
    source: Source,
    idempotencyKey: string | null
  ) {
    if (isClosed(subscription)) return yield* new SubscriptionClosed()
    const means = yield* meansOf(subscription)
    const place = { run: subscription.runs + 1, attempt: 0 }
    const made = yield* invoiceOf(subscription, place, means, source)
    const creation = { ...made.creation, invoice: { ...made.creation.invoice, idempotencyKey } }
    const change = RunDecisions.runMade(subscription, { ...made, creation, due: null }, yield* circumstances(source))
    const { subscription: next, invoice } = yield* commit(change)
    if (invoice === null || change.run === null || made.issueAt === null) {
      return Effect.succeed(invoice ?? made.creation.invoice)
    }
    return issue({ subscription: next, run: change.run }, invoice).pipe(
      Effect.catchTag("InvoiceChanged", () =>
        Effect.map(
          invoices.find(invoice.id),
          Option.getOrElse(() => invoice)
        )
      )
    )
  })

  const renew = RunRenewal.make({ store, invoices, billing, circumstances, commit, settings })

  return {
    /** Does what is due for a claimed subscription. Safe to repeat, and for several to do at once. */
    fire,
    /** Does what is due for a claimed run: its invoice is offered, or issued again, or the run has ended. */
    follow,
    /**
     * Writes a run out of schedule, whose invoice has this key; that none has it yet is the caller's to see. What is
     * answered offers its invoice, if a provider has to be asked.
     */
    runNow,
    /**
     * The invoice that the customer of a lost one goes on with: the one of its run that is paid, or open, or a new one,
     * and where there can be no other, the newest.
     */
    renew,
    /** Writes a change; with those of other fibers. */
    commit
  }
})

/** Closes those that are open: another one of their run is paid. */
const withdrawal = ({ invoices, commits, payments }: Closing) => {
  const push = ({ id }: Invoice) =>
    invoices
      .find(id)
      .pipe(
        Effect.flatMap(Option.match({ onNone: () => Effect.void, onSome: (one) => payments.withdraw(one, "system") })),
        Effect.retry({ times: maxRivals, while: ({ _tag }) => _tag === "InvoiceChanged" }),
        Effect.ignore
      )
  const close = (one: Invoice) => (one.mode === "live" && one.kind === "phone" ? push(one) : commits.supersede(one))
  return (all: ReadonlyArray<Invoice>) =>
    Effect.forEach(
      all.filter(({ status }) => isOpen(status)),
      close,
      { discard: true }
    )
}

/** Makes the runs of subscriptions, and follows their invoices. */
export class SubscriptionRuns extends Context.Service<SubscriptionRuns, Effect.Success<typeof make>>()(
  "@tolem/core/SubscriptionRuns"
) {
  /** Closing the layer writes what waits. */
  static readonly layer = Layer.effect(SubscriptionRuns, make)
}

// The write that settled the invoice has made the run due.
const hasEnded = (error: { readonly _tag: string }): error is InvoiceCreateFailed | InvoiceChanged =>
  error._tag === "InvoiceCreateFailed" || error._tag === "InvoiceChanged"

const exitOf = <A, E>(result: Result.Result<A, E>): Exit.Exit<A, E> =>
  Result.isSuccess(result) ? Exit.succeed(result.success) : Exit.fail(result.failure)
