/** Seals invoices anew with what is written to them, where their seals were right before. */
import type { Write } from "@tolem/core/invoice/InvoiceStore"
import { Effect } from "effect"
import type { Columns } from "../base/Columns.ts"
import type { Database } from "../base/Database.ts"
import { type Announced, eventTable } from "../invoice/EventRow.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import { type RefundRow, refundTable } from "../invoice/RefundRow.ts"
import { textOfInvoice, type Whole } from "./InvoiceSeal.ts"
import * as Sealer from "./Sealer.ts"

/** An invoice as it is before a change, and whether it may be sealed with the change. */
export interface Before extends Whole {
  readonly isTrusted: boolean
}

/** What is read before a change is written, for use in its transaction: the invoices are locked. */
export const make = (database: Database["Service"]) => {
  const { belongings, hasBegun } = Sealer.make(database)
  const { sealer } = database
  const isRight = (whole: Whole) =>
    whole.invoice.seal !== null && sealer.judge(textOfInvoice(whole), whole.invoice.seal) === "right"

  return Effect.fnUntraced(function* (locked: ReadonlyArray<InvoiceRow>) {
    const { events, refunds } = yield* belongings(locked.map(({ id }) => id))
    const all = locked.map((invoice) => {
      const whole = { invoice, events: events.get(invoice.id) ?? [], refunds: refunds.get(invoice.id) ?? [] }
      return { ...whole, isRight: isRight(whole) }
    })
    // A change must not make right what was changed behind our back. Before the beginning there is nothing to tell that
    // from: servers of the version before write without seals.
    const forgives = all.every((one) => one.isRight) ? false : !(yield* hasBegun)
    return new Map(all.map(({ isRight, ...whole }) => [whole.invoice.id, { ...whole, isTrusted: isRight || forgives }]))
  })
}

/** The row that a change makes of an invoice, with its seal; one that is not trusted keeps that which it has. */
export const rowAfter = (
  { sealer }: Pick<Database["Service"], "sealer">,
  before: Before,
  { next, refund, event }: Pick<Write, "next" | "refund"> & { readonly event: Announced | null }
): InvoiceRow => {
  const row = invoiceTable.encode(next)
  if (!before.isTrusted) return { ...row, seal: before.invoice.seal }
  const text = textOfInvoice({
    invoice: changed(invoiceTable, before.invoice, row),
    events: event === null ? before.events : [...before.events, eventTable.encode(event)],
    refunds: refund === null ? before.refunds : merged(before.refunds, refundTable.encode(refund))
  })
  return { ...row, seal: sealer.seal(text) }
}

/** A row with what a change writes to it: what is written once stays. */
const changed = <R extends object>({ changing }: { readonly changing: Columns }, before: R, after: R): R => ({
  ...before,
  ...Object.fromEntries(Object.entries(after).filter(([name]) => name in changing))
})

const merged = (refunds: ReadonlyArray<RefundRow>, row: RefundRow) =>
  refunds.some(({ id }) => id === row.id)
    ? refunds.map((one) => (one.id === row.id ? changed(refundTable, one, row) : one))
    : [...refunds, row]
