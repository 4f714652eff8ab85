/** The invoice as a row. */
import { type CreationStage, type Invoice, InvoiceKind, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import * as Origin from "@tolem/core/invoice/Origin"
import { dayOf } from "@tolem/core/value/Calendar"
import type { Mode } from "@tolem/core/value/Mode"
import { Tiyn } from "@tolem/core/value/Money"
import { checkOf } from "../base/ReadableRows.ts"

/** Columns of the table, in the order in which batches carry them. */
export const columns = {
  id: "text",
  organization_id: "text",
  mode: "text",
  connection_id: "text",
  kind: "text",
  status: "text",
  amount: "bigint",
  refunded: "bigint",
  description: "text",
  external_order_id: "text",
  customer_name: "text",
  customer_phone: "text",
  customer_email: "text",
  success_url: "text",
  fail_url: "text",
  metadata: "text",
  idempotency_key: "text",
  origin: "text",
  fingerprint: "text",
  provider_reference: "text",
  provider_status: "text",
  provider_receipt_url: "text",
  receipt_number: "text",
  qr_url: "text",
  deep_link: "text",
  making: "text",
  valid_until: "bigint",
  expires_at: "bigint",
  paid_at: "bigint",
  created_at: "bigint",
  updated_at: "bigint",
  late: "bigint",
  due_at: "bigint",
  sequence: "bigint",
  version: "bigint",
  day: "text",
  counted_on: "text",
  search_text: "text",
  seal: "text"
} as const

/** Columns that a change may alter; the others are written once. */
export const changing = [
  "connection_id",
  "status",
  "refunded",
  "idempotency_key",
  "provider_reference",
  "provider_status",
  "provider_receipt_url",
  "receipt_number",
  "qr_url",
  "deep_link",
  "making",
  "expires_at",
  "paid_at",
  "updated_at",
  "late",
  "due_at",
  "sequence",
  "version",
  "counted_on",
  "search_text",
  "seal"
] as const satisfies ReadonlyArray<keyof typeof columns>

/** A row as the database answers it. */
export interface InvoiceRow {
  readonly id: string
  readonly organization_id: string
  readonly mode: Mode
  readonly connection_id: string | null
  readonly kind: InvoiceKind
  readonly status: InvoiceStatus
  readonly amount: number
  readonly refunded: number
  readonly description: string | null
  readonly external_order_id: string | null
  readonly customer_name: string | null
  readonly customer_phone: string | null
  readonly customer_email: string | null
  readonly success_url: string | null
  readonly fail_url: string | null
  readonly metadata: string | null
  readonly idempotency_key: string | null
  /** See `Origin`. */
  readonly origin: string | null
  readonly fingerprint: string | null
  readonly provider_reference: string | null
  readonly provider_status: string | null
  readonly provider_receipt_url: string | null
  readonly receipt_number: string | null
  readonly qr_url: string | null
  readonly deep_link: string | null
  /** Null in a row of an earlier version. */
  readonly making: CreationStage | null
  readonly valid_until: number | null
  readonly expires_at: number | null
  readonly paid_at: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly late: number
  readonly due_at: number | null
  readonly sequence: number
  readonly version: number
  /** Almaty day of `created_at`. */
  readonly day: string
  /** The Almaty day of its place in the quota; empty: it has none. Null in a row of an earlier version. */
  readonly counted_on: string | null
  /** Everything that a search looks through, in lower case. */
  readonly search_text: string
  /** See `InvoiceSeal`; null: not sealed. */
  readonly seal: string | null
}

/** The row of an invoice. */
export const toRow = (invoice: Invoice): InvoiceRow => ({
  id: invoice.id,
  organization_id: invoice.organizationId,
  mode: invoice.mode,
  connection_id: invoice.connectionId,
  kind: invoice.kind,
  status: invoice.status,
  amount: invoice.amount,
  refunded: invoice.refunded,
  description: invoice.description,
  external_order_id: invoice.externalOrderId,
  customer_name: invoice.customer.name,
  customer_phone: invoice.customer.phone,
  customer_email: invoice.customer.email,
  success_url: invoice.successUrl,
  fail_url: invoice.failUrl,
  metadata: invoice.metadata,
  idempotency_key: invoice.idempotencyKey,
  origin: invoice.origin === null ? null : Origin.toText(invoice.origin),
  fingerprint: invoice.fingerprint,
  provider_reference: invoice.providerReference,
  provider_status: invoice.providerStatus,
  provider_receipt_url: invoice.providerReceiptUrl,
  receipt_number: invoice.receiptNumber,
  qr_url: invoice.qrUrl,
  deep_link: invoice.deepLink,
  making: invoice.making,
  valid_until: invoice.validUntil,
  expires_at: invoice.expiresAt,
  paid_at: invoice.paidAt,
  created_at: invoice.createdAt,
  updated_at: invoice.updatedAt,
  late: invoice.late ? 1 : 0,
  due_at: invoice.dueAt,
  sequence: invoice.sequence,
  version: invoice.version,
  day: dayOf(invoice.createdAt),
  counted_on: invoice.countedOn ?? "",
  search_text: searchText(invoice),
  seal: null
})

/** The invoice of a row. */
export const fromRow = (row: InvoiceRow): Invoice => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  connectionId: row.connection_id,
  kind: row.kind,
  status: row.status,
  amount: Tiyn(row.amount),
  refunded: Tiyn(row.refunded),
  description: row.description,
  externalOrderId: row.external_order_id,
  customer: { name: row.customer_name, phone: row.customer_phone, email: row.customer_email },
  successUrl: row.success_url,
  failUrl: row.fail_url,
  metadata: row.metadata,
  idempotencyKey: row.idempotency_key,
  origin: originOf(row),
  fingerprint: row.fingerprint,
  providerReference: row.provider_reference,
  providerStatus: row.provider_status,
  providerReceiptUrl: row.provider_receipt_url,
  receiptNumber: row.receipt_number,
  qrUrl: row.qr_url,
  deepLink: row.deep_link,
  making: makingOf(row),
  validUntil: row.valid_until,
  expiresAt: row.expires_at,
  paidAt: row.paid_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  countedOn: countedOnOf(row),
  late: row.late === 1,
  dueAt: row.due_at,
  sequence: row.sequence,
  version: row.version
})

/** Throws if a column of the row cannot be read. */
export const check = checkOf(columns, {
  words: {
    mode: ["live", "sandbox"],
    kind: InvoiceKind.literals,
    status: InvoiceStatus.literals,
    making: ["waits", "asked", "unanswered", "made"]
  },
  json: { metadata: (value) => typeof value === "object" }
})

/** The invoice of a row that was read with `Dialect.exact`. Throws if a column cannot be read. */
export const read = (row: InvoiceRow): Invoice => {
  check(row)
  return fromRow(row)
}

// While servers are replaced, one of the version before may write without the newer columns: it said with the key what
// an invoice was made for, that it waits by having it never due, and counted every live one on its first day.
const originOf = ({ origin, idempotency_key, fingerprint }: InvoiceRow): Invoice["origin"] =>
  Origin.fromText(origin ?? (fingerprint === null ? (idempotency_key ?? "") : ""))

const makingOf = ({ making, status, provider_reference, due_at }: InvoiceRow): CreationStage => {
  if (status === "pending" || provider_reference !== null) return "made"
  return making ?? (status !== "new" ? "made" : due_at === null ? "waits" : "asked")
}

const countedOnOf = ({ counted_on, mode, day }: InvoiceRow): string | null => {
  if (counted_on === null) return mode === "live" ? day : null
  return counted_on === "" ? null : counted_on
}

// Lower case is made here, not in SQL: SQLite knows it for ASCII only.
const searchText = (invoice: Invoice): string => {
  const { name, phone, email } = invoice.customer
  const { id, externalOrderId, description, receiptNumber } = invoice
  let text = id
  for (const part of [externalOrderId, description, name, phone, email, receiptNumber]) {
    // A separator that is never typed, so that no search matches across two members.
    if (part !== null) text += `\u001f${part}`
  }
  return text.toLowerCase()
}
