/** Verbs of tariffs, of their bills and of partners, called with fixed values. */
import { BillStore } from "@tolem/core/billing/BillStore"
import { PartnerStore } from "@tolem/core/partner/PartnerStore"
import { type PayoutDraft, PayoutStore } from "@tolem/core/tariff/PayoutStore"
import { type Earning, type TariffOrder, TariffStore } from "@tolem/core/tariff/TariffStore"
import { Tiyn } from "@tolem/core/value/Money"
import { accountOf, organizationOf, startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

const organization = organizationOf(accountOf({ id: "acc_1", phone: "77001234567" }), { id: "org_shop" })
const months = { tariff: "start", tariffUntil: startAt + 1000 }
const order: TariffOrder = {
  id: "trf_1",
  organizationId: "org_shop",
  tariff: "start",
  months: 1,
  amount: Tiyn(500_000),
  sellerId: "org_operator",
  sellerMode: "live",
  createdAt: startAt
}
const earning: Earning = {
  id: "ern_1",
  accountId: "acc_9",
  organizationId: "org_shop",
  orderId: "trf_1",
  amount: Tiyn(100_000),
  state: "accrued",
  createdAt: startAt,
  paidOutAt: null
}
export const tariffs = Effect.map(Effect.all([TariffStore, BillStore]), ([store, bills]) => ({
  usage: store.usage("org_shop", startAt),
  standing: store.standing("org_shop", startAt),
  setTerm: store.setTerm("org_shop", organization, months, auditOf()),
  newestOrder: store.newestOrder("org_shop", "start"),
  addOrder: store.addOrder(order, null, auditOf({ action: "tariff.ordered" })),
  paidOrders: store.paidOrders(startAt, 10),
  fulfil: store.fulfil({ order, before: months, after: months, earning, now: startAt, audit: auditOf() }),
  earnings: store.earnings("acc_9", 10),
  payOut: store.payOut("ern_1", startAt, auditOf()),
  "list of bills": bills.list("org_shop", null, 51),
  "list of bills behind a place": bills.list("org_shop", order, 51)
}))

export const partners = Effect.map(PartnerStore, (store) => ({
  clients: store.clients("org_partner", "2026-01", { limit: 10, offset: 0 }),
  client: store.client("org_shop", "2026-01"),
  earned: store.earned("acc_9", null),
  "earned of a partner": store.earned("acc_9", "org_p")
}))

const other: TariffOrder = { ...order, id: "trf_2" }
const owed: Earning = { ...earning, id: "ern_2", orderId: other.id }
const payout: PayoutDraft = {
  id: "pay_1",
  accountId: owed.accountId,
  amount: owed.amount,
  upTo: owed.id,
  note: "Kaspi",
  paidAt: startAt
}

export const payouts = Effect.map(Effect.all([TariffStore, PayoutStore]), ([tariffs, store]) => ({
  "order of a payout": tariffs.addOrder(other, order.id, auditOf({ action: "tariff.ordered" })),
  "earning of a payout": tariffs.fulfil({
    order: other,
    before: months,
    after: months,
    earning: owed,
    now: startAt,
    audit: auditOf()
  }),
  earners: store.earners("acc_1", 10),
  earner: store.earner("acc_9", 10),
  "pay a referrer": store.pay(payout, 10, auditOf()),
  "pay a referrer again": store.pay({ ...payout, id: "pay_2" }, 10, auditOf())
}))
