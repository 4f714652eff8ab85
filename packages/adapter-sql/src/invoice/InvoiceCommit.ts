/** `InvoiceStore.commitMany`: what decisions yield is written, unless another writer was faster. */

import { type Consequences, consequences } from "@tolem/core/invoice/Consequences"
import { LinkSoldOut } from "@tolem/core/invoice/changes/LinkShare"
import type { InvoiceEvent } from "@tolem/core/invoice/Invoice"
import { InvoiceChanged, type InvoiceStore, type Write } from "@tolem/core/invoice/InvoiceStore"
import type { Refund } from "@tolem/core/invoice/Refund"
import { OverQuota } from "@tolem/core/tariff/Tariff"
import { Effect, Result } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import * as AuditLog from "../audit/AuditLog.ts"
import type { Database } from "../base/Database.ts"
import type { Shards } from "../base/Shards.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { winnersOf } from "../base/Winners.ts"
import * as MailStore from "../mail/MailStore.ts"
import * as Resealer from "../seal/Resealer.ts"
import * as Usage from "../tariff/Usage.ts"
import * as DailyTotals from "./DailyTotals.ts"
import { type Announced, eventTable } from "./EventRow.ts"
import { type InvoiceRow, invoiceTable } from "./InvoiceRow.ts"
import * as LinkTotals from "./LinkTotals.ts"
import { refundTable } from "./RefundRow.ts"

const changed = Result.fail(new InvoiceChanged())
const receiptDigits = 8

/** The verbs over this database. */
export const make = (
  database: Database["Service"],
  shards: Shards
): Pick<InvoiceStore["Service"], "commitMany" | "recount"> => {
  const { transaction } = database
  const usage = Usage.make(database)
  const statements = makeStatements(database)
  const events = TableStatements.make(database, eventTable)
  const moveTotals = DailyTotals.make(database)
  const insertMails = MailStore.makeInsert(database)
  const links = LinkTotals.make(database)
  const audits = AuditLog.make(database)
  const beforeChange = Resealer.make(database)

  const numberReceipts = Effect.fnUntraced(function* (winners: ReadonlyArray<Winner>) {
    const counts = new Map<string, number>()
    for (const { next, isNumbered } of winners) {
      if (isNumbered) counts.set(next.organizationId, (counts.get(next.organizationId) ?? 0) + 1)
    }
    if (counts.size === 0) return winners.map(({ next }) => next)
    const rows = yield* statements.countReceipts(counts)
    const used = new Map(rows.map((row) => [row.organization_id, row.value - counts.get(row.organization_id)!]))
    return winners.map(({ next, isNumbered }) => {
      if (!isNumbered) return next
      const number = used.get(next.organizationId)! + 1
      used.set(next.organizationId, number)
      return { ...next, receiptNumber: String(number).padStart(receiptDigits, "0") }
    })
  })

  // An agent that looks at the run right now has not seen this, so what it writes must fail: also if the run has ended,
  // as a customer may have it begin again. The subscription is locked before its runs, as everywhere.
  const wakeRuns = Effect.fnUntraced(function* (waking: ReadonlyArray<Told>) {
    const locked = yield* statements.lockSubscriptions(waking)
    if (locked.length === 0) return
    yield* statements.touchSubscriptions(locked)
    yield* statements.wakeRuns(waking)
  })

  const write = Effect.fnUntraced(function* (changes: ReadonlyArray<Write>, shard: number) {
    const locked = yield* statements.lock(changes)
    const won = winnersOf(changes, locked)
    const winners = changes.filter((_, index) => won[index]).map((each) => ({ ...each, ...consequences(each) }))
    if (winners.length === 0) return { won, rows: [] }
    const winning = new Set(winners.map(({ next }) => next.id))
    const before = yield* beforeChange(locked.filter(({ id }) => winning.has(id)))
    const rows = yield* numberReceipts(winners)
    const told = winners.filter(hasEvent)
    const announced = told.filter(({ isAnnounced }) => isAnnounced)
    const deliveries = announced.length === 0 ? [] : yield* statements.insertDeliveries(announced)
    // Counted with the event: whatever becomes of the endpoints, it can be seen that a delivery has gone.
    const counts = countsOf(deliveries)
    const announce = (event: InvoiceEvent): Announced => ({ ...event, announced: counts.get(event.id) })
    const sealed = winners.map(({ event, refund, next: { id } }, index) =>
      Resealer.rowAfter(database, before.get(id)!, {
        next: rows[index]!,
        refund,
        event: event === null ? null : announce(event)
      })
    )
    yield* statements.updateInvoices(sealed)
    if (told.length > 0) yield* events.insertAll(told.map(({ event }) => announce(event)))
    const refunds = winners.flatMap(({ refund }) => refund ?? [])
    if (refunds.length > 0) yield* statements.upsertRefunds(refunds)
    yield* insertMails(winners.flatMap(({ mail }) => mail ?? []))
    const waking = told.filter(({ wakesRun }) => wakesRun)
    if (waking.length > 0) yield* wakeRuns(waking)
    yield* moveTotals(
      winners.flatMap(({ totals }) => totals),
      shard
    )
    yield* audits.insert(winners.map(({ audit }) => audit))
    return { won, rows }
  })

  const commitMany = Effect.fnUntraced(function* (changes: ReadonlyArray<Write>) {
    if (changes.length === 0) return []
    const { won, rows } = yield* shards.use((shard) => transaction("InvoiceStore.commitMany", write(changes, shard)))
    const written = rows.values()
    return won.map((wins) => (wins ? Result.succeed(written.next().value!) : changed))
  })

  const recount: InvoiceStore["Service"]["recount"] = (change, quota) => {
    const { previous, next } = change
    const counted = (shard: number) =>
      Effect.gen(function* () {
        // Counters first, then the link, as where invoices come in: the two never wait for each other.
        const used = yield* usage.move([previous, next].map((invoice) => ({ invoice, by: 0 })))
        const isSoldOut = LinkTotals.takesPlace(change) ? yield* links.lock(next) : Effect.succeed(false)
        const { rows } = yield* write([change], shard)
        const row = rows[0]
        if (row === undefined) return yield* new InvoiceChanged()
        if (yield* isSoldOut) return yield* new LinkSoldOut()
        const place = { invoice: next, quota }
        const code = Usage.refusalOf(place, used) ?? (yield* usage.visitorsRefusalOf(place, used))
        if (code !== undefined) return yield* new OverQuota({ code })
        yield* usage.move([
          { invoice: previous, by: -1 },
          { invoice: next, by: 1 }
        ])
        return row
      })
    return shards.use((shard) => transaction("InvoiceStore.recount", counted(shard)))
  }

  return { commitMany, recount }
}

/** Identifier of the delivery of one event to one endpoint, in SQL: made of both, so that there is one at most. */
export const deliveryId = (sql: SqlClient.SqlClient, event: string, endpoint: string): Statement.Fragment =>
  sql.literal(`'dlv_' || substr(${event}.id, 5) || '_' || substr(${endpoint}.id, 5)`)

const countsOf = (deliveries: ReadonlyArray<{ readonly event_id: string }>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const { event_id } of deliveries) counts.set(event_id, (counts.get(event_id) ?? 0) + 1)
  return counts
}

type Winner = Write & Consequences
type Told = Winner & { readonly event: InvoiceEvent }

const hasEvent = (winner: Winner): winner is Told => winner.event !== null

const runRows = (changes: ReadonlyArray<Told>) =>
  changes.flatMap(({ event, next: { origin } }) =>
    origin?.kind === "subscription" ? [{ subscription_id: origin.id, run: origin.run, at: event.createdAt }] : []
  )

const makeStatements = (database: Database["Service"]) => {
  const { sql, dialect, tables } = database
  const idSource = dialect.source("s", { id: "text" })
  const invoices = TableStatements.make(database, invoiceTable)
  const invoiceSource = dialect.source("s", { id: "text", ...invoiceTable.changing })
  const refundRows = TableStatements.make(database, refundTable)
  const counterSource = dialect.source("s", { organization_id: "text", value: "bigint" })
  const announcedSource = dialect.source("s", {
    ...eventTable.columns,
    mode: "text",
    connection_id: "text",
    ready_at: "bigint"
  })
  const runSource = dialect.source("s", { subscription_id: "text", run: "bigint", at: "bigint" })

  return {
    // Locked in one order and read first, so that everything after it is certain to succeed.
    lock: (changes: ReadonlyArray<Write>) =>
      sql<InvoiceRow>`
        select i.* from ${idSource(Array.from(new Set(changes.map(({ previous }) => previous.id)), (id) => ({ id })))}
        join ${tables.invoices} i on i.id = s.id
        order by i.id ${dialect.lockRows("i")}`,

    countReceipts: (counts: ReadonlyMap<string, number>) => {
      const rows = Array.from(counts, ([organization_id, value]) => ({ organization_id, value }))
      rows.sort((a, b) => (a.organization_id < b.organization_id ? -1 : 1))
      return sql<{ readonly organization_id: string; readonly value: number }>`
        insert into ${tables.receipt_counters} as t (organization_id, value)
        select organization_id, value from ${counterSource(rows)} where true
        on conflict (organization_id) do update set value = t.value + excluded.value
        returning organization_id, value`
    },

    updateInvoices: (rows: ReadonlyArray<InvoiceRow>) =>
      sql`update ${tables.invoices} as i set ${invoices.setFromBatch}
        from ${invoiceSource(rows)} where i.id = s.id`,

    upsertRefunds: (refunds: ReadonlyArray<Refund>) =>
      refundRows.insertAll(refunds, `on conflict (id) do update set ${refundRows.changes}`),

    lockSubscriptions: (changes: ReadonlyArray<Told>) =>
      sql<{ readonly id: string }>`
        select d.id from ${tables.subscriptions} d
        where d.id in (select s.subscription_id from ${runSource(runRows(changes))})
        order by d.id ${dialect.lockRows("d")}`,

    touchSubscriptions: (rows: ReadonlyArray<{ readonly id: string }>) =>
      sql`update ${tables.subscriptions} set version = version + 1 where id in ${sql.in(rows.map(({ id }) => id))}`,

    wakeRuns: (changes: ReadonlyArray<Told>) =>
      sql`update ${tables.subscription_runs} as d set due_at = s.at from ${runSource(runRows(changes))}
        where d.subscription_id = s.subscription_id and d.run = s.run and d.status <> 'ended'`,

    /**
     * One delivery per endpoint that wants the event. Its identifier is made of both, so that one event reaches an
     * endpoint once. The endpoint cannot change meanwhile, or one that is removed could miss the delivery.
     */
    insertDeliveries: (changes: ReadonlyArray<Told>) => {
      const rows = changes.map(({ event, next, aheadMs = 0 }) => ({
        ...eventTable.encode(event),
        mode: next.mode,
        connection_id: next.connectionId,
        ready_at: event.createdAt - aheadMs
      }))
      return sql<{ readonly event_id: string }>`
        insert into ${tables.deliveries} (
          id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence,
          status, attempt_count, due_at, ready_at, lease, created_at, completed_at
        )
        select
          ${deliveryId(sql, "s", "e")}, e.id, s.organization_id, s.mode, s.type, s.invoice_id,
          s.id, s.sequence, 'pending', 0, s.ready_at, s.ready_at, null, s.ready_at, null
        from ${announcedSource(rows)}
        join ${tables.endpoints} e on e.organization_id = s.organization_id and e.mode = s.mode
        where e.disabled = 0 and e.removed_at is null
          and (e.connection_id is null or e.connection_id = s.connection_id)
          and (e.events = '' or ${dialect.position}(e.events, ',' || s.type || ',') > 0)
        order by e.id ${dialect.shareRows("e")}
        returning event_id`
    }
  }
}
