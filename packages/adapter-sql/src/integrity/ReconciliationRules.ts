/** Rules about days that are compared with the provider's own list, and about what was found. */
import { ReconciliationFault, ReconciliationStatus } from "@tolem/core/reconciliation/Reconciliation"
import { WorkItemCause, WorkItemKind, WorkItemResolution } from "@tolem/core/reconciliation/WorkItem"
import { flaws, isNone, neverMs, type Parts, type Rules } from "./Rule.ts"

/** The rules. */
export const reconciliationRules = (parts: Parts): Rules => {
  const { sql, tables, now } = parts
  const { reconciliations, work_items, organizations, invoices, refunds, accounts } = tables
  return {
    reconciliations_are_sound: flaws(parts, {
      subject: "r.connection_id || ' ' || r.day",
      from: sql`${reconciliations} r left join ${organizations} o on o.id = r.organization_id`,
      of: {
        "of no organization": "o.id is null",
        "of no day": "r.day not like '____-__-__'",
        "an unknown status": isNone("r.status", ReconciliationStatus),
        "an unknown fault": isNone("r.fault", ReconciliationFault),
        "a negative count": "r.tries < 0 or r.version < 1",
        "due, and waiting for nothing": "(r.status = 'waiting') <> (r.due_at is not null)",
        "due beyond all days": `r.due_at > ${now} + ${neverMs}`,
        "failed of nothing": "r.status = 'failed' and r.fault is null",
        "compared with a fault": "r.status = 'compared' and r.fault is not null",
        "compared without sums": "r.status = 'compared' and r.sums is null",
        "sums of no comparison": "(r.sums is null) <> (r.compared_at is null)"
      }
    }),
    work_items_are_sound: flaws(parts, {
      subject: "w.id",
      from: sql`${work_items} w
        left join ${reconciliations} r on r.organization_id = w.organization_id
          and r.connection_id = w.connection_id and r.day = w.day
        left join ${invoices} i on i.id = w.invoice_id
        left join ${refunds} f on f.id = w.refund_id
        left join ${accounts} a on a.id = w.resolved_by`,
      of: {
        "of no compared day": "r.day is null",
        "of no movement": "w.subject not like 'payment %' and w.subject not like 'refund %'",
        "an unknown kind": isNone("w.kind", WorkItemKind),
        "an unknown cause": isNone("w.cause", WorkItemCause),
        "an unknown status": isNone("w.status", ["open", "resolved"]),
        "an unknown resolution": isNone("w.resolution", WorkItemResolution),
        "an invoice of another organization":
          "w.invoice_id is not null and i.organization_id is distinct from w.organization_id",
        "a refund of another invoice": "w.refund_id is not null and f.invoice_id is distinct from w.invoice_id",
        "missing here, with an amount here":
          "w.kind in ('missing_here', 'refunded_elsewhere') and w.amount_here is not null",
        "missing there, with an amount there": "w.kind = 'missing_there' and w.amount_there is not null",
        "an amount of nothing": "coalesce(w.amount_here, w.amount_there, 0) <= 0 or w.amount_there <= 0",
        "amounts that do not differ":
          "w.kind = 'amount_differs' and (w.amount_here is distinct from w.amount_there) = false",
        "resolved at no time": "(w.status = 'open') = (w.resolved_at is not null)",
        "resolved before it was found": "w.resolved_at < w.found_at",
        "resolved in no way": "(w.status = 'open') <> (w.resolution is null)",
        "accepted without a note": "w.resolution = 'accepted' and w.note is null",
        "resolved by a person who is none": "w.resolved_by is not null and (a.id is null or w.resolution = 'gone')",
        "no version": "w.version < 1"
      }
    })
  }
}
