/** The delivery and its attempts as rows. */
import type { Mode } from "@tolem/core/value/Mode"
import { type Attempt, type Delivery, type DeliveryStatus, EventKind } from "@tolem/core/webhook/Webhook"
import { checkOf } from "../base/ReadableRows.ts"

/** Columns that batches carry, in order. */
export const columns = {
  id: "text",
  endpoint_id: "text",
  organization_id: "text",
  mode: "text",
  kind: "text",
  invoice_id: "text",
  event_id: "text",
  sequence: "bigint",
  status: "text",
  attempt_count: "bigint",
  due_at: "bigint",
  ready_at: "bigint",
  created_at: "bigint",
  completed_at: "bigint"
} as const

/** A row as the database answers it. */
export interface DeliveryRow {
  readonly id: string
  readonly endpoint_id: string
  readonly organization_id: string
  readonly mode: Mode
  readonly kind: EventKind
  readonly invoice_id: string
  readonly event_id: string
  readonly sequence: number
  readonly status: DeliveryStatus
  readonly attempt_count: number
  readonly due_at: number
  /** When it would be due without the claim. */
  readonly ready_at: number
  /** Claims since an attempt of it has ended, without those that were given back; above 0 it is claimed, or lost. */
  readonly starts: number
  readonly created_at: number
  readonly completed_at: number | null
}

/** The row of a delivery that waits for its `dueAt`. */
export const toRow = (delivery: Delivery): Omit<DeliveryRow, "starts"> => ({
  id: delivery.id,
  endpoint_id: delivery.endpointId,
  organization_id: delivery.organizationId,
  mode: delivery.mode,
  kind: delivery.kind,
  invoice_id: delivery.invoiceId,
  event_id: delivery.eventId,
  sequence: delivery.sequence,
  status: delivery.status,
  attempt_count: delivery.attemptCount,
  due_at: delivery.dueAt,
  ready_at: delivery.dueAt,
  created_at: delivery.createdAt,
  completed_at: delivery.completedAt
})

/** The delivery of a row. */
export const fromRow = (row: DeliveryRow): Delivery => ({
  id: row.id,
  endpointId: row.endpoint_id,
  organizationId: row.organization_id,
  mode: row.mode,
  kind: row.kind,
  invoiceId: row.invoice_id,
  eventId: row.event_id,
  sequence: row.sequence,
  status: row.status,
  attemptCount: row.attempt_count,
  dueAt: row.due_at,
  createdAt: row.created_at,
  completedAt: row.completed_at
})

/** Throws if a column of the row cannot be read. */
export const check = checkOf(
  { ...columns, starts: "bigint" },
  {
    words: { mode: ["live", "sandbox"], kind: EventKind.literals, status: ["pending", "delivered", "failed"] }
  }
)

/** The delivery of a row that was read with `Dialect.exact`. Throws if a column cannot be read. */
export const read = (row: DeliveryRow): Delivery => {
  check(row)
  return fromRow(row)
}

/** Columns of the table of attempts, in the order in which batches carry them. */
export const attemptColumns = {
  delivery_id: "text",
  number: "bigint",
  started_at: "bigint",
  duration_ms: "bigint",
  url: "text",
  request_headers: "text",
  request_body: "text",
  status: "bigint",
  response_body: "text",
  error: "text"
} as const

/** An attempt as the database answers it. */
export interface AttemptRow {
  readonly delivery_id: string
  readonly number: number
  readonly started_at: number
  readonly duration_ms: number
  readonly url: string
  /** A JSON object. */
  readonly request_headers: string
  readonly request_body: string
  readonly status: number | null
  readonly response_body: string | null
  readonly error: string | null
}

/** The row of an attempt. */
export const toAttemptRow = (deliveryId: string, attempt: Attempt): AttemptRow => ({
  delivery_id: deliveryId,
  number: attempt.number,
  started_at: attempt.startedAt,
  duration_ms: Math.round(attempt.durationMs),
  url: attempt.url,
  request_headers: JSON.stringify(attempt.requestHeaders),
  request_body: attempt.requestBody,
  status: attempt.status,
  response_body: attempt.responseBody === null ? null : storable(attempt.responseBody),
  error: attempt.error === null ? null : storable(attempt.error)
})

/** The attempt of a row. */
export const fromAttemptRow = (row: AttemptRow): Attempt => ({
  number: row.number,
  startedAt: row.started_at,
  durationMs: row.duration_ms,
  url: row.url,
  requestHeaders: JSON.parse(row.request_headers),
  requestBody: row.request_body,
  status: row.status,
  responseBody: row.response_body,
  error: row.error
})

// A receiver may answer anything. PostgreSQL refuses NUL, and half a surrogate pair fails the whole batch: each
// becomes the replacement character, as it would in any log.
const storable = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\ufffd")
