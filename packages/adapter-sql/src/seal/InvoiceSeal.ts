/**
 * What the seal of an invoice is made of: its row, all of its events and all of its refund records, whatever became of
 * them. So nothing of these can be changed, added, taken away or exchanged without the key.
 */
import type { Creation } from "@tolem/core/invoice/InvoiceStore"
import type { RowSealer } from "@tolem/core/secret/RowSeals"
import * as EventRow from "../invoice/EventRow.ts"
import * as InvoiceRow from "../invoice/InvoiceRow.ts"
import type { RefundRow } from "../invoice/RefundRow.ts"

/**
 * Columns that are not sealed: the seal itself; and what claims and looks at the provider change by themselves, many
 * times a minute, and that no money hangs on. Every other column is, also one that comes. One that comes must allow
 * null: servers of the version before insert without it, and what is null is not part of the text.
 */
const unsealed: ReadonlySet<string> = new Set(["seal", "due_at", "provider_status"])

/** An invoice as it is stored, with all that belongs to it. */
export interface Whole {
  readonly invoice: InvoiceRow.InvoiceRow
  readonly events: ReadonlyArray<EventRow.EventRow>
  readonly refunds: ReadonlyArray<RefundRow>
}

/** A new invoice as it is stored. */
export interface NewRows {
  readonly invoice: InvoiceRow.InvoiceRow
  readonly event: EventRow.EventRow
}

/** The rows of a new invoice, sealed with its first event. */
export const sealed =
  (sealer: RowSealer) =>
  (creation: Creation): NewRows => {
    const invoice = InvoiceRow.toRow(creation.invoice)
    const event = EventRow.toRow(creation.event)
    const text = JSON.stringify([kind, contentOf(invoice, invoiceNames), [contentOf(event, eventNames)], []])
    return { invoice: Object.assign(invoice, { seal: sealer.seal(text) }), event }
  }

/** The text that is sealed: JSON, so that no two contents have the same. */
export const textOfInvoice = ({ invoice, events, refunds }: Whole): string =>
  JSON.stringify([
    kind,
    contentOf(invoice, namesOf(invoice)),
    events.toSorted((a, b) => a.sequence - b.sequence).map((event) => contentOf(event, namesOf(event))),
    refunds.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map((refund) => contentOf(refund, namesOf(refund)))
  ])

/** No seal of another table's row is one of an invoice. */
const kind = "invoice"

// Of a row as it was read: also of columns that this version does not know.
const namesOf = (row: object): ReadonlyArray<string> =>
  Object.keys(row)
    .filter((name) => !unsealed.has(name))
    .sort()

const invoiceNames = namesOf(InvoiceRow.columns)
const eventNames = namesOf(EventRow.columns)

const contentOf = (row: object, names: ReadonlyArray<string>): ReadonlyArray<unknown> => {
  const content: Array<unknown> = []
  const values = row as Readonly<Record<string, unknown>>
  for (const name of names) {
    const value = values[name]
    if (value !== null && value !== undefined) content.push(name, value)
  }
  return content
}
