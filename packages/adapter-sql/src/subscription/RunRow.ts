/** Runs and events of subscriptions as rows. */
import type { Source } from "@tolem/core/invoice/Invoice"
import type { Run } from "@tolem/core/subscription/Run"
import type { SubscriptionEvent } from "@tolem/core/subscription/Subscription"
import type { Mode } from "@tolem/core/value/Mode"
import { checkOf } from "../base/ReadableRows.ts"

/** Columns of the runs, in the order in which batches carry them. */
export const columns = {
  subscription_id: "text",
  run: "bigint",
  organization_id: "text",
  mode: "text",
  scheduled_at: "bigint",
  invoice_id: "text",
  invoice_ids: "text",
  status: "text",
  faults: "bigint",
  due_at: "bigint",
  created_at: "bigint",
  updated_at: "bigint"
} as const

/** A run as the database answers it. */
export interface RunRow {
  readonly subscription_id: string
  readonly run: number
  readonly organization_id: string
  readonly mode: Mode
  readonly scheduled_at: number | null
  /** The invoice in force. */
  readonly invoice_id: string
  /** JSON array of all of them, oldest first. */
  readonly invoice_ids: string
  readonly status: Run["status"]
  readonly faults: number
  readonly due_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** The row of a run of a subscription in this mode. */
export const toRow = (run: Run, mode: Mode): RunRow => ({
  subscription_id: run.subscriptionId,
  run: run.run,
  organization_id: run.organizationId,
  mode,
  scheduled_at: run.scheduledAt,
  invoice_id: run.invoiceIds.at(-1) ?? "",
  invoice_ids: JSON.stringify(run.invoiceIds),
  status: run.status,
  faults: run.faults,
  due_at: run.dueAt,
  created_at: run.createdAt,
  updated_at: run.updatedAt
})

/** The run of a row. */
export const fromRow = (row: RunRow): Run => ({
  subscriptionId: row.subscription_id,
  organizationId: row.organization_id,
  run: row.run,
  scheduledAt: row.scheduled_at,
  invoiceIds: JSON.parse(row.invoice_ids),
  status: row.status,
  faults: row.faults,
  dueAt: row.due_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at
})

/** Throws if a column of the row cannot be read. */
export const check = checkOf(columns, {
  words: { mode: ["live", "sandbox"], status: ["issuing", "open", "ended"] },
  json: { invoice_ids: (value) => Array.isArray(value) && value.every((id) => typeof id === "string") }
})

/** The run of a row that was read with `Dialect.exact`. Throws if a column cannot be read. */
export const read = (row: RunRow): Run => {
  check(row)
  return fromRow(row)
}

/** Columns of the events, in the order in which batches carry them. */
export const eventColumns = {
  subscription_id: "text",
  sequence: "bigint",
  id: "text",
  organization_id: "text",
  type: "text",
  source: "text",
  run: "bigint",
  invoice_id: "text",
  code: "text",
  created_at: "bigint"
} as const

/** An event as the database answers it. */
export interface SubscriptionEventRow {
  readonly subscription_id: string
  readonly sequence: number
  readonly id: string
  readonly organization_id: string
  readonly type: SubscriptionEvent["type"]
  readonly source: Source
  readonly run: number | null
  readonly invoice_id: string | null
  readonly code: string | null
  readonly created_at: number
}

/** The row of an event. */
export const toEventRow = (event: SubscriptionEvent): SubscriptionEventRow => ({
  subscription_id: event.subscriptionId,
  sequence: event.sequence,
  id: event.id,
  organization_id: event.organizationId,
  type: event.type,
  source: event.source,
  run: event.run,
  invoice_id: event.invoiceId,
  code: event.code,
  created_at: event.createdAt
})

/** The event of a row. */
export const toEvent = (row: SubscriptionEventRow): SubscriptionEvent => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  organizationId: row.organization_id,
  sequence: row.sequence,
  type: row.type,
  source: row.source,
  run: row.run,
  invoiceId: row.invoice_id,
  code: row.code,
  createdAt: row.created_at
})
