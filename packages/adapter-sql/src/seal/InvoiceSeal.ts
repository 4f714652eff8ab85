/**
 * What the seal of an invoice is made of: its row, all of its events and all of its refund records, whatever became of
 * them. So nothing of these can be changed, added, taken away or exchanged without the key.
 */
import type { Creation } from "@tolem/core/invoice/InvoiceStore"
import type { RowSealer } from "@tolem/core/secret/RowSeals"
import type { Columns, Values } from "../base/Columns.ts"
import { type EventRow, eventTable } from "../invoice/EventRow.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import type { RefundRow } from "../invoice/RefundRow.ts"

/**
 * Columns that are not sealed: the seal itself; and what claims and looks at the provider change by themselves, many
 * times a minute, and that no money hangs on. Every other column is, also one that comes. One that comes must allow
 * null: servers of the version before insert without it, and what is null is not part of the text.
 */
const unsealed: ReadonlySet<string> = new Set(["seal", "due_at", "provider_status"])

/** An invoice as it is stored, with all that belongs to it. */
export interface Whole {
  readonly invoice: InvoiceRow
  readonly events: ReadonlyArray<EventRow>
  readonly refunds: ReadonlyArray<RefundRow>
}

/** A new invoice as it is stored, in the order of the columns. */
export interface NewRows {
  readonly id: string
  readonly invoice: Values
  readonly event: Values
}

/** The rows of a new invoice, sealed with its first event. */
export const sealed =
  (sealer: RowSealer) =>
  (creation: Creation): NewRows => {
    const invoice = invoiceTable.values(creation.invoice)
    const event = eventTable.values(creation.event)
    const text = JSON.stringify([kind, contentOfNew(invoice, invoicePlaces), [contentOfNew(event, eventPlaces)], []])
    invoice[sealPlace] = sealer.seal(text)
    return { id: creation.invoice.id, invoice, event }
  }

/** The text that is sealed: JSON, so that no two contents have the same. */
export const textOfInvoice = ({ invoice, events, refunds }: Whole): string =>
  JSON.stringify([
    kind,
    contentOf(invoice),
    events.toSorted((a, b) => a.sequence - b.sequence).map(contentOf),
    refunds.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(contentOf)
  ])

/** No seal of another table's row is one of an invoice. */
const kind = "invoice"

const namesOf = (row: object): ReadonlyArray<string> =>
  Object.keys(row)
    .filter((name) => !unsealed.has(name))
    .sort()

// Of a row as it was read: also of columns that this version does not know.
const contentOf = (row: object): ReadonlyArray<unknown> =>
  namesOf(row).flatMap((name) => {
    const value = (row as Readonly<Record<string, unknown>>)[name]
    return value === null || value === undefined ? [] : [name, value]
  })

const placesOf = (columns: Columns) => {
  const names = Object.keys(columns)
  return namesOf(columns).map((name) => [name, names.indexOf(name)] as const)
}

const invoicePlaces = placesOf(invoiceTable.columns)
const eventPlaces = placesOf(eventTable.columns)
const sealPlace = Object.keys(invoiceTable.columns).indexOf("seal")

const contentOfNew = (values: Values, places: typeof invoicePlaces): ReadonlyArray<unknown> => {
  const content: Array<unknown> = []
  for (const [name, place] of places) {
    const value = values[place]
    if (value !== null) content.push(name, value)
  }
  return content
}
