/** Promises of `SubscriptionStore`. */
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { toText } from "@tolem/core/invoice/Origin"
import { MailStore } from "@tolem/core/mail/MailStore"
import * as NewMail from "@tolem/core/mail/NewMail"
import type { Run } from "@tolem/core/subscription/Run"
import * as RunDecisions from "@tolem/core/subscription/RunDecisions"
import { type Subscription, type SubscriptionChange, subscriptionCreated } from "@tolem/core/subscription/Subscription"
import {
  SubscriptionInsertion,
  type SubscriptionQuery,
  SubscriptionStore
} from "@tolem/core/subscription/SubscriptionStore"
import { sandboxOf } from "@tolem/core/time/SandboxClocks"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option, Result } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { changeOf, creationOf, freshId, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

/** A subscription of the shop, due at once, with nothing left out. */
export const subscriptionOf = (members: Partial<Subscription> = {}): Subscription => ({
  id: freshId("sub"),
  organizationId: "org_shop",
  mode: "sandbox",
  connectionId: null,
  status: "active",
  amount: Tiyn(50_000),
  kind: "phone",
  description: "Клуб",
  customer: { name: "Әлия", phone: "77001234567", email: "a@b.kz" },
  metadata: '{"b":1e400,"a":"\\u0000"}',
  interval: "month",
  every: 2,
  dayOfMonth: 15,
  anchorAt: startAt,
  retryHours: [1, 24],
  misfire: "skip",
  nextIndex: 0,
  nextRunAt: startAt,
  lastRunAt: null,
  lastInvoiceId: null,
  runs: 0,
  maxRuns: 5,
  faults: 0,
  fault: null,
  idempotencyKey: null,
  fingerprint: null,
  dueAt: startAt,
  createdAt: startAt,
  updatedAt: startAt,
  sequence: 1,
  version: 1,
  ...members
})

const eventOf = (subscription: Subscription) => subscriptionCreated(subscription, freshId("evt"), "api")

/** A subscription that is stored. */
/** Such a subscription in the storage. */
export const givenSubscription = Effect.fnUntraced(function* (members: Partial<Subscription> = {}) {
  const subscription = subscriptionOf(members)
  yield* SubscriptionStore.use((store) => store.insert(subscription, eventOf(subscription)))
  return subscription
})

const circumstances = () => ({
  now: startAt + 1000,
  eventIds: [freshId("evt"), freshId("evt")] as const,
  source: "schedule" as const
})

const invoiceOf = ({ organizationId, mode }: Subscription, members: Partial<Invoice> = {}) =>
  creationOf({ organizationId, mode, ...members })

/** A run with its invoice. */
export const runOf = (subscription: Subscription, invoice: Partial<Invoice> = {}): SubscriptionChange => {
  const due = RunDecisions.RunPlan.Run({ scheduledAt: startAt, onward: { nextIndex: 1, nextRunAt: startAt + 99_000 } })
  const creation = invoiceOf(subscription, invoice)
  const mail = NewMail.about(
    { ...creation.invoice, customer: subscription.customer },
    "invoice",
    freshId("mai"),
    startAt
  )
  return RunDecisions.runMade(subscription, { creation, mail, due, issueAt: null }, circumstances())
}

const queryOf = (members: Partial<SubscriptionQuery> = {}): SubscriptionQuery => ({
  organizationId: "org_shop",
  mode: "sandbox",
  connectionId: null,
  statuses: [],
  search: null,
  isStuck: false,
  limit: 50,
  offset: 0,
  ...members
})

const failureOf = (result: Result.Result<unknown, { readonly _tag: string }> | undefined) =>
  result !== undefined && Result.isFailure(result) ? result.failure._tag : "none"

/** What every storage must do, of “subscriptions”. */
export const casesOfSubscriptions = storageSubject("subscriptions", {
  *"come back as they were written, every member"() {
    const store = yield* SubscriptionStore
    const full = yield* givenSubscription({
      connectionId: "con_1",
      lastRunAt: 5,
      lastInvoiceId: "inv_9",
      fault: "no_provider"
    })
    expectEqual(yield* store.find(full.id), Option.some(full), "the subscription")
    const { subscription, events, runs } = Option.getOrThrow(yield* store.detail(full.id))
    expectEqual(subscription, full, "again")
    expectEqual(events.length, 1, "with its first event")
    expectEqual(runs, [], "and no run")
    expectEqual(yield* store.detail("sub_none"), Option.none(), "of what does not exist there is nothing")
    expectEqual(yield* store.find("sub_\u0000"), Option.none(), "what cannot be stored is not found")
  },

  *"are made once under one idempotency key, of one organization and mode"() {
    const store = yield* SubscriptionStore
    const first = yield* givenSubscription({ idempotencyKey: "k" })
    const again = subscriptionOf({ idempotencyKey: "k" })
    const replay = yield* store.insert(again, eventOf(again))
    expectEqual(replay, SubscriptionInsertion.Replayed({ subscription: first }), "the earlier one is answered")
    expectEqual(yield* store.find(again.id), Option.none(), "and nothing was written")
    const elsewhere = subscriptionOf({ idempotencyKey: "k", mode: "live" })
    expectEqual((yield* store.insert(elsewhere, eventOf(elsewhere)))._tag, "Created", "another mode has its own keys")
  },

  *"are listed newest first, by what is asked, with the exact total"() {
    const store = yield* SubscriptionStore
    const made = [
      yield* givenSubscription(),
      yield* givenSubscription({ createdAt: startAt + 1, status: "paused", connectionId: "con_1" }),
      yield* givenSubscription({ createdAt: startAt + 2 })
    ]
    yield* givenSubscription({ organizationId: "org_other" })
    yield* givenSubscription({ mode: "live" })
    const idsOf = (query: SubscriptionQuery) =>
      Effect.map(store.list(query), ({ total, subscriptions }) => [total, ...subscriptions.map(({ id }) => id)])
    const [first, second, third] = made.map(({ id }): string => id) as [string, string, string]
    expectEqual(yield* idsOf(queryOf()), [3, third, second, first], "newest first")
    expectEqual(yield* idsOf(queryOf({ limit: 1, offset: 1 })), [3, second], "in pages")
    expectEqual(yield* idsOf(queryOf({ statuses: ["paused"] })), [1, second], "by status")
    expectEqual(yield* idsOf(queryOf({ connectionId: "con_1" })), [1, second], "by cashier")
  },

  *"are changed together with the run, its invoice, their events and the letter"() {
    const store = yield* SubscriptionStore
    const subscription = yield* givenSubscription()
    const change = runOf(subscription)
    const [result] = yield* store.commitMany([change])
    const invoice = change.creation!.invoice
    expectEqual(result, Result.succeed({ subscription: change.next, invoice }), "it answers what it has written")
    expectEqual(yield* store.find(subscription.id), Option.some(change.next), "the subscription")
    const { events, runs } = Option.getOrThrow(yield* store.detail(subscription.id))
    expectEqual(runs, [change.run!], "the run")
    expectEqual(events[1], change.events[0], "the event")
    const invoices = yield* InvoiceStore
    expectEqual(yield* invoices.find(invoice.id), Option.some(invoice), "the invoice")
    expectEqual((yield* invoices.history("org_shop", invoice.id)).events, [change.creation!.event], "with its event")
    const mails = yield* MailStore.use((mail) => mail.list("org_shop", invoice.id))
    expectEqual(mails, [change.mail!], "the letter")
  },

  *"are changed once where two were faster than each other, and nothing of the slower is written"() {
    const store = yield* SubscriptionStore
    const subscription = yield* givenSubscription()
    const [first, second] = [runOf(subscription), runOf(subscription)]
    const results = yield* store.commitMany([first, second])
    expectEqual(results.map(failureOf), ["none", "SubscriptionChanged"], "of one batch the first wins")
    const third = runOf(subscription)
    expectEqual((yield* store.commitMany([third])).map(failureOf), ["SubscriptionChanged"], "and a later one loses")
    const invoices = yield* InvoiceStore
    for (const { creation } of [second, third]) {
      expectEqual(yield* invoices.find(creation!.invoice.id), Option.none(), "their invoices do not exist")
    }
    expectEqual(Option.getOrThrow(yield* store.detail(subscription.id)).runs.length, 1, "there is one run")
  },

  *"are changed once by many committers at once"() {
    const store = yield* SubscriptionStore
    const subscription = yield* givenSubscription()
    const rivals = Array.from({ length: 8 }, () => store.commitMany([runOf(subscription)]))
    const results = yield* Effect.all(rivals, { concurrency: "unbounded" })
    const won = results.flat().filter(Result.isSuccess)
    expectEqual(won.length, 1, "one wins")
    const { total } = yield* InvoiceStore.use((invoices) =>
      invoices.list({ ...queryOf(), statuses: [], externalOrderId: null, search: null, from: null, to: null })
    )
    expectEqual(total, 1, "and makes the only invoice")
  },

  *"make their runs, whatever idempotency keys a merchant has used"() {
    const store = yield* SubscriptionStore
    const subscription = yield* givenSubscription()
    const origin = { kind: "subscription", id: subscription.id, run: 1, attempt: 0 } as const
    const foreign = invoiceOf(subscription, { idempotencyKey: toText(origin), fingerprint: "f" })
    yield* InvoiceStore.use((invoices) => invoices.insertMany([foreign]))
    const change = runOf(subscription, { origin })
    expectEqual((yield* store.commitMany([change])).map(failureOf), ["none"], "the run is made")
    const { id } = change.creation!.invoice
    const found = Option.getOrThrow(yield* InvoiceStore.use((invoices) => invoices.find(id)))
    expectEqual(found.origin, origin, "and its invoice says which it is")
    const merchants = Option.getOrThrow(yield* InvoiceStore.use((invoices) => invoices.find(foreign.invoice.id)))
    expectEqual(merchants.origin, null, "and theirs that it is their own")
  },

  *"have one invoice in each place"() {
    const store = yield* SubscriptionStore
    const [subscription, other] = [yield* givenSubscription(), yield* givenSubscription()]
    const origin = { kind: "subscription", id: subscription.id, run: 1, attempt: 0 } as const
    yield* store.commitMany([runOf(subscription, { origin })])
    const failed = yield* Effect.flip(store.commitMany([runOf(other, { origin })]))
    expectEqual(failed.outcome, "nothing_written", "a second one is refused")
    expectEqual(Option.getOrThrow(yield* store.detail(other.id)).runs, [], "with its run")
  },

  *"are leased when they are due, oldest first, to one claimer"() {
    const store = yield* SubscriptionStore
    const late = yield* givenSubscription({ dueAt: startAt + 10, nextRunAt: startAt + 10 })
    const early = yield* givenSubscription({ dueAt: startAt + 5, nextRunAt: startAt + 5 })
    yield* givenSubscription({ dueAt: null })
    yield* givenSubscription({ dueAt: startAt + 500 })
    const claim = (now: number, limit = 10) =>
      Effect.map(store.claim(now, now + 1000, limit), (claimed) => claimed.map(({ id }) => id))
    expectEqual(yield* claim(startAt + 20, 1), [early.id], "the oldest first")
    const rivals = yield* Effect.all([claim(startAt + 20), claim(startAt + 20)], { concurrency: "unbounded" })
    expectEqual(rivals.flat(), [late.id], "the other to one of two")
    expectEqual(yield* claim(startAt + 30), [], "no other claim gets them before the lease ends")
    expectEqual((yield* claim(startAt + 2000)).length, 3, "and then the next claim does")
    const found = Option.getOrThrow(yield* store.find(early.id))
    expectEqual(found.version, early.version, "a lease is no change")
  },

  *"are leased by sandbox, where one is asked for"() {
    const store = yield* SubscriptionStore
    const own = yield* givenSubscription()
    yield* givenSubscription({ organizationId: "org_other" })
    yield* givenSubscription({ mode: "live" })
    const claimed = yield* store.claim(startAt, startAt + 1000, 10, sandboxOf("org_shop", 10))
    expectEqual(
      claimed.map(({ id }) => id),
      [own.id],
      "only its own"
    )
  },

  *"have runs that fall due when their invoice fails or expires, also while they are looked at"() {
    const store = yield* SubscriptionStore
    const invoices = yield* InvoiceStore
    const subscription = yield* givenSubscription()
    const origin = { kind: "subscription", id: subscription.id, run: 1, attempt: 0 } as const
    const change = runOf(subscription, { origin })
    yield* store.commitMany([change])
    expectEqual(yield* store.claimRuns(startAt + 9e9, startAt + 9e9, 10), [], "an open run is not due")
    yield* invoices.commitMany([changeOf(change.creation!.invoice, InvoiceCommand.Expire())])
    const [due] = yield* store.claimRuns(startAt + 9e9, startAt + 9e9 + 1, 10)
    expectEqual(due?.run.run, 1, "an expired invoice makes it due")
    expectTrue(due?.subscription.id === subscription.id, "with its subscription")
    const ended: Run = { ...change.run!, status: "ended", dueAt: null }
    const stale = RunDecisions.runChanged(change.next, { next: ended, told: [] }, circumstances())
    expectEqual((yield* store.commitMany([stale])).map(failureOf), ["SubscriptionChanged"], "who saw it before, lost")
  }
})
