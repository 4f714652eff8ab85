/** The invoice as a row. */
import { type CreationStage, type Invoice, InvoiceKind, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import * as Origin from "@tolem/core/invoice/Origin"
import { dayOf } from "@tolem/core/value/Calendar"
import { flag, once, oneOf, type RowOf, table } from "../base/Table.ts"

// Null: it was there before the column, and had been asked for by then.
const stageOf = (stored: CreationStage | null, { status }: { readonly status: string }): CreationStage =>
  stored ?? (status === "new" ? "asked" : "made")

// Null: it was there before the column, when every live one counted on its first day.
const countedOnOf = (stored: string | null, { mode, day }: { readonly mode: string; readonly day: string }) =>
  stored === null ? (mode === "live" ? day : null) : stored === "" ? null : stored

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
      decode: (stored: string | null) => (stored === null ? null : Origin.fromText(stored))
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
    version: "bigint",
    scannedAt: "bigint"
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
