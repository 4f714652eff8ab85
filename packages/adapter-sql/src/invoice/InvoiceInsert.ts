/** `InvoiceStore.insertMany`: invoices come in, each with its first event. */
import type { StorageError } from "@tolem/core/error/StorageError"
import type { TotalMove } from "@tolem/core/invoice/Consequences"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { type Creation, Insertion } from "@tolem/core/invoice/InvoiceStore"
import type { QuotaCode } from "@tolem/core/tariff/Tariff"
import { Cause, Effect, Exit, Option } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { ofTransaction, type Shards } from "../base/Shards.ts"
import { Given, notOpen } from "../base/Transactions.ts"
import { type NewRows, sealed } from "../seal/InvoiceSeal.ts"
import * as Usage from "../tariff/Usage.ts"
import * as DailyTotals from "./DailyTotals.ts"
import { eventTable } from "./EventRow.ts"
import { type InvoiceRow, invoiceTable } from "./InvoiceRow.ts"
import * as LinkTotals from "./LinkTotals.ts"

const operation = "InvoiceStore.insertMany"

const unlessTaken = "on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing"

const keyColumns = { organization_id: "text", mode: "text", idempotency_key: "text" } as const

/** The verb over this database. */
export const make = (
  database: Database["Service"],
  shards: Shards
): ((creations: ReadonlyArray<Creation>) => Effect.Effect<ReadonlyArray<Insertion>, StorageError>) => {
  const { sql, dialect, tables, statement, transaction, failing, boundedInTransactions } = database
  const toRows = sealed(database.sealer)
  const invoices = dialect.batch("s", invoiceTable.columns)
  const invoiceNames = sql.literal(Object.keys(invoiceTable.columns).join(", "))
  const eventNames = sql.literal(Object.keys(eventTable.columns).join(", "))
  const eventNamesBeside = sql.literal(
    Object.keys(eventTable.columns)
      .map((name) => `e.${name}`)
      .join(", ")
  )
  const { insert: insertInSteps, admit, findByKey } = steps(database)
  const { move: moveLinks } = LinkTotals.make(database)
  const usageOfWritten = Usage.countWritten(database)

  const eventsBeside = dialect.batch("e", eventTable.columns)

  // Everything in one statement costs one exchange with the database instead of five.
  const writing = (rows: ReadonlyArray<NewRows>, shard: number, condition: Statement.Fragment) =>
    sql`written as (
        insert into ${tables.invoices} (${invoiceNames})
        select ${invoiceNames} from ${invoices(rows.map(({ invoice }) => invoice))}
        where ${condition} ${sql.literal(unlessTaken)}
        returning id, organization_id, mode, connection_id, status, day, amount, refunded, kind, origin
      ), told as (
        insert into ${tables.events} (${eventNames})
        select ${eventNamesBeside} from ${eventsBeside(rows.map(({ event }) => event))}
        join written on written.id = e.invoice_id
      ), counted as (${DailyTotals.countWritten(database, shard)})`
  const insertAll = (rows: ReadonlyArray<NewRows>, shard: number) =>
    sql<{ readonly id: string }>`with ${writing(rows, shard, sql.literal("true"))} select id from written`

  /** In a transaction of the application, which is there as one statement finds it, or has ended. */
  const insertGiven = Effect.fnUntraced(function* (
    creations: ReadonlyArray<Creation>,
    shard: number,
    holds: Statement.Fragment
  ) {
    const { admitted, refused, soldOut } = yield* admit(creations)
    const ids = new Set<string>()
    if (admitted.length === 0) return { ids, refused, soldOut } satisfies Written
    const written = yield* sql<{ readonly id: string | null; readonly held: boolean }>`
      with ${writing(inOrderOfKeys(admitted).map(toRows), shard, holds)}, used as (${usageOfWritten(admitted)})
      select written.id, ${holds} as held from (select 1) as one left join written on true`
    for (const { id, held } of written) {
      if (!held) return yield* notOpen()
      if (id !== null) ids.add(id)
    }
    yield* moveLinks(
      admitted.flatMap(({ invoice }): ReadonlyArray<TotalMove> => (ids.has(invoice.id) ? [{ invoice, by: 1 }] : [])),
      shard
    )
    return { ids, refused, soldOut } satisfies Written
  })

  // Where invoices are counted, or need a place, that takes a lock before and a number after: never in one statement.
  const isOneStatement = (creations: ReadonlyArray<Creation>) =>
    dialect.writesInWith &&
    creations.every(({ invoice, quota }) => invoice.mode === "sandbox" && !quota && !LinkTotals.isOfLink(invoice))

  const alone = <A>(one: Effect.Effect<A, SqlError.SqlError>) =>
    boundedInTransactions ? transaction(operation, one) : statement(operation, one, { writes: true })

  const insertWith = (creations: ReadonlyArray<Creation>, shard: number) =>
    isOneStatement(creations)
      ? Effect.map(
          alone(insertAll(inOrderOfKeys(creations).map(toRows), shard)),
          (rows): Written => ({ ids: new Set(rows.map(({ id }) => id)), refused: new Map(), soldOut: new Set() })
        )
      : transaction(operation, insertInSteps(creations, shard))

  const insert = Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
    const isOwn = Option.isNone(yield* Effect.serviceOption(sql.transactionService))
    if (isOwn) return yield* shards.use((shard) => insertWith(creations, shard))
    const shard = yield* statement(operation, ofTransaction(sql), { writes: false })
    const given = yield* Given
    return given !== undefined && dialect.writesInWith
      ? yield* failing(operation, insertGiven(creations, shard, given.holds))
      : yield* insertWith(creations, shard)
  })

  // Whose row cannot be read is told so, and no other of the batch.
  const replayed = (row: InvoiceRow): Insertion => {
    try {
      return Insertion.Replayed({ invoice: invoiceTable.read(row) })
    } catch (defect) {
      return Insertion.Unanswered({ cause: Cause.die(defect) })
    }
  }

  /** Writes what can be written, and notes what became of each by its key; nothing where a rival lets go of it. */
  const attempt = Effect.fnUntraced(function* (firsts: ReadonlyArray<Creation>, outcomes: Map<string, Insertion>) {
    const { ids, refused, soldOut } = yield* insert(firsts)
    const isLoser = ({ id }: Invoice) => !ids.has(id) && !refused.has(id) && !soldOut.has(id)
    for (const { invoice } of firsts) {
      const code = refused.get(invoice.id)
      if (code !== undefined) outcomes.set(keyOf(invoice), Insertion.OverQuota({ code }))
      if (soldOut.has(invoice.id)) outcomes.set(keyOf(invoice), Insertion.SoldOut())
      if (ids.has(invoice.id)) outcomes.set(keyOf(invoice), Insertion.Created({ invoice }))
    }
    const losers = firsts.map(({ invoice }) => invoice).filter(isLoser)
    if (losers.length === 0) return
    const earlier = yield* statement(operation, dialect.exact(findByKey(losers)), { writes: false })
    for (const row of earlier) outcomes.set(keyOfRow(row), replayed(row))
  })

  return Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
    const outcomes = new Map<string, Insertion>()
    let left = firstOfEachKey(creations)
    const leave = (cause: Cause.Cause<StorageError>) => {
      for (const { invoice } of left)
        if (!outcomes.has(keyOf(invoice))) outcomes.set(keyOf(invoice), Insertion.Unanswered({ cause }))
    }
    // An invoice that was never made may give its key back between the write and the look for who has it.
    for (let count = 0; left.length > 0 && count < maxAttempts; count++) {
      const exit = yield* Effect.exit(attempt(left, outcomes))
      // What is committed stays so, whatever fails behind it. A transaction of the application is not committed yet.
      const isWritten = outcomes.size > 0 && Option.isNone(yield* Effect.serviceOption(sql.transactionService))
      if (Exit.isFailure(exit) && !isWritten) return yield* Effect.failCause(exit.cause)
      if (Exit.isFailure(exit)) leave(exit.cause)
      left = left.filter(({ invoice }) => !outcomes.has(keyOf(invoice)))
    }
    leave(Cause.die(new Error("InvoiceStore.insertMany: an invoice was neither written nor found")))
    return creations.map(({ invoice }): Insertion => {
      const outcome = outcomes.get(keyOf(invoice))!
      const isFirst = outcome._tag !== "Created" || outcome.invoice.id === invoice.id
      return isFirst ? outcome : Insertion.Replayed({ invoice: outcome.invoice })
    })
  })
}

/** How often a key is tried that a rival has, and has no longer when it is looked for. */
const maxAttempts = 10

/** Ids of the invoices that were written, and those that a quota has refused. */
interface Written {
  readonly ids: ReadonlySet<string>
  readonly refused: ReadonlyMap<string, QuotaCode>
  /** Those that found no place at their links. */
  readonly soldOut: ReadonlySet<string>
}

/** The statements that write invoices with what belongs to them, for use in a transaction. */
export const steps = (database: Database["Service"]) => {
  const { sql, dialect, tables } = database
  const toRows = sealed(database.sealer)
  const keySource = dialect.source("s", keyColumns)
  const insertInvoices = dialect.insertion(tables.invoices, invoiceTable.columns, unlessTaken)
  const insertEvents = dialect.insertion(tables.events, eventTable.columns)
  const moveTotals = DailyTotals.make(database)
  const usage = Usage.make(database)
  const links = LinkTotals.make(database)

  const replaysOf = Effect.fnUntraced(function* (invoices: ReadonlyArray<Invoice>) {
    const keyed = invoices.filter(({ idempotencyKey }) => idempotencyKey !== null)
    if (keyed.length === 0) return new Set<string>()
    const held = new Set((yield* findByKey(keyed)).map((row) => keyOf(invoiceTable.decode(row))))
    return new Set(keyed.filter((invoice) => held.has(keyOf(invoice))).map(({ id }) => id))
  })

  // Counters of quotas are locked before links, as everywhere.
  const admit = Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>) {
    const { admitted, refused } = yield* usage.admit(creations, replaysOf)
    const soldOut = yield* links.soldOut(admitted, replaysOf)
    return { admitted: admitted.filter(({ invoice }) => !soldOut.has(invoice.id)), refused, soldOut }
  })

  /** Writes those whose idempotency keys are free and that are within their quotas. */
  const insert = Effect.fnUntraced(function* (creations: ReadonlyArray<Creation>, shard: number) {
    const { admitted, refused, soldOut } = yield* admit(creations)
    if (admitted.length === 0) return { ids: new Set<string>(), refused, soldOut } satisfies Written
    const rows = inOrderOfKeys(admitted).map(toRows)
    const ids = yield* insertInvoices(rows.map(({ invoice }) => invoice))
    const written = admitted.filter(({ invoice }) => ids.has(invoice.id))
    if (written.length > 0) {
      yield* insertEvents(rows.flatMap(({ id, event }) => (ids.has(id) ? [event] : [])))
      yield* usage.move(written.map((creation) => ({ ...creation, by: 1 })))
      yield* moveTotals(
        written.map(({ invoice }): TotalMove => ({ invoice, by: 1 })),
        shard
      )
    }
    return { ids, refused, soldOut } satisfies Written
  })

  // Read after the write: what a rival has committed in between is seen only by a later statement.
  const findByKey = (invoices: ReadonlyArray<Invoice>) =>
    sql<InvoiceRow>`
      select i.* from ${keySource(invoices.map(invoiceTable.encode))}
      join ${tables.invoices} i on i.organization_id = s.organization_id and i.mode = s.mode
        and i.idempotency_key = s.idempotency_key`

  return { insert, admit, findByKey }
}

// An invoice without idempotency key stands for itself.
const keyOf = ({ id, organizationId, mode, idempotencyKey }: Invoice): string =>
  idempotencyKey === null ? id : `${organizationId}\n${mode}\n${idempotencyKey}`

const keyOfRow = ({ organization_id, mode, idempotency_key }: InvoiceRow): string =>
  `${organization_id}\n${mode}\n${idempotency_key}`

const firstOfEachKey = (creations: ReadonlyArray<Creation>): ReadonlyArray<Creation> => {
  const firsts = new Map<string, Creation>()
  for (const creation of creations) {
    const key = keyOf(creation.invoice)
    if (!firsts.has(key)) firsts.set(key, creation)
  }
  return Array.from(firsts.values())
}

// Two servers take the locks of the unique index in one order, so that they cannot wait for each other.
const inOrderOfKeys = (creations: ReadonlyArray<Creation>): ReadonlyArray<Creation> =>
  creations
    .map((creation) => [keyOf(creation.invoice), creation] as const)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, creation]) => creation)
