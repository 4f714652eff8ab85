/** Since when every invoice has to have a seal and every record a link, and the seals of invoices that are older. */
import type { RowSealer } from "@tolem/core/secret/RowSeals"
import { Clock, Effect, Layer } from "effect"
import type { SqlError, Statement } from "effect/sql"
import { Database } from "../base/Database.ts"
import * as Failures from "../base/Failures.ts"
import type { EventRow } from "../invoice/EventRow.ts"
import type { InvoiceRow } from "../invoice/InvoiceRow.ts"
import type { RefundRow } from "../invoice/RefundRow.ts"
import * as Chains from "./Chains.ts"
import { textOfInvoice, type Whole } from "./InvoiceSeal.ts"

/**
 * The record of a beginning. `upgraded`: there were invoices before there were seals, or records before there were
 * chains, and servers of the version before may still write. `begun`: every one has its own.
 */
export interface SealingRow {
  readonly id: Subject
  readonly state: "upgraded" | "begun"
  readonly begun_at: number
  readonly seal: string
}

/** Of what there is a beginning. */
export const subjects = ["invoices", "chains"] as const
/** Invoices have seals, other records have chains. */
export type Subject = (typeof subjects)[number]

/** What its own seal is made of. */
export const textOfRecord = ({ id, state, begun_at }: Omit<SealingRow, "seal">): string =>
  JSON.stringify(["sealing", id, state, begun_at])

const recordOf = (sealer: RowSealer, { id, state, begun_at }: Omit<SealingRow, "seal">): SealingRow => {
  const record = { id, state, begun_at }
  return { ...record, seal: sealer.seal(textOfRecord(record)) }
}

/**
 * Records the beginnings, the first time: at once if there is no invoice, or no record, yet. One that is missing
 * although there are seals is not made again, so that `Integrity` finds that it is gone.
 */
export const layer: Layer.Layer<never, SqlError.SqlError, Database> =
  // Servers that start together are in each other's way where every transaction is serializable.
  Layer.effectDiscard(Effect.suspend(() => record).pipe(Effect.retry({ times: 20, while: Failures.isConflict })))

const record = Effect.gen(function* () {
  const database = yield* Database
  const { sql, tables, sealer } = database
  const isOne = (select: Statement.Fragment) => Effect.map(sql`${select} limit 1`, (rows) => rows.length > 0)
  const begin = Effect.fnUntraced(function* (
    id: Subject,
    { sealed, older }: { readonly sealed: Statement.Fragment; readonly older: Statement.Fragment }
  ) {
    if (yield* isOne(sql`select id from ${tables.sealing} where id = ${id}`)) return
    if (yield* isOne(sealed)) return
    const state = (yield* isOne(older)) ? "upgraded" : "begun"
    const { begun_at, seal } = recordOf(sealer, { id, state, begun_at: yield* Clock.currentTimeMillis })
    yield* sql`insert into ${tables.sealing} (id, state, begun_at, seal)
      values (${id}, ${state}, ${begun_at}, ${seal}) on conflict (id) do nothing`
    if (id === "chains") yield* Chains.make(database).plant
  })
  yield* begin("invoices", {
    sealed: sql`select id from ${tables.invoices} where seal is not null`,
    older: sql`select id from ${tables.invoices}`
  })
  const chains = begin("chains", {
    sealed: sql`select chain from ${tables.chain_heads}`,
    older: sql.join(" union all ", false)(Chains.kinds.map((kind) => sql`select 1 as found from ${tables[kind]}`))
  })
  yield* sql.withTransaction(chains)
})

/** The statements about seals, for use in a transaction. */
export const make = ({ sql, dialect, tables, sealer }: Database["Service"]) => {
  const idSource = dialect.source("s", { id: "text" })
  const sealSource = dialect.source("s", { id: "text", seal: "text" })

  /** Whether every invoice has to have a seal by now. */
  const hasBegun = Effect.map(
    sql`select id from ${tables.sealing} where id = 'invoices' and state = 'begun'`,
    (rows) => rows.length > 0
  )

  /** What is still to begin. A record that was changed begins nothing. */
  const toBegin = Effect.map(sql<SealingRow>`select * from ${tables.sealing} where state = 'upgraded'`, (rows) =>
    rows.filter((row) => sealer.judge(textOfRecord(row), row.seal) === "right").map(({ id }) => id)
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

  /** Seals what `chosen` says, a page at a time, each in a transaction during which no other writer changes it. */
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
      const text = textOfInvoice(whole)
      const verdict = invoice.seal === null ? "none" : sealer.judge(text, invoice.seal)
      return chosen(verdict, invoice.seal) ? [{ id: invoice.id, seal: sealer.seal(text) }] : []
    })
    if (sealed.length > 0) {
      yield* sql`update ${tables.invoices} as i set seal = s.seal from ${sealSource(sealed)} where i.id = s.id`
    }
    return sealed.length
  })

  /** From now on every invoice has to have a seal, or every record a link. False: that was so before. */
  const begin = (subject: Subject, now: number) => {
    const { id, state, begun_at, seal } = recordOf(sealer, { id: subject, state: "begun", begun_at: now })
    return Effect.map(
      sql`update ${tables.sealing} set state = ${state}, begun_at = ${begun_at}, seal = ${seal}
        where id = ${id} and state = 'upgraded' returning id`,
      (rows) => rows.length > 0
    )
  }

  /** The same records with the newest key, if another one has sealed them. */
  const sealRecordsAnew = Effect.gen(function* () {
    for (const row of yield* sql<SealingRow>`select * from ${tables.sealing} order by id`) {
      if (row.seal.startsWith(`${sealer.keyId}.`)) continue
      if (sealer.judge(textOfRecord(row), row.seal) !== "right") continue
      yield* sql`update ${tables.sealing} set seal = ${sealer.seal(textOfRecord(row))}
        where id = ${row.id} and seal = ${row.seal}`
    }
  })

  return { sealRecordsAnew, toBegin, hasBegun, belongings, page, wholes, sealPage, begin }
}
