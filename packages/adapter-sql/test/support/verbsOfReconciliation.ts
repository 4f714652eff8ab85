/** The verbs of reconciliation, called with fixed values. */
import { compared, newReconciliation } from "@tolem/core/reconciliation/Reconciliation"
import { ReconciliationStore } from "@tolem/core/reconciliation/ReconciliationStore"
import { type Difference, newWorkItem, resolved } from "@tolem/core/reconciliation/WorkItem"
import { Tiyn } from "@tolem/core/value/Money"
import { startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect } from "effect"

const of = { organizationId: "org_shop", connectionId: "con_1", day: "2026-01-01" }
const side = { payments: 1, paid: 500, refunds: 0, refunded: 0 }
const sums = { here: side, there: side }
const row = newReconciliation(of, startAt)
const difference: Difference = {
  subject: "payment m-1",
  kind: "missing_here",
  cause: "unknown_invoice",
  payment: "p-1",
  invoiceId: null,
  refundId: null,
  amountHere: null,
  amountThere: Tiyn(500)
}
const item = newWorkItem("wki_1", of, difference, startAt)
const ended = resolved(item, { resolution: "accepted", resolvedBy: null, note: "x", now: startAt })
const span = { organizationId: "org_shop", connectionId: "con_1", from: startAt, until: startAt + 9 }
const all = { organizationId: "org_shop", from: of.day, to: of.day, limit: 9, offset: 0 }

const among = { tenants: [{ organizationId: "org_shop", mode: "live" as const }], each: 5 }

export const reconciliations = Effect.map(ReconciliationStore, (store) => ({
  "enrol a day": store.enrol(of.day, startAt, "", 9),
  "ask for a day": store.ask(of, startAt, auditOf()),
  "claim days of a tenant": store.claim(startAt - 1, startAt, 2, among),
  "waiting for days": store.waiting(startAt, ""),
  "claim days": store.claim(startAt, startAt + 9, 2),
  "list days": store.days("org_shop", { from: of.day, to: of.day }, 9),
  "replace a day": store.replace({ ...row, version: 2 }),
  "own operations": store.own({ ...span, after: null, limit: 9 }),
  "known invoices": store.known({ ...span, invoiceIds: ["inv_1"], refundIds: ["ref_1"], references: ["p-1"] }),
  "settle a day": store.settle({
    reconciliation: compared({ ...row, version: 2 }, sums, startAt),
    added: [item],
    changed: [],
    records: [auditOf()]
  }),
  "settle a day again": store.settle({
    reconciliation: compared({ ...row, version: 3 }, sums, startAt),
    added: [],
    changed: [ended],
    records: []
  }),
  "work items of a day": store.itemsOf(of),
  "work items": store.items({ ...all, status: null }),
  "open work items": store.items({ ...all, status: "open" }),
  "open work items of days": store.openCounts("org_shop", { from: of.day, to: of.day }),
  "one work item": store.item("org_shop", "wki_1"),
  "replace a work item": store.replaceItem(ended, auditOf())
}))
