/** The core's `SandboxStore` in SQL. What is removed is found by its mode, or belongs to what was. */
import { type RemovalRequest, SandboxStore } from "@tolem/core/engine/SandboxStore"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { dayOf } from "@tolem/core/value/Calendar"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import * as Shards from "../base/Shards.ts"
import * as Sequencer from "../feed/Sequencer.ts"
import * as DailyTotals from "../invoice/DailyTotals.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import * as Chains from "../seal/Chains.ts"
import { paysForOrder } from "../tariff/OrderInvoice.ts"

/** Notes that are looked at for each invoice that may go: more than most have. */
const placesPerInvoice = 8

/** Settings of the store. */
export interface Options {
  /** See `InvoiceStore`. */
  readonly process?: number | undefined
}

/** The store over the database. */
export const layer = (options: Options = {}): Layer.Layer<SandboxStore, never, Database> =>
  Layer.effect(
    SandboxStore,
    Effect.map(Database, (database) => make(database, Shards.make(options.process ?? 0)))
  )

const make = (database: Database["Service"], shards: Shards.Shards): SandboxStore["Service"] => {
  const { sql, dialect, tables, all, statement, transaction } = database
  const moveTotals = DailyTotals.make(database)
  const chains = Chains.make(database)
  const place = Sequencer.make(database)
  const idSource = dialect.source("s", { id: "text" })

  const organizations = (after: string, limit: number) => {
    const select = sql<{ readonly id: string }>`
      select id from ${tables.organizations} where id > ${after} order by id limit cast(${limit} as bigint)`
    return all("SandboxStore.organizations", select, ({ id }) => id)
  }

  /** Removes invoices that are locked, with all that belongs to them. */
  const remove = Effect.fnUntraced(function* (invoices: ReadonlyArray<Invoice>, shard: number) {
    if (invoices.length === 0) return
    // A server that gives places now would give one to an event that is removed here.
    yield* Sequencer.lock(database, invoices[0]!.organizationId)
    const ids = () => sql`(select s.id from ${idSource(invoices.map(({ id }) => ({ id })))})`
    yield* sql`delete from ${tables.attempts} where delivery_id in (
      select d.id from ${tables.deliveries} d where d.mode = 'sandbox' and d.invoice_id in ${ids()})`
    yield* sql`delete from ${tables.deliveries} where mode = 'sandbox' and invoice_id in ${ids()}`
    yield* sql`delete from ${tables.mails} where mode = 'sandbox' and invoice_id in ${ids()}`
    yield* sql`delete from ${tables.refunds} where invoice_id in ${ids()}`
    yield* sql`delete from ${tables.reactions} where mode = 'sandbox' and invoice_id in ${ids()}`
    yield* sql`delete from ${tables.feed} where mode = 'sandbox' and invoice_id in ${ids()}`
    yield* sql`delete from ${tables.events} where invoice_id in ${ids()}`
    yield* sql`delete from ${tables.invoices} where mode = 'sandbox' and id in ${ids()}`
    yield* moveTotals(
      invoices.map((invoice) => ({ invoice, by: -1 })),
      shard
    )
  })

  /** The oldest behind a place, whether they have changed or not: so a sweep comes to its end. */
  const candidates = ({ organizationId, before, limit, after }: RemovalRequest) => {
    const { createdAt, id } = after ?? { createdAt: -1, id: "" }
    return sql<{ readonly id: string; readonly created_at: number }>`
      select i.id, i.created_at from ${tables.invoices} i
      where i.organization_id = ${organizationId} and i.mode = 'sandbox'
        and (i.created_at, i.id) > (cast(${createdAt} as bigint), ${id}) and i.created_at <= cast(${before} as bigint)
      order by i.created_at, i.id limit cast(${limit} as bigint)`
  }

  // Servers of the version before wrote a run's place as the invoice's key, without a fingerprint.
  const origin = sql.literal("coalesce(i.origin, case when i.fingerprint is null then i.idempotency_key end)")

  const forgettable = (ids: ReadonlyArray<{ readonly id: string }>, { organizationId, before }: RemovalRequest) =>
    sql<InvoiceRow>`
      select i.* from ${idSource(ids.map(({ id }) => ({ id })))} join ${tables.invoices} i on i.id = s.id
      where i.organization_id = ${organizationId} and i.mode = 'sandbox'
        and i.updated_at <= cast(${before} as bigint)
        and not exists (
          select 1 from ${tables.subscription_runs} r where r.subscription_id = substr(${origin}, 14, 30)
            and ${origin} like 'subscription/%')
        and not exists (
          select 1 from ${tables.tariff_orders} o where o.id = substr(i.idempotency_key, 8)
            and ${sql.literal(paysForOrder)})
      order by i.id ${dialect.lockFreeRows("i")}`

  const forgetInvoices: SandboxStore["Service"]["forgetInvoices"] = Effect.fnUntraced(function* (
    asked: RemovalRequest
  ) {
    const found = yield* statement("SandboxStore.forgetInvoices", candidates(asked), { writes: false })
    const last = found.at(-1)
    if (last === undefined) return { invoices: 0, next: null }
    // Notes of what is removed go when places are given, also if the feed is never read.
    yield* place(asked.organizationId, placesPerInvoice * asked.limit)
    const write = (shard: number) =>
      Effect.gen(function* () {
        const invoices = (yield* forgettable(found, asked)).map(invoiceTable.decode)
        yield* remove(invoices, shard)
        return invoices.length
      })
    const invoices = yield* shards.use((shard) => transaction("SandboxStore.forgetInvoices", write(shard)))
    return { invoices, next: found.length < asked.limit ? null : { createdAt: last.created_at, id: last.id } }
  })

  const unchanged = ({ organizationId, before, limit }: Omit<RemovalRequest, "after">) =>
    sql<{ readonly id: string }>`
      select d.id from ${tables.subscriptions} d
      where d.organization_id = ${organizationId} and d.mode = 'sandbox'
        and d.created_at <= cast(${before} as bigint) and d.updated_at <= cast(${before} as bigint)
        and not exists (
          select 1 from ${tables.subscription_events} e join ${tables.invoices} i on i.id = e.invoice_id
          where e.subscription_id = d.id and i.updated_at > cast(${before} as bigint))
      order by d.created_at, d.id limit cast(${limit} as bigint) ${dialect.lockFreeRows("d")}`

  /** Their invoices, locked, by the subscription's id; none if one has changed meanwhile or is being changed. */
  const invoicesOf = Effect.fnUntraced(function* (
    subscriptions: ReadonlyArray<{ readonly id: string }>,
    { organizationId, before }: Omit<RemovalRequest, "after">
  ) {
    const made = yield* sql<{ readonly id: string; readonly invoice_id: string }>`
      select distinct s.id, e.invoice_id from ${idSource(subscriptions)}
      join ${tables.subscription_events} e on e.subscription_id = s.id
      where e.invoice_id is not null`
    const wanted = made.map(({ invoice_id: id }) => ({ id }))
    // Others lock invoices before subscriptions: what they hold is left, so that there is no deadlock.
    const free = yield* sql<InvoiceRow>`
      select i.* from ${idSource(wanted)} join ${tables.invoices} i on i.id = s.id
      where i.organization_id = ${organizationId} and i.mode = 'sandbox' and i.updated_at <= cast(${before} as bigint)
      order by i.id ${dialect.lockFreeRows("i")}`
    const rows = new Map(free.map((row) => [row.id, row]))
    const byId = Map.groupBy(made, ({ id }) => id)
    return subscriptions.flatMap(({ id }) => {
      const invoices = (byId.get(id) ?? []).map(({ invoice_id: invoiceId }) => rows.get(invoiceId))
      return invoices.every((row) => row !== undefined) ? [{ id, invoices: invoices.map(invoiceTable.decode) }] : []
    })
  })

  const forgetSubscriptions: SandboxStore["Service"]["forgetSubscriptions"] = (asked) => {
    const write = (shard: number) =>
      Effect.gen(function* () {
        const found = yield* unchanged(asked)
        if (found.length === 0) return 0
        const subscriptions = yield* invoicesOf(found, asked)
        if (subscriptions.length === 0) return 0
        const ids = () => sql`(select s.id from ${idSource(subscriptions.map(({ id }) => ({ id })))})`
        yield* remove(
          subscriptions.flatMap(({ invoices }) => invoices),
          shard
        )
        yield* sql`delete from ${tables.subscription_runs} where mode = 'sandbox' and subscription_id in ${ids()}`
        yield* sql`delete from ${tables.subscription_events} where subscription_id in ${ids()}`
        const chained = sql`mode = 'sandbox' and id in ${ids()}`
        const gone = sql`delete from ${tables.subscriptions} where ${chained} returning *`
        yield* chains.append((yield* chains.removing("subscriptions", chained, gone)).entries)
        return subscriptions.length
      })
    return shards.use((shard) => transaction("SandboxStore.forgetSubscriptions", write(shard)))
  }

  const forgetTraces: SandboxStore["Service"]["forgetTraces"] = ({ organizationId, before, limit }) => {
    const write = Effect.gen(function* () {
      yield* sql`delete from ${tables.usage} where organization_id = ${organizationId}
        and (period like 'sandbox/%' or period like 'letters/sandbox/%')
        and substr(period, length(period) - 9) < ${dayOf(before)}`
      const tests = yield* sql<{ readonly id: string }>`
        select d.id from ${tables.endpoints} e join ${tables.deliveries} d on d.endpoint_id = e.id
        where e.organization_id = ${organizationId} and e.mode = 'sandbox' and e.removed_at is null
          and d.kind = 'webhook.test' and d.mode = 'sandbox' and d.created_at <= cast(${before} as bigint)
        limit cast(${limit} as bigint)`
      if (tests.length === 0) return 0
      const ids = () => sql`(select s.id from ${idSource(tests)})`
      yield* sql`delete from ${tables.attempts} where delivery_id in ${ids()}`
      yield* sql`delete from ${tables.deliveries} where mode = 'sandbox' and id in ${ids()}`
      return tests.length
    })
    return transaction("SandboxStore.forgetTraces", write)
  }

  return { organizations, forgetInvoices, forgetSubscriptions, forgetTraces }
}
