/** Promises about tariffs: what is counted, who pays for what, and who earns by it. */
import type { AuditFact, AuditRecord } from "@tolem/core/audit/Audit"
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { BillStore } from "@tolem/core/billing/BillStore"
import { Integrity } from "@tolem/core/engine/Integrity"
import { type Invoice, InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { type Creation, InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { sandboxQuota } from "@tolem/core/tariff/Tariff"
import { type Earning, invoiceKeyOf, type TariffOrder, TariffStore } from "@tolem/core/tariff/TariffStore"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf, changeOf, creationOf, freshId, organizationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"

/** A record of the audit log. */
export const auditOf = (deed: Partial<AuditFact & Pick<AuditRecord, "actor" | "createdAt">> = {}): AuditRecord => ({
  id: freshId("aud"),
  action: "tariff.granted",
  organizationId: "org_shop",
  subject: "org_shop",
  detail: null,
  actor: { kind: "operator", id: "root", origin: "127.0.0.1" },
  createdAt: startAt,
  ...deed
})

const dayMs = 24 * 3_600_000
const live = { mode: "live", connectionId: "con_1" } as const
const quota = { monthlyLimit: 5, dailyLimit: 3 }

const limited = (members: Parameters<typeof creationOf>[0] = {}) => ({ ...creationOf({ ...live, ...members }), quota })

const outcomes = Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
  const insertions = yield* InvoiceStore.use((store) => store.insertMany(creations))
  return insertions.map((one) => (one._tag === "OverQuota" ? one.code : one._tag))
})

const usage = (at = startAt, organizationId = "org_shop") => TariffStore.use((store) => store.usage(organizationId, at))

const given = Effect.gen(function* () {
  const owner = accountOf()
  const organization = organizationOf(owner, { tariff: "trial", tariffUntil: startAt })
  yield* MerchantStore.use((store) => store.addOrganization(organization, owner))
  return organization
})

/** An order of a tariff, made just now. */
export const tariffOrderOf = (organizationId: OrganizationId, members: Partial<TariffOrder> = {}): TariffOrder => ({
  id: freshId("trf"),
  organizationId,
  tariff: "start",
  months: 1,
  amount: Tiyn(500_000),
  sellerId: "org_operator",
  sellerMode: "live",
  createdAt: startAt,
  ...members
})

const ordering = { action: "tariff.ordered", organizationId: "org_orders" } as const
/** The record of an order. */
export const orderedBy = ({ id }: Pick<TariffOrder, "id">) => auditOf({ ...ordering, subject: id })

/** The order, stored, and paid where asked. */
export const ordered = Effect.fnUntraced(function* (order: TariffOrder, paid: boolean, amount = order.amount) {
  const [tariffs, invoices] = [yield* TariffStore, yield* InvoiceStore]
  const newest = Option.getOrNull(yield* tariffs.newestOrder(order.organizationId, order.tariff))
  expectEqual(yield* tariffs.addOrder(order, newest?.id ?? null, orderedBy(order)), true, "an order")
  const creation = creationOf({ ...live, organizationId: order.sellerId, amount, idempotencyKey: invoiceKeyOf(order) })
  yield* invoices.insertMany([creation])
  if (paid) yield* invoices.commitMany([changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))])
  return order
})

/** An earning of an order. */
export const earningOf = (order: TariffOrder, members: Partial<Earning> = {}): Earning => ({
  id: freshId("ern"),
  accountId: "acc_referrer",
  organizationId: order.organizationId,
  orderId: order.id,
  amount: Tiyn(100_000),
  state: "accrued",
  createdAt: startAt,
  paidOutAt: null,
  ...members
})

/** What every storage must do, of “tariffs”. */
export const casesOfTariffs = storageSubject("tariffs", {
  *"count live invoices by Almaty day and month, and none of the sandbox"() {
    const store = yield* InvoiceStore
    // 19:00 UTC is midnight in Almaty.
    const lateInMonth = startAt + 30 * dayMs + 18.5 * 3_600_000
    const nextMonth = startAt + 30 * dayMs + 19 * 3_600_000
    yield* store.insertMany([creationOf(live), creationOf(), creationOf({ ...live, createdAt: lateInMonth })])
    yield* store.insertMany([
      creationOf({ ...live, createdAt: nextMonth }),
      creationOf({ ...live, createdAt: nextMonth })
    ])
    expectEqual(yield* usage(), { month: 2, day: 1 }, "of the first day")
    expectEqual(yield* usage(lateInMonth), { month: 2, day: 1 }, "of the last")
    expectEqual(yield* usage(nextMonth), { month: 2, day: 2 }, "of the next month")
    expectEqual(yield* usage(startAt, "org_other"), { month: 0, day: 0 }, "of another organization")
  },

  *"refuse what is over the day's limit, then over the month's"() {
    expectEqual(
      yield* outcomes([limited(), limited(), limited(), limited()]),
      ["Created", "Created", "Created", "tariff_daily_burst"],
      "in one batch"
    )
    expectEqual(yield* outcomes([limited()]), ["tariff_daily_burst"], "and in the next")
    const tomorrow = { createdAt: startAt + dayMs }
    expectEqual(
      yield* outcomes([limited(tomorrow), limited(tomorrow), limited(tomorrow)]),
      ["Created", "Created", "tariff_limit_reached"],
      "the month's comes first"
    )
    expectEqual(yield* usage(startAt + dayMs), { month: 5, day: 2 }, "nothing refused is counted")
    expectEqual(yield* outcomes([limited({ organizationId: "org_other" })]), ["Created"], "others have their own")
  },

  *"neither count nor refuse a replay"() {
    const keyed = () => limited({ idempotencyKey: "key" })
    expectEqual(
      yield* outcomes([keyed(), keyed(), limited(), limited()]),
      ["Created", "Replayed", "Created", "Created"],
      ""
    )
    expectEqual(yield* outcomes([limited(), keyed()]), ["tariff_daily_burst", "Replayed"], "with the quota used up")
    expectEqual(yield* usage(), { month: 3, day: 3 }, "three were written")
  },

  *"are exact for many callers at once"() {
    const wide = { monthlyLimit: 100, dailyLimit: 17 }
    const answers = yield* Effect.forEach(
      Array.from({ length: 20 }, () => [limited(), limited()].map((one) => ({ ...one, quota: wide }))),
      outcomes,
      { concurrency: "unbounded" }
    )
    const created = answers.flat().filter((outcome) => outcome === "Created")
    expectEqual(created.length, 17, "not one more, not one less")
    expectEqual(yield* usage(), { month: 17, day: 17 }, "as many as were written")
  },

  *"limit a sandbox by the real day, where it is limited, exactly and for many callers at once"() {
    const quota = sandboxQuota(7, startAt)
    const inSandbox = (members: Partial<Invoice> = {}) => ({ ...creationOf(members), quota })
    const once = inSandbox({ idempotencyKey: "once" })
    expectEqual(yield* outcomes([once]), ["Created"], "the first")
    const answers = yield* Effect.forEach(
      Array.from({ length: 10 }, () => [inSandbox(), inSandbox(), creationOf({ organizationId: "org_other" })]),
      outcomes,
      { concurrency: "unbounded" }
    )
    const count = (outcome: string) => answers.flat().filter((one) => one === outcome).length
    expectEqual([count("Created"), count("sandbox_limit")], [16, 14], "not one more, not one less")
    expectEqual(
      yield* outcomes([inSandbox({ createdAt: startAt + 9 * dayMs })]),
      ["sandbox_limit"],
      "a sandbox that is ahead of time has no further day"
    )
    expectEqual(yield* outcomes([inSandbox({ idempotencyKey: "once" })]), ["Replayed"], "a replay is not refused")
    const tomorrow = { ...creationOf(), quota: sandboxQuota(7, startAt + dayMs) }
    expectEqual(
      yield* outcomes([tomorrow, limited({ providerReference: "P-1" })]),
      ["Created", "Created"],
      "the next day, and live"
    )
    expectEqual(yield* usage(), { month: 1, day: 1 }, "of the tariff nothing was used")
    expectEqual(yield* Integrity.use(({ findings }) => findings), [], "and everything agrees")
  },

  *"change where they are what was read"() {
    const store = yield* TariffStore
    const before = yield* given
    const after = { tariff: "start", tariffUntil: startAt + dayMs }
    expectEqual(yield* store.setTerm(before.id, before, after, auditOf()), true, "once")
    expectEqual(yield* store.setTerm(before.id, before, after, auditOf()), false, "not from what is gone")
    expectEqual(yield* store.setTerm(before.id, after, { ...after, tariffUntil: null }, auditOf()), true, "without end")
    const stored = Option.getOrThrow(yield* MerchantStore.use((merchants) => merchants.organization(before.id)))
    expectEqual(stored, { ...before, tariff: "start", tariffUntil: null }, "as it was written")
    const audited = yield* AuditStore.use((audit) => audit.list({ organizationId: "org_shop", before: null, limit: 9 }))
    expectEqual(audited.length, 2, "a record of each that was written")
  },

  *"are ordered once by callers who saw the same"() {
    const store = yield* TariffStore
    const { id } = yield* given
    const newest = Effect.map(store.newestOrder(id, "start"), Option.getOrNull)
    const atOnce = (after: string | null, createdAt: number) =>
      Effect.forEach(
        Array.from({ length: 5 }, () => tariffOrderOf(id, { sellerId: id, createdAt })),
        (order) => Effect.map(store.addOrder(order, after, orderedBy(order)), (isAdded) => (isAdded ? [order] : [])),
        { concurrency: "unbounded" }
      ).pipe(Effect.map((added) => added.flat()))
    expectEqual(yield* newest, null, "at first there is none")
    const [first, ...others] = yield* atOnce(null, startAt)
    expectEqual(others, [], "one of five")
    expectEqual(yield* newest, first ?? null, "which is the newest")
    expectEqual(
      yield* store.addOrder(tariffOrderOf(id, { sellerId: id, createdAt: startAt + 1 }), null, auditOf(ordering)),
      false,
      "not behind none"
    )
    const [second, ...rivals] = yield* atOnce(first?.id ?? null, startAt + 1)
    expectEqual([yield* newest, rivals], [second ?? null, []], "one behind the first")
    expectEqual(
      yield* store.addOrder(tariffOrderOf(id, { sellerId: id, tariff: "scale" }), null, auditOf(ordering)),
      true,
      "others are apart"
    )
    expectEqual(Option.isNone(yield* store.newestOrder("org_other", "start")), true, "as organizations are")
    expectEqual(yield* newest, second ?? null, "and change nothing")
    const query = { organizationId: "org_orders", before: null, limit: 99 }
    const audited = yield* AuditStore.use((audit) => audit.list(query))
    expectEqual(audited.length, 3, "a record of each that was added, and of no other")
    expectEqual(yield* Integrity.use(({ findings }) => findings), [], "and everything agrees")
  },

  *"are due when their invoice is paid in full"() {
    const store = yield* TariffStore
    const paid = yield* ordered(tariffOrderOf("org_shop"), true)
    yield* ordered(tariffOrderOf("org_shop"), false)
    yield* ordered(tariffOrderOf("org_shop"), true, Tiyn(100))
    yield* ordered(tariffOrderOf("org_shop", { createdAt: startAt - dayMs }), true)
    expectEqual(yield* store.paidOrders(startAt, 10), [paid], "neither unpaid, nor paid in part, nor forgotten")
  },

  *"take effect once, with the referrer's share"() {
    const store = yield* TariffStore
    const before = yield* given
    const order = yield* ordered(tariffOrderOf(before.id), true)
    const after = { tariff: "start", tariffUntil: startAt + dayMs }
    const fulfilments = Array.from({ length: 5 }, () => ({
      order,
      before,
      after,
      earning: earningOf(order),
      now: startAt,
      audit: auditOf()
    }))
    const stale = { ...fulfilments[0]!, before: { tariff: "start", tariffUntil: null } }
    expectEqual(yield* store.fulfil(stale), false, "not where the tariff is another one")
    expectEqual(yield* store.paidOrders(startAt, 10), [order], "and the order is still due")
    const done = yield* Effect.forEach(fulfilments, store.fulfil, { concurrency: "unbounded" })
    expectEqual(done.filter(Boolean).length, 1, "one of many at once")
    expectEqual(yield* store.paidOrders(startAt, 10), [], "and it is not due any more")
    expectEqual(
      (yield* BillStore.use((bills) => bills.list(before.id, null, 9))).map(({ appliedAt }) => appliedAt),
      [startAt],
      "which its bill says"
    )
    const earned = yield* store.earnings("acc_referrer", 10)
    expectEqual(
      earned.map(({ orderId, amount, state }) => `${orderId} ${amount} ${state}`),
      [`${order.id} 100000 accrued`],
      "of one payment"
    )
    expectEqual(yield* store.earnings("acc_other", 10), [], "others earn nothing")
  },

  *"have shares that are paid out once"() {
    const store = yield* TariffStore
    const before = yield* given
    const order = yield* ordered(tariffOrderOf(before.id), true)
    const earning = earningOf(order)
    yield* store.fulfil({ order, before, after: before, earning, now: startAt, audit: auditOf() })
    const payOuts = yield* Effect.forEach(
      [1, 2, 3],
      (n) => store.payOut(earning.id, startAt + n, auditOf({ action: "earning.paid_out" })),
      { concurrency: "unbounded" }
    )
    expectEqual(payOuts.filter(Option.isSome).length, 1, "one of many")
    const [stored] = yield* store.earnings(null, 10)
    expectEqual(stored!.state, "paid_out", "and it shows")
    const audited = yield* AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 9 }))
    expectEqual(audited.filter(({ action }) => action === "earning.paid_out").length, 1, "in the log as well")
  }
})
