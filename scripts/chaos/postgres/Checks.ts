/** Whether everything that was acknowledged is there, once, announced, in order. */

import type { Arrival } from "@tolem/testing-harness/Receiver"
import type { Journal } from "./Clients.ts"
import type { World } from "./World.ts"

/** What is wrong. Nothing: both are empty. */
export interface Verdict {
  /** Acknowledged, and not there. */
  readonly lost: ReadonlyArray<string>
  /** There twice, or out of order, or at odds with itself. */
  readonly doubled: ReadonlyArray<string>
}

/** An invoice as the database has it. */
export interface Row {
  readonly id: string
  readonly idempotency_key: string | null
  readonly paid_at: number | null
  readonly payments: number
  readonly refunds: number
  readonly events: number
  readonly last_sequence: number
}

/** Reads them, in the words of PostgreSQL. */
export const rowsOf = `
  select i.id, i.idempotency_key, i.paid_at::float8 as paid_at,
    count(*) filter (where e.type = 'invoice.paid')::int as payments,
    count(*) filter (where e.type like 'invoice.%refunded')::int as refunds,
    count(*)::int as events, max(e.sequence)::int as last_sequence
  from tolem_invoices i join tolem_events e on e.invoice_id = i.id group by i.id`

/** Checks the database against the journal. */
export const checkDatabase = async (world: World, journal: Journal): Promise<Verdict> => {
  const rows: ReadonlyArray<object> = await world.query(rowsOf)
  const verdict = judgeRows(rows as ReadonlyArray<Row>, journal)
  const verified = await world.tolem("verify").catch((error: unknown) => ({ ok: false, findings: [String(error)] }))
  return verified.ok === true
    ? verdict
    : { ...verdict, doubled: [...verdict.doubled, `verify: ${JSON.stringify(verified.findings)}`] }
}

/** The same over rows. Pure. */
export const judgeRows = (rows: ReadonlyArray<Row>, journal: Journal): Verdict => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const lost = [
    ...Array.from(journal.created.values()).filter((id) => !byId.has(id)),
    ...Array.from(journal.paid).filter((id) => byId.get(id)?.paid_at == null),
    ...Array.from(journal.refunded).filter((id) => (byId.get(id)?.refunds ?? 0) === 0)
  ]
  const ofKeys = Map.groupBy(rows, ({ idempotency_key: key }) => key)
  const doubled = [
    ...Array.from(ofKeys).flatMap(([key, same]) => (key !== null && same.length > 1 ? [key] : [])),
    ...rows.filter(({ payments, refunds }) => payments > 1 || refunds > 1).map(({ id }) => id),
    ...rows.filter((row) => row.events !== row.last_sequence).map(({ id }) => id),
    ...journal.strange
  ]
  return { lost, doubled }
}

/** Whether each acknowledged payment and refund has arrived. */
export const isAnnounced = (journal: Journal, arrivals: ReadonlyArray<Arrival>): boolean => {
  const of = (events: RegExp) =>
    new Set(arrivals.filter(({ event }) => events.test(event)).map(({ invoice }) => invoice))
  const [paid, refunded] = [of(/\.paid$/), of(/refunded$/)]
  return [...journal.paid].every((id) => paid.has(id)) && [...journal.refunded].every((id) => refunded.has(id))
}

/** Webhooks that are not signed by the merchant's secret, or tell of a payment or refund that there is not. */
export const untrue = (rows: ReadonlyArray<Row>, arrivals: ReadonlyArray<Arrival>): ReadonlyArray<string> => {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return arrivals.flatMap(({ event, invoice, isSigned }) => {
    const row = byId.get(invoice)
    const isTrue =
      event === "invoice.paid"
        ? row !== undefined && row.payments > 0
        : !/refunded$/.test(event) || (row !== undefined && row.refunds > 0)
    return isSigned && isTrue ? [] : [`${event} of ${invoice} ${isSigned ? "is not so" : "is signed wrongly"}`]
  })
}

/** Invoices whose refund arrived before their payment. */
export const outOfOrder = (arrivals: ReadonlyArray<Arrival>): ReadonlyArray<string> => {
  const paid = new Set<string>()
  const wrong = new Set<string>()
  for (const { event, invoice } of arrivals) {
    if (event === "invoice.paid") paid.add(invoice)
    else if (/refunded$/.test(event) && !paid.has(invoice)) wrong.add(invoice)
  }
  return [...wrong]
}
