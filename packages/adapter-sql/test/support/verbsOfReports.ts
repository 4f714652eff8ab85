/** Verbs of reports, called with fixed values. */
import { AttentionStore, type StoredKind } from "@tolem/core/attention/AttentionStore"
import { ChangeStore } from "@tolem/core/attention/ChangeStore"
import { newStatementLetter } from "@tolem/core/cabinet/letter/StatementLetter"
import { StatementLetterStore } from "@tolem/core/cabinet/letter/StatementLetterStore"
import { type ListFilter, ReportStore } from "@tolem/core/cabinet/ReportStore"
import { RefundListStore } from "@tolem/core/cabinet/refund/RefundListStore"
import { MovementStore } from "@tolem/core/cabinet/statement/MovementStore"
import { filterOf, startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

const shop = { organizationId: "org_shop", mode: "live" as const }

const all = filterOf(shop)

const some: ListFilter = {
  ...all,
  connectionId: "con_1",
  among: ["con_1", "con_2"],
  statuses: ["paid"],
  kind: "qr",
  source: "request",
  minAmount: 100,
  maxAmount: 200,
  externalOrderId: "order",
  search: "tea",
  from: startAt,
  to: startAt + 1
}

const look = { after: null, rows: 100 }

const days = { ...shop, connectionId: null, from: "2026-01-01", to: "2026-01-07" }

const time = { ...shop, connectionId: null, from: startAt, to: startAt + 1 }

const letter = newStatementLetter({ organizationId: "org_shop", accountId: "acc_owner" }, startAt)

export const statementLetters = Effect.map(StatementLetterStore, (store) => ({
  "choose statement letters": store.add(letter, auditOf()),
  "find statement letters": store.find(letter.organizationId, letter.accountId),
  "claim of statement letters of a tenant": store.claim(startAt - 1, startAt, 5, { tenants: [shop], each: 2 }),
  "waiting for statement letters": store.waiting(startAt, ""),
  "claim of statement letters": store.claim(startAt, startAt + 1, 5),
  "replace statement letters": store.replace({ ...letter, version: 2 }),
  "end statement letters": store.remove(letter.organizationId, letter.accountId, auditOf())
}))

export const movements = Effect.map(MovementStore, (store) => ({
  "sums of movements": store.sums(time),
  "sums of a till's movements": store.sums({ ...time, connectionId: "con_1", among: ["con_1", "con_2"] }),
  "page of movements": store.page(time, null, 50),
  "page of movements behind a place": store.page(time, { at: startAt, id: "inv_1" }, 50),
  "first and last payment": store.edges(time)
}))

const refundQuery = { ...shop, connectionId: null, statuses: [], from: null, to: null }

export const refundLists = Effect.map(RefundListStore, (store) => ({
  "page of refunds": store.page(refundQuery, { after: null, rows: 1000 }, 50),
  "page of unknown refunds": store.page({ ...refundQuery, statuses: ["unknown"] }, { after: null, rows: 1000 }, 50),
  "page of some refunds behind a place": store.page(
    { ...refundQuery, connectionId: "con_1", statuses: ["failed", "pending"], from: startAt, to: startAt + 1 },
    { after: { createdAt: startAt, id: "ref_1" }, rows: 1000 },
    50
  ),
  "sums of refunds": store.sums({ ...refundQuery, among: ["con_1", "con_2"] }, 1000)
}))

export const reports = Effect.map(ReportStore, (store) => ({
  "days of a link": store.linkDays({ organizationId: "org_shop", linkId: "lnk_1", from: startAt }, 1000),
  "page of invoices": store.page(all, look, { limit: 50, offset: 10 }),
  "page of invoices behind a place": store.page(
    all,
    { ...look, after: { createdAt: startAt, id: "inv_1" } },
    { limit: 50, offset: 10 }
  ),
  "page of some invoices": store.page(some, look, { limit: 50, offset: 10 }),
  "sums of days": store.sums({ ...all, statuses: ["paid"] }, look),
  "sums of rows": store.sums({ ...all, minAmount: 100 }, look),
  "sums of some invoices": store.sums(some, look),
  "sums of an order": store.sums({ ...all, externalOrderId: "order" }, look),
  "sums of a kind": store.sums({ ...all, kind: "qr" }, look),
  "count of rows": store.count({ ...all, minAmount: 100 }, { rows: 100, count: 10 }),
  "days of reports": store.days(days),
  "sources of reports": store.sources(days, 100),
  "deliveries of an invoice": store.deliveriesOf({ organizationId: "org_shop", invoiceId: "inv_1" }, 10),
  "deliveries of a time": store.deliveriesIn(shop, {
    endpointId: "whe_1",
    isFailedOnly: true,
    from: startAt,
    to: startAt + 1,
    after: { createdAt: startAt, id: "dlv_1" },
    limit: 10
  }),
  "all deliveries of a time": store.deliveriesIn(
    { ...shop, mode: "sandbox" },
    { endpointId: "whe_1", isFailedOnly: false, from: startAt, to: startAt + 1, after: null, limit: 10 }
  )
}))

const kinds: ReadonlyArray<StoredKind> = [
  "cashier_session_lost",
  "endpoint_paused",
  "refund_unknown",
  "subscription_stuck",
  "late_money",
  "delivery_given_up"
]

const wanted = { ...shop, now: startAt, from: startAt, limit: 101 }

export const concerns = Effect.map(AttentionStore, (store) =>
  Object.fromEntries([
    ...kinds.map((kind) => [`concerns ${kind}`, store.concerns(kind, wanted)] as const),
    ...kinds.map(
      (kind) =>
        [`own concerns ${kind}`, store.concerns(kind, { ...wanted, mode: "sandbox", among: ["con_1"] })] as const
    )
  ])
)

export const listeners = Effect.map(ChangeStore, (store) => ({
  "standing of sessions": store.standing([{ sessionId: "ses_1", organizationId: "org_shop" }], startAt),
  "things of organizations": store.things(["org_shop"])
}))
