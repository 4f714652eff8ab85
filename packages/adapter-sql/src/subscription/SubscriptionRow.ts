/** The subscription as a row. */
import { InvoiceKind } from "@tolem/core/invoice/Invoice"
import type { Misfire, Subscription, SubscriptionStatus } from "@tolem/core/subscription/Subscription"
import type { Mode } from "@tolem/core/value/Mode"
import { Tiyn } from "@tolem/core/value/Money"
import type { Interval } from "@tolem/core/value/Rhythm"
import { checkOf } from "../base/ReadableRows.ts"

/** Columns of the table, in the order in which batches carry them. */
export const columns = {
  id: "text",
  organization_id: "text",
  mode: "text",
  connection_id: "text",
  status: "text",
  amount: "bigint",
  kind: "text",
  description: "text",
  customer_name: "text",
  customer_phone: "text",
  customer_email: "text",
  metadata: "text",
  step: "text",
  every: "bigint",
  day_of_month: "bigint",
  anchor_at: "bigint",
  retry_hours: "text",
  misfire: "text",
  next_index: "bigint",
  next_run_at: "bigint",
  last_run_at: "bigint",
  last_invoice_id: "text",
  runs: "bigint",
  max_runs: "bigint",
  faults: "bigint",
  fault: "text",
  idempotency_key: "text",
  fingerprint: "text",
  due_at: "bigint",
  created_at: "bigint",
  updated_at: "bigint",
  sequence: "bigint",
  version: "bigint"
} as const

const written = ["id", "organization_id", "mode", "connection_id", "idempotency_key", "fingerprint", "created_at"]

/** Columns that a change may alter; the others are written once. */
export const changing: ReadonlyArray<string> = Object.keys(columns).filter((name) => !written.includes(name))

/** A row as the database answers it. */
export interface SubscriptionRow {
  readonly id: string
  readonly organization_id: string
  readonly mode: Mode
  readonly connection_id: string | null
  readonly status: SubscriptionStatus
  readonly amount: number
  readonly kind: InvoiceKind
  readonly description: string | null
  readonly customer_name: string | null
  readonly customer_phone: string | null
  readonly customer_email: string | null
  readonly metadata: string | null
  /** The interval; that word is a type of PostgreSQL's. */
  readonly step: Interval
  readonly every: number
  readonly day_of_month: number | null
  readonly anchor_at: number
  /** JSON array. */
  readonly retry_hours: string
  readonly misfire: Misfire
  readonly next_index: number
  readonly next_run_at: number
  readonly last_run_at: number | null
  readonly last_invoice_id: string | null
  readonly runs: number
  readonly max_runs: number | null
  readonly faults: number
  readonly fault: string | null
  readonly idempotency_key: string | null
  readonly fingerprint: string | null
  readonly due_at: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly sequence: number
  readonly version: number
}

/** The row of a subscription. */
export const toRow = (subscription: Subscription): SubscriptionRow => ({
  id: subscription.id,
  organization_id: subscription.organizationId,
  mode: subscription.mode,
  connection_id: subscription.connectionId,
  status: subscription.status,
  amount: subscription.amount,
  kind: subscription.kind,
  description: subscription.description,
  customer_name: subscription.customer.name,
  customer_phone: subscription.customer.phone,
  customer_email: subscription.customer.email,
  metadata: subscription.metadata,
  step: subscription.interval,
  every: subscription.every,
  day_of_month: subscription.dayOfMonth,
  anchor_at: subscription.anchorAt,
  retry_hours: JSON.stringify(subscription.retryHours),
  misfire: subscription.misfire,
  next_index: subscription.nextIndex,
  next_run_at: subscription.nextRunAt,
  last_run_at: subscription.lastRunAt,
  last_invoice_id: subscription.lastInvoiceId,
  runs: subscription.runs,
  max_runs: subscription.maxRuns,
  faults: subscription.faults,
  fault: subscription.fault,
  idempotency_key: subscription.idempotencyKey,
  fingerprint: subscription.fingerprint,
  due_at: subscription.dueAt,
  created_at: subscription.createdAt,
  updated_at: subscription.updatedAt,
  sequence: subscription.sequence,
  version: subscription.version
})

/** The subscription of a row. */
export const fromRow = (row: SubscriptionRow): Subscription => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  connectionId: row.connection_id,
  status: row.status,
  amount: Tiyn(row.amount),
  kind: row.kind,
  description: row.description,
  customer: { name: row.customer_name, phone: row.customer_phone, email: row.customer_email },
  metadata: row.metadata,
  interval: row.step,
  every: row.every,
  dayOfMonth: row.day_of_month,
  anchorAt: row.anchor_at,
  retryHours: JSON.parse(row.retry_hours),
  misfire: row.misfire,
  nextIndex: row.next_index,
  nextRunAt: row.next_run_at,
  lastRunAt: row.last_run_at,
  lastInvoiceId: row.last_invoice_id,
  runs: row.runs,
  maxRuns: row.max_runs,
  faults: row.faults,
  fault: row.fault,
  idempotencyKey: row.idempotency_key,
  fingerprint: row.fingerprint,
  dueAt: row.due_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  sequence: row.sequence,
  version: row.version
})

/** Throws if a column of the row cannot be read. */
export const check = checkOf(columns, {
  words: {
    mode: ["live", "sandbox"],
    kind: InvoiceKind.literals,
    status: ["active", "paused", "cancelled", "finished"],
    step: ["day", "week", "month"],
    misfire: ["run_once", "skip"]
  },
  json: {
    metadata: (value) => typeof value === "object",
    retry_hours: (value) => Array.isArray(value) && value.every(Number.isSafeInteger)
  }
})

/** The subscription of a row that was read with `Dialect.exact`. Throws if a column cannot be read. */
export const read = (row: SubscriptionRow): Subscription => {
  check(row)
  return fromRow(row)
}
