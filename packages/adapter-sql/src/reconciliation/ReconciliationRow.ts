/** How compared days and work items are kept. */
import {
  type ComparedSums,
  type Reconciliation,
  ReconciliationFault,
  ReconciliationStatus
} from "@tolem/core/reconciliation/Reconciliation"
import { type WorkItem, WorkItemCause, WorkItemKind, WorkItemResolution } from "@tolem/core/reconciliation/WorkItem"
import { isObject } from "@tolem/core/value/Checks"
import { once, oneOf, type RowOf, table } from "../base/Table.ts"

const isSide = (side: unknown): boolean =>
  isObject(side) &&
  ["payments", "paid", "refunds", "refunded"].every(
    (name) => Number.isSafeInteger(side[name]) && Number(side[name]) >= 0
  )

const isSums = (sums: unknown): boolean => isObject(sums) && isSide(sums["here"]) && isSide(sums["there"])

/** The table of compared days. */
export const reconciliationTable = table<Reconciliation>("reconciliations")({
  organizationId: once("text"),
  connectionId: once("text"),
  day: once("text"),
  status: oneOf(ReconciliationStatus),
  dueAt: "bigint",
  tries: "bigint",
  fault: oneOf(ReconciliationFault),
  sums: {
    type: "text",
    holds: isSums,
    encode: (sums: ComparedSums | null): string | null => (sums === null ? null : JSON.stringify(sums)),
    decode: (stored: string | null): ComparedSums | null => (stored === null ? null : JSON.parse(stored))
  },
  comparedAt: "bigint",
  version: "bigint"
})

/** A compared day as it is kept. */
export type ReconciliationRow = RowOf<typeof reconciliationTable>

/** The table of work items. */
export const workItemTable = table<WorkItem>("work_items")({
  id: once("text"),
  organizationId: once("text"),
  connectionId: once("text"),
  day: once("text"),
  subject: once("text"),
  kind: oneOf(WorkItemKind),
  cause: oneOf(WorkItemCause),
  payment: "text",
  invoiceId: "text",
  refundId: "text",
  amountHere: "bigint",
  amountThere: "bigint",
  status: oneOf(["open", "resolved"]),
  foundAt: "bigint",
  resolvedAt: "bigint",
  resolution: oneOf(WorkItemResolution),
  resolvedBy: "text",
  note: "text",
  version: "bigint"
})

/** A work item as it is kept. */
export type WorkItemRow = RowOf<typeof workItemTable>
