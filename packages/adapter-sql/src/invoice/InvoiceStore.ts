/** The core's `InvoiceStore` in SQL. */
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceStore, type NextCheck } from "@tolem/core/invoice/InvoiceStore"
import { isStorable } from "@tolem/core/value/Checks"
import type { InvoiceId, OrganizationId, RefundId } from "@tolem/core/value/Ids"
import { Effect, Layer, Option } from "effect"
import { Database } from "../base/Database.ts"
import * as DueRows from "../base/DueRows.ts"
import * as Shards from "../base/Shards.ts"
import { faceOf } from "../merchant/ProfileStore.ts"
import { type EventRow, eventTable } from "./EventRow.ts"
import * as InvoiceCommit from "./InvoiceCommit.ts"
import * as InvoiceInsert from "./InvoiceInsert.ts"
import * as InvoiceList from "./InvoiceList.ts"
import { type InvoiceRow, invoiceTable } from "./InvoiceRow.ts"
import { type RefundRow, refundTable } from "./RefundRow.ts"

/** Settings of the store. */
export interface Options {
  /** Number of this process, from 0 to 63: those with different ones do not wait for each other's daily totals. */
  readonly process?: number | undefined
}

/** The store over the database. */
export const layer = (options: Options = {}): Layer.Layer<InvoiceStore, never, Database> =>
  Layer.effect(
    InvoiceStore,
    Effect.map(Database, (database) => make(database, Shards.make(options.process ?? 0)))
  )

const make = (database: Database["Service"], shards: Shards.Shards): InvoiceStore["Service"] => {
  const { sql, dialect, tables, one, statement, snapshot } = database

  const find = (id: InvoiceId) => {
    if (!isStorable(id)) return Effect.succeed(Option.none())
    return one("InvoiceStore.find", selectOne(id), invoiceTable.decode)
  }
  const findKey: InvoiceStore["Service"]["findKey"] = ({ organizationId, mode }, idempotencyKey) => {
    const select = sql<InvoiceRow>`
      select * from ${tables.invoices}
      where organization_id = ${organizationId} and mode = ${mode} and idempotency_key = ${idempotencyKey}`
    return one("InvoiceStore.findKey", select, invoiceTable.decode)
  }
  const selectOne = (id: string) => sql<InvoiceRow>`select * from ${tables.invoices} where id = ${id}`

  const findSold = (id: InvoiceId) => {
    if (!isStorable(id)) return Effect.succeed(Option.none())
    const select = sql<InvoiceRow & SellerColumns>`
      select i.*, o.name as seller_name, o.legal_name as seller_legal_name, o.idn as seller_idn,
        o.face as seller_face, o.logo as seller_logo
      from ${tables.invoices} i left join ${tables.organizations} o on o.id = i.organization_id
      where i.id = ${id}`
    return one("InvoiceStore.findSold", select, (row) => ({
      invoice: invoiceTable.decode(row),
      seller: {
        name: row.seller_name,
        legalName: row.seller_legal_name,
        idn: row.seller_idn,
        face: faceOf(row.seller_face),
        logo: row.seller_logo
      }
    }))
  }

  const findRefund = (id: RefundId) => {
    if (!isStorable(id)) return Effect.succeed(Option.none())
    const select = sql<RefundRow>`select * from ${tables.refunds} where id = ${id}`
    return one("InvoiceStore.findRefund", select, refundTable.decode)
  }

  const history = Effect.fnUntraced(function* (organizationId: OrganizationId, invoiceId: InvoiceId) {
    const rows = yield* snapshot("InvoiceStore.history", {
      events: sql<EventRow>`
        select * from ${tables.events}
        where invoice_id = ${invoiceId} and organization_id = ${organizationId} order by sequence`,
      refunds: sql<RefundRow>`
        select * from ${tables.refunds}
        where invoice_id = ${invoiceId} and organization_id = ${organizationId} order by created_at, id`
    })
    return { events: rows.events.map(eventTable.decode), refunds: rows.refunds.map(refundTable.decode) }
  })

  const idSource = dialect.source("s", { id: "text" })
  const details = Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    const wanted = idSource(Array.from(new Set(ids.filter(isStorable)), (id) => ({ id })))
    const { invoices, events, refunds } = yield* snapshot("InvoiceStore.details", {
      invoices: sql<InvoiceRow>`
        select i.* from ${wanted} join ${tables.invoices} i on i.id = s.id`,
      events: sql<EventRow>`
        select e.* from ${wanted} join ${tables.events} e on e.invoice_id = s.id order by e.invoice_id, e.sequence`,
      refunds: sql<RefundRow>`
        select r.* from ${wanted} join ${tables.refunds} r on r.invoice_id = s.id order by r.created_at, r.id`
    })
    const byId = new Map(invoices.map((row) => [row.id, invoiceTable.decode(row)]))
    const eventsOf = Map.groupBy(events.map(eventTable.decode), ({ invoiceId }) => invoiceId)
    const refundsOf = Map.groupBy(refunds.map(refundTable.decode), ({ invoiceId }) => invoiceId)
    return ids.map((id) =>
      Option.map(Option.fromUndefinedOr(byId.get(id)), (invoice) => ({
        invoice,
        events: eventsOf.get(id) ?? [],
        refunds: refundsOf.get(id) ?? []
      }))
    )
  })

  const versions = Effect.fnUntraced(function* (ids: ReadonlyArray<InvoiceId>) {
    if (ids.length === 0) return new Map<InvoiceId, number>()
    const wanted = idSource(ids.filter(isStorable).map((id) => ({ id })))
    const select = sql<Pick<InvoiceRow, "id" | "version">>`
      select i.id, i.version from ${wanted} join ${tables.invoices} i on i.id = s.id`
    const rows = yield* statement("InvoiceStore.versions", select, { writes: false })
    return new Map(rows.map(({ id, version }) => [id, version]))
  })

  const due = DueRows.make<InvoiceRow>(database, {
    table: tables.invoices,
    key: { id: "text" },
    kind: "invoice",
    port: "InvoiceStore",
    leases: "invoice_leases"
  })
  const claim: InvoiceStore["Service"]["claim"] = Effect.fnUntraced(function* (now, until, limit, among, only) {
    const unasked = (alias: string) => {
      const column = (name: string) => sql.literal(`${alias}.${name}`)
      return sql` and (${column("mode")} = 'sandbox' or (${column("making")} = 'waits' and
        (coalesce(${column("origin")}, '') <> 'transaction' or ${column("valid_until")} <= cast(${now} as bigint))))`
    }
    const rows = yield* due.lease(now, until, limit, among, only === "unasked" ? unasked : undefined)
    return (yield* due.readEach(rows, { now, until }, invoiceTable.read)).toSorted(byAge)
  })

  const lookSource = dialect.source("s", lookColumns)
  const rescheduleMany = (looks: ReadonlyArray<NextCheck>) => {
    if (looks.length === 0) return Effect.void
    const update = sql`
      update ${tables.invoices} as i set due_at = s.due_at, provider_status = s.provider_status
      from ${lookSource(looks.toSorted(byId).map(toLookRow))} where i.id = s.id and i.version = s.version`
    return Effect.asVoid(statement("InvoiceStore.rescheduleMany", update, { writes: true }))
  }

  return {
    insertMany: InvoiceInsert.make(database, shards),
    ...InvoiceCommit.make(database, shards),
    find,
    findSold,
    versions,
    findRefund,
    findKey,
    details,
    history,
    list: InvoiceList.make(database),
    claim,
    waiting: due.waiting,
    rescheduleMany
  }
}

interface SellerColumns {
  readonly seller_name: string | null
  readonly seller_legal_name: string | null
  readonly seller_idn: string | null
  readonly seller_face: string | null
  readonly seller_logo: string | null
}

const lookColumns = { id: "text", version: "bigint", due_at: "bigint", provider_status: "text" } as const

const toLookRow = ({ id, version, dueAt, providerStatus }: NextCheck) => ({
  id,
  version,
  due_at: dueAt,
  provider_status: providerStatus
})

const byId = (a: NextCheck, b: NextCheck): number => (a.id < b.id ? -1 : 1)

const byAge = (a: Invoice, b: Invoice): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)
