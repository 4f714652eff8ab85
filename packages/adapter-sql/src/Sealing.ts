/** Since when every invoice has to have a seal, and the seals of those that are older. */
import type { RowSealer } from "@tolem/core/RowSeals"
import { Clock, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Database } from "./Database.ts"
import * as Failures from "./Failures.ts"
import type { EventRow } from "./rows/EventRow.ts"
import type { InvoiceRow } from "./rows/InvoiceRow.ts"
import { textOf, type Whole } from "./rows/InvoiceSeal.ts"
import type { RefundRow } from "./rows/RefundRow.ts"

/**
 * The record of the beginning. `upgraded`: there were invoices before there were seals, and servers of the version
 * before may still write. `begun`: every invoice has one.
 */
export interface SealingRow {
  readonly id: string
  readonly state: "upgraded" | "begun"
  readonly begun_at: number
  readonly seal: string
}

/** The only record, and that of what it is. */
export const recordId = "invoices"

/** What its own seal is made of. */
export const textOfRecord = ({ id, state, begun_at }: Omit<SealingRow, "seal">): string =>
  JSON.stringify(["sealing", id, state, begun_at])

const recordOf = (sealer: RowSealer, state: SealingRow["state"], begun_at: number): SealingRow => {
  const record = { id: recordId, state, begun_at }
  return { ...record, seal: sealer.seal(textOfRecord(record)) }
}

/**
 * Records the beginning, the first time: at once where there is no invoice yet. Where it is missing although there are
 * seals it is not made again, so that `Integrity` finds that it is gone.
 */
export const layer: Layer.Layer<never, SqlError.SqlError, Database> =
  // Servers that start together are in each other's way where every transaction is serializable.
  Layer.effectDiscard(Effect.suspend(() => record).pipe(Effect.retry({ times: 20, while: Failures.isConflict })))

const record = Effect.gen(function* () {
  const { sql, tables, sealer } = yield* Database
  const known = yield* sql`select id from ${tables.sealing} where id = ${recordId}`
  if (known.length > 0) return
  const invoices = yield* sql`select id from ${tables.invoices} limit 1`
  const seals = yield* sql`select id from ${tables.invoices} where seal is not null limit 1`
  if (seals.length > 0) return
  const state = invoices.length === 0 ? "begun" : "upgraded"
  const { id, begun_at, seal } = recordOf(sealer, state, yield* Clock.currentTimeMillis)
  yield* sql`insert into ${tables.sealing} (id, state, begun_at, seal)
    values (${id}, ${state}, ${begun_at}, ${seal}) on conflict (id) do nothing`
})

/** The statements about seals, for use in a transaction. */
export const make = ({ sql, dialect, tables, sealer }: Database["Service"]) => {
  const idSource = dialect.source("s", { id: "text" })
  const sealSource = dialect.source("s", { id: "text", seal: "text" })

  /** Whether every invoice has to have a seal by now. */
  const hasBegun = Effect.map(
    sql`select id from ${tables.sealing} where id = ${recordId} and state = 'begun'`,
    (rows) => rows.length > 0
  )

  /** What belongs to invoices that are locked. */
  const belongings = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const of = idSource(ids.map((id) => ({ id })))
    const events = yield* sql<EventRow>`select e.* from ${of} join ${tables.events} e on e.invoice_id = s.id`
    const refunds = yield* sql<RefundRow>`select r.* from ${of} join ${tables.refunds} r on r.invoice_id = s.id`
    return {
      events: Map.groupBy(events, (row) => row.invoice_id),
      refunds: Map.groupBy(refunds, (row) => row.invoice_id)
    }
  })

  /** Invoices with all that belongs to them, in the order of their ids, from behind one on. */
  const page = Effect.fnUntraced(function* (after: string, size: number) {
    const ids = yield* sql<{ readonly id: string }>`
      select id from ${tables.invoices} where id > ${after} order by id limit ${sql.literal(String(size))}`
    return ids.map(({ id }) => id)
  })

  /** As they were at one moment. */
  const wholes = (ids: ReadonlyArray<string>) => {
    const of = () => idSource(ids.map((id) => ({ id })))
    const selects = {
      invoices: sql<InvoiceRow>`select i.* from ${of()} join ${tables.invoices} i on i.id = s.id`,
      events: sql<EventRow>`select e.* from ${of()} join ${tables.events} e on e.invoice_id = s.id`,
      refunds: sql<RefundRow>`select r.* from ${of()} join ${tables.refunds} r on r.invoice_id = s.id`
    }
    return Effect.map(
      dialect.exact(dialect.together(selects)),
      ({ invoices, events, refunds }): ReadonlyArray<Whole> => {
        const eventsOf = Map.groupBy(events, (row) => row.invoice_id)
        const refundsOf = Map.groupBy(refunds, (row) => row.invoice_id)
        return invoices.map((invoice) => ({
          invoice,
          events: eventsOf.get(invoice.id) ?? [],
          refunds: refundsOf.get(invoice.id) ?? []
        }))
      }
    )
  }

  /** Seals what `chosen` says, a page at a time, each in a transaction in which nobody else changes it. */
  const sealPage = Effect.fnUntraced(function* (
    ids: ReadonlyArray<string>,
    chosen: (verdict: "right" | "wrong" | "unknown_key" | "none", seal: string | null) => boolean
  ) {
    const invoices = yield* sql<InvoiceRow>`
      select i.* from ${idSource(ids.map((id) => ({ id })))} join ${tables.invoices} i on i.id = s.id
      order by i.id ${dialect.lockRows("i")}`
    const { events, refunds } = yield* belongings(ids)
    const sealed = invoices.flatMap((invoice) => {
      const whole = { invoice, events: events.get(invoice.id) ?? [], refunds: refunds.get(invoice.id) ?? [] }
      const text = textOf(whole)
      const verdict = invoice.seal === null ? "none" : sealer.judge(text, invoice.seal)
      return chosen(verdict, invoice.seal) ? [{ id: invoice.id, seal: sealer.seal(text) }] : []
    })
    if (sealed.length > 0) {
      yield* sql`update ${tables.invoices} as i set seal = s.seal from ${sealSource(sealed)} where i.id = s.id`
    }
    return sealed.length
  })

  /** From now on every invoice has to have a seal. False: that was so before, or the record is gone. */
  const begin = (now: number) => {
    const { state, begun_at, seal } = recordOf(sealer, "begun", now)
    return Effect.map(
      sql`update ${tables.sealing} set state = ${state}, begun_at = ${begun_at}, seal = ${seal}
        where id = ${recordId} and state = 'upgraded' returning id`,
      (rows) => rows.length > 0
    )
  }

  /** The same record with the newest key, if another one has sealed it. */
  const sealRecordAnew = Effect.gen(function* () {
    const [row] = yield* sql<SealingRow>`select * from ${tables.sealing} where id = ${recordId}`
    if (row === undefined || row.seal.startsWith(`${sealer.keyId}.`)) return
    if (sealer.judge(textOfRecord(row), row.seal) !== "right") return
    yield* sql`update ${tables.sealing} set seal = ${sealer.seal(textOfRecord(row))}
      where id = ${recordId} and seal = ${row.seal}`
  })

  return { sealRecordAnew, hasBegun, belongings, page, wholes, sealPage, begin }
}
