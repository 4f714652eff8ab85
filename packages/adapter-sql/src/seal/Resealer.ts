/** Seals invoices anew with what is written to them, if their seals were right before. */
import type { InvoiceEvent } from "@tolem/core/invoice/Invoice"
import type { Write } from "@tolem/core/invoice/InvoiceStore"
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Database } from "../base/Database.ts"
import * as EventRow from "../invoice/EventRow.ts"
import * as InvoiceRow from "../invoice/InvoiceRow.ts"
import * as RefundRow from "../invoice/RefundRow.ts"
import { textOfInvoice, type Whole } from "./InvoiceSeal.ts"
import * as Sealer from "./Sealer.ts"

/** An invoice as it is before a change, and whether it may be sealed with the change. */
export interface Before extends Whole {
  readonly isTrusted: boolean
}

/** What is read before a change is written, for use in its transaction: the invoices are locked. */
export const make = (
  database: Database["Service"]
): ((
  locked: ReadonlyArray<InvoiceRow.InvoiceRow>
) => Effect.Effect<ReadonlyMap<string, Before>, SqlError.SqlError>) => {
  const { belongings, hasBegun } = Sealer.make(database)
  const { sealer } = database
  const isRight = (whole: Whole) =>
    whole.invoice.seal !== null && sealer.judge(textOfInvoice(whole), whole.invoice.seal) === "right"

  return Effect.fnUntraced(function* (locked) {
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
  { next, refund, event }: Pick<Write, "next" | "refund"> & { readonly event: EventRow.EventRow | null }
): InvoiceRow.InvoiceRow => {
  const row = InvoiceRow.toRow(next)
  if (!before.isTrusted) return { ...row, seal: before.invoice.seal }
  const changed = Object.fromEntries(InvoiceRow.changing.map((name) => [name, row[name]]))
  const text = textOfInvoice({
    invoice: { ...before.invoice, ...changed },
    events: event === null ? before.events : [...before.events, event],
    refunds: refund === null ? before.refunds : merged(before.refunds, RefundRow.toRow(refund))
  })
  return { ...row, seal: sealer.seal(text) }
}

/** The event of a change as a row, with the number of deliveries that announce it. */
export const eventAfter = (event: InvoiceEvent | null, announced: ReadonlyMap<string, number>) =>
  event === null ? null : EventRow.toRow(event, announced.get(event.id) ?? 0)

// What a record says of itself when it is made stays, see the statement that writes it.
const merged = (refunds: ReadonlyArray<RefundRow.RefundRow>, row: RefundRow.RefundRow) => {
  const earlier = refunds.find(({ id }) => id === row.id)
  if (earlier === undefined) return [...refunds, row]
  const { status, reason, completed_at, provider_reference } = row
  const written = { ...earlier, status, reason, completed_at, provider_reference }
  return refunds.map((one) => (one === earlier ? written : one))
}
