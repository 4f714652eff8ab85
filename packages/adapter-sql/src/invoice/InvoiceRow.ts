/** The invoice as a row. */
import { type CreationStage, type Invoice, InvoiceKind, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import * as Origin from "@tolem/core/invoice/Origin"
import { dayOf } from "@tolem/core/value/Calendar"
import { flag, once, oneOf, type RowOf, table } from "../base/Table.ts"

/** What rows of the versions before lack, which wrote without the newer columns. */
interface Earlier {
  readonly mode: string
  readonly status: string
  readonly idempotency_key: string | null
  readonly fingerprint: string | null
  readonly provider_reference: string | null
  readonly due_at: number | null
  readonly day: string
}

// They said with the key what an invoice was made for.
const originOf = (stored: string | null, { idempotency_key, fingerprint }: Earlier): Invoice["origin"] =>
  Origin.fromText(stored ?? (fingerprint === null ? (idempotency_key ?? "") : ""))

// That it waits they said by having it never due.
const stageOf = (stored: CreationStage | null, { status, provider_reference, due_at }: Earlier): CreationStage => {
  if (status === "pending" || provider_reference !== null) return "made"
  return stored ?? (status !== "new" ? "made" : due_at === null ? "waits" : "asked")
}

// They counted every live one on its first day.
const countedOnOf = (stored: string | null, { mode, day }: Earlier): string | null => {
  if (stored === null) return mode === "live" ? day : null
  return stored === "" ? null : stored
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

/** The table of invoices. */
export const invoiceTable = table<Invoice>("invoices")(
  {
    id: once("text"),
    organizationId: once("text"),
    mode: once(oneOf(["live", "sandbox"])),
    connectionId: "text",
    kind: once(oneOf(InvoiceKind.literals)),
    status: oneOf(InvoiceStatus.literals),
    amount: once("bigint"),
    refunded: "bigint",
    description: once("text"),
    externalOrderId: once("text"),
    customer: { name: once("text"), phone: once("text"), email: once("text") },
    successUrl: once("text"),
    failUrl: once("text"),
    metadata: { type: "text", once: true, holds: (value) => typeof value === "object" },
    idempotencyKey: "text",
    origin: {
      type: "text",
      once: true,
      encode: (origin): string | null => (origin === null ? null : Origin.toText(origin)),
      decode: originOf
    },
    fingerprint: once("text"),
    providerReference: "text",
    providerStatus: "text",
    providerReceiptUrl: "text",
    receiptNumber: "text",
    qrUrl: "text",
    deepLink: "text",
    stage: { type: "text", name: "making", words: ["waits", "asked", "unanswered", "made"], decode: stageOf },
    validUntil: once("bigint"),
    expiresAt: "bigint",
    paidAt: "bigint",
    createdAt: once("bigint"),
    updatedAt: "bigint",
    // Empty: it has no place in the quota.
    countedOn: { type: "text", encode: (day): string | null => day ?? "", decode: countedOnOf },
    late: flag,
    dueAt: "bigint",
    sequence: "bigint",
    version: "bigint"
  },
  {
    /** Almaty day of `created_at`. */
    day: { type: "text", once: true, of: ({ createdAt }: Invoice) => dayOf(createdAt) },
    /** Everything that a search looks through, in lower case. */
    search_text: { type: "text", of: searchText },
    /** See `InvoiceSeal`; null: not sealed. */
    seal: { type: "text", of: (): string | null => null }
  }
)

/** A row of the table. */
export type InvoiceRow = RowOf<typeof invoiceTable>
