/** The part of the population that comes about by itself: runs of a subscription, and tariffs that were paid. */
import { defaults } from "@tolem/core/engine/Settings"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MailStore } from "@tolem/core/mail/MailStore"
import * as NewMail from "@tolem/core/mail/NewMail"
import * as RunDecisions from "@tolem/core/subscription/RunDecisions"
import { type Subscription, subscriptionCreated } from "@tolem/core/subscription/Subscription"
import { SubscriptionStore } from "@tolem/core/subscription/SubscriptionStore"
import { PayoutStore } from "@tolem/core/tariff/PayoutStore"
import { TariffStore } from "@tolem/core/tariff/TariffStore"
import { Tiyn } from "@tolem/core/value/Money"
import { changeOf, creationOf, startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Result } from "effect"

/** One that begins now. */
export const subscription: Subscription = {
  id: "sub_00000000000000000000000001",
  organizationId: "org_shop",
  mode: "sandbox",
  connectionId: null,
  status: "active",
  amount: Tiyn(50_000),
  kind: "qr",
  description: "Box",
  customer: { name: "Aliya", phone: "77001234567", email: "a@b.kz" },
  metadata: "{}",
  interval: "month",
  every: 1,
  dayOfMonth: 1,
  anchorAt: startAt,
  retryHours: [1],
  misfire: "run_once",
  nextIndex: 0,
  nextRunAt: startAt,
  lastRunAt: null,
  lastInvoiceId: null,
  runs: 0,
  maxRuns: 12,
  faults: 0,
  fault: null,
  idempotencyKey: "sub-key",
  fingerprint: "f".repeat(64),
  dueAt: startAt,
  createdAt: startAt,
  updatedAt: startAt,
  sequence: 1,
  version: 1
}

/** A subscription of two runs, one of them told of by a letter. */
export const subscriptions = Effect.gen(function* () {
  const [store, mails] = [yield* SubscriptionStore, yield* MailStore]
  yield* store.insert(subscription, subscriptionCreated(subscription, "evt_sub_1", "api"))
  const { customer } = subscription
  let current = subscription
  for (const run of [1, 2]) {
    const due = RunDecisions.plan(current, current.nextRunAt, defaults)
    if (due._tag !== "Run") throw new Error("nothing is due")
    const now = current.nextRunAt
    const creation = creationOf({
      id: `inv_run${run}`,
      customer,
      createdAt: now,
      updatedAt: now,
      idempotencyKey: `subscription/${subscription.id}/${run}/0`,
      expiresAt: now + 180_000,
      dueAt: now + 180_000
    })
    const mail = NewMail.about(creation.invoice, "invoice", `mai_${run}`, now)
    const eventIds = [`evt_sub_${run}a`, `evt_sub_${run}b`] as const
    const made = { creation, mail, due, issueAt: null }
    const [result] = yield* store.commitMany([
      RunDecisions.runMade(current, made, { now, eventIds, source: "schedule" })
    ])
    current = Result.getOrThrow(result!).subscription
    if (run === 1) {
      yield* mails.begin(mail!, now, 10)
      yield* mails.settle({ ...mail!, status: "sent", dueAt: null, completedAt: now + 1 })
    }
  }
})

/** Four orders: three are in force, with earnings of which one was paid out by itself, and one with a payout. */
export const tariffs = Effect.gen(function* () {
  const [store, invoices] = [yield* TariffStore, yield* InvoiceStore]
  const term = { tariff: "trial", tariffUntil: startAt + 1000 }
  const after = { tariff: "start", tariffUntil: startAt + 30 * 86_400_000 }
  for (const number of [1, 2, 3, 4]) {
    const id = `trf_${number}`
    const amount = Tiyn(500_000)
    const order = { id, organizationId: "org_shop", tariff: "start", months: 1, amount, createdAt: startAt }
    const sold = { ...order, sellerId: "org_operator", sellerMode: "sandbox" as const }
    const ordered = auditOf({ action: "tariff.ordered", subject: id })
    const isAdded = yield* store.addOrder(sold, number === 1 ? null : `trf_${number - 1}`, ordered)
    if (!isAdded) return yield* Effect.die(`${id} was not added`)
    const metadata = JSON.stringify({ tariffOrderId: id, organizationId: "org_shop", tariff: "start" })
    const creation = creationOf({ organizationId: "org_operator", amount, metadata, idempotencyKey: `tariff/${id}` })
    yield* invoices.insertMany([creation])
    if (number === 3) continue
    yield* invoices.commitMany([changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt + 500 }))])
    // The last is the oldest, so that it is paid out alone.
    const now = startAt + 3000 + (number % 4)
    const earning = {
      id: `ern_${number}`,
      accountId: "acc_referrer",
      organizationId: "org_shop",
      orderId: id,
      amount: Tiyn(100_000),
      state: "accrued" as const,
      createdAt: now,
      paidOutAt: null
    }
    const detail = JSON.stringify({ ...after, earning: earning.id, earned: earning.amount })
    const audit = auditOf({ action: "tariff.paid", subject: id, detail })
    yield* store.fulfil({ order: sold, before: number === 1 ? term : after, after, earning, now, audit })
  }
  const paidOut = auditOf({ action: "earning.paid_out", organizationId: null, subject: "ern_2" })
  yield* store.payOut("ern_2", startAt + 9000, paidOut)
  const payout = { id: "pay_1", accountId: "acc_referrer", amount: Tiyn(100_000), upTo: "ern_4" } as const
  const detail = JSON.stringify({ accountId: payout.accountId, amount: payout.amount })
  const audit = auditOf({ action: "earning.paid_out", organizationId: null, subject: payout.id, detail })
  yield* (yield* PayoutStore).pay({ ...payout, note: "Kaspi 17", paidAt: startAt + 9500 }, 9, audit)
})
