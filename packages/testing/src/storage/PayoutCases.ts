/** Promises about payouts of referrers: once, in whole earnings, and never more than what is to be paid. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { Integrity } from "@tolem/core/engine/Integrity"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { type PayoutDraft, PayoutStore } from "@tolem/core/tariff/PayoutStore"
import { type Earning, TariffStore } from "@tolem/core/tariff/TariffStore"
import type { AccountId } from "@tolem/core/value/Ids"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Option } from "effect"
import { expectEqual } from "../Expectation.ts"
import { accountOf, freshId, organizationOf, startAt } from "../fixtures.ts"
import { storageSubject } from "./StorageCase.ts"
import { auditOf, earningOf, ordered, tariffOrderOf } from "./TariffCases.ts"

const seller = Effect.gen(function* () {
  const operator = accountOf({ id: "acc_operator" })
  yield* MerchantStore.use((store) => store.addOrganization(organizationOf(operator, { id: "org_operator" }), operator))
})

/** A person who has earned by a shop of theirs: an earning for each amount, oldest first. */
const earner = Effect.fnUntraced(function* (accountId: AccountId, amounts: ReadonlyArray<number>) {
  const store = yield* TariffStore
  const account = yield* DirectoryStore.use((directory) => directory.addAccount(accountOf({ id: accountId })))
  const owner = accountOf()
  const shop = organizationOf(owner, { id: freshId("org"), name: "Shop", referredBy: account.id, tariff: "start" })
  yield* MerchantStore.use((merchants) => merchants.addOrganization(shop, owner))
  const earnings: Array<Earning> = []
  for (const [index, amount] of amounts.entries()) {
    const order = yield* ordered(tariffOrderOf(shop.id, { createdAt: startAt + index }), true)
    const now = startAt + 100 + index
    const earning = earningOf(order, { accountId: account.id, amount: Tiyn(amount), createdAt: now })
    const term = { tariff: shop.tariff, tariffUntil: shop.tariffUntil }
    const told = { ...term, earning: earning.id, earned: amount }
    const audit = auditOf({
      action: "tariff.paid",
      organizationId: shop.id,
      subject: order.id,
      detail: JSON.stringify(told)
    })
    yield* store.fulfil({ order, before: term, after: term, earning, now, audit })
    earnings.push(earning)
  }
  return earnings
})

const payoutOf = (accountId: AccountId, upTo: Earning, members: Partial<PayoutDraft> = {}): PayoutDraft => ({
  id: freshId("pay"),
  accountId,
  amount: Tiyn(100),
  upTo: upTo.id,
  note: "Kaspi 17",
  paidAt: startAt + 500,
  ...members
})

const pay = (draft: PayoutDraft, limit = 9) => {
  const detail = JSON.stringify({ accountId: draft.accountId, amount: draft.amount })
  const audit = auditOf({ action: "earning.paid_out", organizationId: null, subject: draft.id, detail })
  return Effect.map(
    PayoutStore.use((store) => store.pay(draft, limit, audit)),
    Option.getOrNull
  )
}

const sumsOf = (accountId: AccountId) =>
  Effect.map(
    PayoutStore.use((store) => store.earner(accountId, 9)),
    Option.match({
      onNone: () => null,
      onSome: ({ earner: { accrued, accruedCount, paidOut } }) => `${accrued} in ${accruedCount}, ${paidOut}`
    })
  )

const noted = Effect.map(
  AuditStore.use((audit) => audit.list({ organizationId: null, before: null, limit: 99 })),
  (records) => records.filter(({ action }) => action === "earning.paid_out").length
)

// The invoices of these orders were paid without a provider.
const findings = Effect.map(
  Integrity.use((integrity) => integrity.findings),
  (all) => all.filter(({ rule }) => rule !== "payments_are_facts")
)

/** What every storage must do, of “payouts”. */
export const casesOfPayouts = storageSubject("payouts", {
  *"pay the oldest up to one, once, also to many at once, with one record"() {
    yield* seller
    const [first, second, third] = yield* earner("acc_1", [100, 20, 3])
    const draft = payoutOf("acc_1", second!, { amount: Tiyn(120) })
    const paid = yield* Effect.all(
      [draft, { ...draft, id: freshId("pay") }, { ...draft, id: freshId("pay") }].map((each) => pay(each)),
      { concurrency: "unbounded" }
    )
    expectEqual(new Set(paid.map((payout) => payout?.id)).size, 1, "all are told of one")
    expectEqual(paid[0]?.earningCount, 2, "of two earnings")
    expectEqual(yield* noted, 1, "with one record")
    expectEqual(yield* sumsOf("acc_1"), "3 in 1, 120", "and the sums follow")
    const details = Option.getOrThrow(yield* PayoutStore.use((store) => store.earner("acc_1", 9)))
    expectEqual(
      details.accrued.map(({ id, organizationName }) => `${id} ${organizationName}`),
      [`${third!.id} Shop`],
      "what is left"
    )
    expectEqual(details.payouts, [{ ...draft, id: paid[0]!.id, earningCount: 2 }], "what was paid")
    const stored = yield* TariffStore.use((store) => store.earnings("acc_1", 9))
    expectEqual(
      stored.map(({ id, paidOutAt }) => [id, paidOutAt]),
      [
        [third!.id, null],
        [second!.id, draft.paidAt],
        [first!.id, draft.paidAt]
      ],
      "by itself"
    )
    expectEqual(yield* findings, [], "and everything agrees")
  },

  *"are refused if the sum, the person or the place is another, and nothing is written"() {
    yield* seller
    const [first, second] = yield* earner("acc_1", [100, 20])
    const [other] = yield* earner("acc_2", [7])
    expectEqual(yield* pay(payoutOf("acc_1", first!, { amount: Tiyn(101) })), null, "more")
    expectEqual(yield* pay(payoutOf("acc_1", first!, { amount: Tiyn(99) })), null, "less")
    expectEqual(yield* pay(payoutOf("acc_1", other!, { amount: Tiyn(7) })), null, "another's earning")
    expectEqual(yield* pay(payoutOf("acc_1", second!, { amount: Tiyn(120) }), 1), null, "beyond what is paid at once")
    expectEqual(yield* sumsOf("acc_1"), "120 in 2, 0", "all is to be paid")
    expectEqual(yield* noted, 0, "and there is no record")
    const draft = payoutOf("acc_1", first!)
    expectEqual((yield* pay(draft))?.id, draft.id, "as it was seen")
    expectEqual(yield* pay({ ...draft, amount: Tiyn(120) }), null, "again with another sum")
    expectEqual(yield* pay({ ...draft, note: "Cash" }), null, "again with another note")
    expectEqual(yield* pay({ ...draft, accountId: "acc_2" }), null, "again for another person")
    expectEqual(yield* sumsOf("acc_1"), "20 in 1, 100", "nothing more was paid")
    expectEqual(yield* findings, [], "and everything agrees")
  },

  *"leave out what was paid out by itself"() {
    yield* seller
    const [first, second] = yield* earner("acc_1", [100, 20])
    yield* TariffStore.use((store) =>
      store.payOut(first!.id, startAt + 1, auditOf({ action: "earning.paid_out", subject: first!.id }))
    )
    expectEqual(yield* pay(payoutOf("acc_1", second!, { amount: Tiyn(120) })), null, "it is paid already")
    expectEqual((yield* pay(payoutOf("acc_1", second!, { amount: Tiyn(20) })))?.earningCount, 1, "the rest")
    expectEqual(yield* sumsOf("acc_1"), "0 in 0, 120", "all is paid")
  },

  *"are listed by person, for those who have something to be paid"() {
    yield* seller
    yield* earner("acc_1", [100, 20])
    yield* earner("acc_2", [])
    const [last] = yield* earner("acc_3", [7])
    yield* earner("acc_4", [9])
    const listed = (after: AccountId | null, limit: number) =>
      Effect.map(
        PayoutStore.use((store) => store.earners(after, limit)),
        (earners) => earners.map(({ account, accrued, paidOut }) => `${account.id} ${accrued} ${paidOut}`)
      )
    expectEqual(yield* listed(null, 2), ["acc_1 120 0", "acc_3 7 0"], "a page")
    expectEqual(yield* listed("acc_3", 2), ["acc_4 9 0"], "and the next")
    yield* pay(payoutOf("acc_3", last!, { amount: Tiyn(7) }))
    expectEqual(yield* listed(null, 9), ["acc_1 120 0", "acc_4 9 0"], "paid ones are gone")
    expectEqual(yield* sumsOf("acc_3"), "0 in 0, 7", "and are found")
    expectEqual(yield* sumsOf("acc_2"), "0 in 0, 0", "as are those who have earned nothing")
    expectEqual(yield* sumsOf("acc_none"), null, "but there is no such account")
  }
})
