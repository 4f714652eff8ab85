/** `InvoiceStore.insertMany`: invoices come in, each with its first event. */
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { type Creation, Insertion } from "@tolem/core/invoice/InvoiceStore"
import type { StorageError } from "@tolem/core/StorageError"
import { Effect } from "effect"
import type { Move } from "./DailyTotals.ts"
import * as DailyTotals from "./DailyTotals.ts"
import type { Database } from "./Database.ts"
import * as EventRow from "./rows/EventRow.ts"
import * as InvoiceRow from "./rows/InvoiceRow.ts"
import type { Shards } from "./Shards.ts"

const operation = "InvoiceStore.insertMany"

const unlessTaken = "on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing"

const keyColumns = { organization_id: "text", mode: "text", idempotency_key: "text" } as const

/** The verb over this database. */
export const make = (
  database: Database["Service"],
  shards: Shards
): ((creations: ReadonlyArray<Creation>) => Effect.Effect<ReadonlyArray<Insertion>, StorageError>) => {
  const { sql, dialect, tables, statement, transaction } = database
  const invoiceSource = dialect.source("s", InvoiceRow.columns)
  const invoiceNames = sql.literal(Object.keys(InvoiceRow.columns).join(", "))
  const eventNames = sql.literal(Object.keys(EventRow.columns).join(", "))
  const { insert: insertInSteps, findByKey } = steps(database)

  const eventsBeside = dialect.source("e", EventRow.columns)
  const qualifiedEventNames = sql.literal(
    Object.keys(EventRow.columns)
      .map((name) => `e.${name}`)
      .join(", ")
  )

  // Everything in one statement costs one exchange with the database instead of five.
  const insertAll = (creations: ReadonlyArray<Creation>, shard: number) =>
    sql<{ readonly id: string }>`
      with written as (
        insert into ${tables.invoices} (${invoiceNames})
        select ${invoiceNames} from ${invoiceSource(creations.map(({ invoice }) => InvoiceRow.toRow(invoice)))}
        where true ${sql.literal(unlessTaken)}
        returning id, organization_id, mode, connection_id, status, day, amount, refunded
      ), told as (
        insert into ${tables.events} (${eventNames})
        select ${qualifiedEventNames} from ${eventsBeside(creations.map(({ event }) => EventRow.toRow(event)))}
        join written on written.id = e.invoice_id
      ), counted as (${DailyTotals.countWritten(database, shard)})
      select id from written`

  const insert = (creations: ReadonlyArray<Creation>) =>
    shards.use((shard) =>
      dialect.writesInWith
        ? statement(operation, insertAll(creations, shard), { writes: true })
        : transaction(operation, insertInSteps(creations, shard))
    )

  return Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
    if (creations.length === 0) return []
    const firsts = firstOfEachKey(creations)
    const ids = new Set((yield* insert(firsts)).map(({ id }) => id))
    const losers = firsts.filter(({ invoice }) => !ids.has(invoice.id)).map(({ invoice }) => invoice)
    const earlier = losers.length === 0 ? [] : yield* statement(operation, findByKey(losers), { writes: false })
    const holders = new Map<string, Invoice>()
    for (const { invoice } of firsts) if (ids.has(invoice.id)) holders.set(keyOf(invoice), invoice)
    for (const row of earlier) {
      const invoice = InvoiceRow.fromRow(row)
      holders.set(keyOf(invoice), invoice)
    }
    return creations.map(({ invoice }): Insertion => {
      if (ids.has(invoice.id)) return Insertion.Created({ invoice })
      const holder = holders.get(keyOf(invoice))
      if (holder === undefined) throw new Error("InvoiceStore.insertMany: an invoice was neither written nor found")
      return Insertion.Replayed({ invoice: holder })
    })
  })
}

/** The statements that write invoices with what belongs to them, for use in a transaction. */
export const steps = (database: Database["Service"]) => {
  const { sql, dialect, tables } = database
  const invoiceSource = dialect.source("s", InvoiceRow.columns)
  const eventSource = dialect.source("s", EventRow.columns)
  const keySource = dialect.source("s", keyColumns)
  const invoiceNames = sql.literal(Object.keys(InvoiceRow.columns).join(", "))
  const eventNames = sql.literal(Object.keys(EventRow.columns).join(", "))
  const moveTotals = DailyTotals.make(database)

  const insertInvoices = (invoices: ReadonlyArray<Invoice>) =>
    sql<{ readonly id: string }>`
      insert into ${tables.invoices} (${invoiceNames})
      select ${invoiceNames} from ${invoiceSource(invoices.map(InvoiceRow.toRow))} where true
      ${sql.literal(unlessTaken)}
      returning id`

  const insertEvents = (creations: ReadonlyArray<Creation>) =>
    sql`insert into ${tables.events} (${eventNames})
      select ${eventNames} from ${eventSource(creations.map(({ event }) => EventRow.toRow(event)))} where true`

  /** Writes those whose idempotency keys are free, and answers their ids. */
  const insert = Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>, shard: number) {
    const rows = yield* insertInvoices(creations.map(({ invoice }) => invoice))
    const ids = new Set(rows.map(({ id }) => id))
    const written = creations.filter(({ invoice }) => ids.has(invoice.id))
    if (written.length > 0) {
      yield* insertEvents(written)
      yield* moveTotals(
        written.map(({ invoice }): Move => ({ invoice, by: 1 })),
        shard
      )
    }
    return rows
  })

  // Read after the write: what a rival has committed in between is seen only by a later statement.
  const findByKey = (invoices: ReadonlyArray<Invoice>) =>
    sql<InvoiceRow.InvoiceRow>`
      select i.* from ${keySource(invoices.map(InvoiceRow.toRow))}
      join ${tables.invoices} i on i.organization_id = s.organization_id and i.mode = s.mode
        and i.idempotency_key = s.idempotency_key`

  return { insert, findByKey }
}

// An invoice without idempotency key stands for itself.
const keyOf = ({ id, organizationId, mode, idempotencyKey }: Invoice): string =>
  idempotencyKey === null ? id : `${organizationId}\n${mode}\n${idempotencyKey}`

// Sorted by key: two servers take the locks of the unique index in one order, so that they cannot wait for each other.
const firstOfEachKey = (creations: ReadonlyArray<Creation>): ReadonlyArray<Creation> => {
  const firsts = new Map<string, Creation>()
  for (const creation of creations) {
    const key = keyOf(creation.invoice)
    if (!firsts.has(key)) firsts.set(key, creation)
  }
  return Array.from(firsts)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, creation]) => creation)
}
