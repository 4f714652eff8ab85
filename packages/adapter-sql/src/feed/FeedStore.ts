/** The core's `FeedStore` in SQL: pages, and who has something to read. */
import { beginning, type Cursor, timeOfCursor } from "@tolem/core/feed/Cursor"
import { type FeedEntry, type FeedQuery, FeedStore, type FeedWait } from "@tolem/core/feed/FeedStore"
import type { Tenant } from "@tolem/core/value/Tenant"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { type EventRow, eventTable } from "../invoice/EventRow.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import * as Sequencer from "./Sequencer.ts"

/** The store over the database. */
export const layer: Layer.Layer<FeedStore, never, Database> = Layer.effect(FeedStore, Effect.map(Database, make))

/** How much of what a reader has seen it is told again if a database has lost some of it: clocks differ by less. */
const againMs = 3_600_000

function make(database: Database["Service"]): FeedStore["Service"] {
  const { sql, dialect, tables, statement, snapshot } = database
  const waitSource = dialect.source("s", { organization_id: "text", mode: "text", position: "bigint" })

  const at = ({ organizationId, mode }: Tenant) => sql`f.organization_id = ${organizationId} and f.mode = ${mode}`

  /** The place before the first event that is not older. */
  const since = Effect.fnUntraced(function* (tenant: Tenant, instant: number) {
    const select = sql<PlaceRow>`
      select f.position, f.event_id from ${tables.feed} f
      where ${at(tenant)} and f.position < coalesce((
        select n.position from ${tables.feed} n
        where n.organization_id = ${tenant.organizationId} and n.mode = ${tenant.mode}
          and n.reached_at >= cast(${instant} as bigint)
        order by n.reached_at, n.position limit 1), ${sql.literal(String(Number.MAX_SAFE_INTEGER))})
      order by f.position desc limit 1`
    return cursorOf(yield* statement("FeedStore.read", select, { writes: false })) ?? beginning
  })

  /** A cursor whose event has gone is good if it has been removed; where another is there, data have been lost. */
  const behind = Effect.fnUntraced(function* (tenant: Tenant, cursor: Cursor) {
    if (cursor.position === 0) return cursor
    const select = sql<{ readonly position: number; readonly event_id: string | null }>`
      select h.position, f.event_id from ${tables.feed_heads} h
      left join ${tables.feed} f on f.organization_id = h.organization_id and f.mode = h.mode
        and f.position = cast(${cursor.position} as bigint)
      where h.organization_id = ${tenant.organizationId} and h.mode = ${tenant.mode}`
    const [head] = yield* statement("FeedStore.read", select, { writes: false })
    const isThere =
      head !== undefined &&
      (head.event_id === null ? head.position >= cursor.position : head.event_id === cursor.eventId)
    return isThere ? cursor : yield* since(tenant, timeOfCursor(cursor) - againMs)
  })

  const startOf = (query: FeedQuery) =>
    "since" in query.start ? since(query, query.start.since) : behind(query, query.start.after)

  const read: FeedStore["Service"]["read"] = Effect.fnUntraced(function* (query) {
    const from = yield* startOf(query)
    const { types, connectionId, limit, lookAt } = query
    const wanted = () => sql`
      select f.position, f.event_id, f.invoice_id, f.sequence from ${tables.feed} f
      where ${at(query)} and f.position > cast(${from.position} as bigint)
        and f.position <= cast(${from.position + lookAt} as bigint)
        ${types.length === 0 ? sql.literal("") : sql`and f.type in ${sql.in(types)}`}
        ${
          connectionId === null
            ? sql.literal("")
            : sql`and exists (select 1 from ${tables.invoices} i
                where i.id = f.invoice_id and i.connection_id = ${connectionId})`
        }
      order by f.position limit cast(${limit} as bigint)`
    const rows = yield* snapshot("FeedStore.read", {
      places: sql<PlaceRow & { readonly invoice_id: string; readonly sequence: number }>`${wanted()}`,
      events: sql<EventRow>`
        select e.* from (${wanted()}) as w
        join ${tables.events} e on e.invoice_id = w.invoice_id and e.sequence = w.sequence`,
      invoices: sql<InvoiceRow>`
        select i.* from ${tables.invoices} i where i.id in (select w.invoice_id from (${wanted()}) as w)`,
      last: sql<PlaceRow>`
        select f.position, f.event_id from ${tables.feed} f
        where ${at(query)} and f.position > cast(${from.position} as bigint)
          and f.position <= cast(${from.position + lookAt} as bigint)
        order by f.position desc limit 1`,
      head: sql<{ readonly position: number }>`
        select f.position from ${tables.feed_heads} f where ${at(query)}`
    })
    const events = new Map(rows.events.map((row) => [row.id, row]))
    const invoices = new Map(rows.invoices.map((row) => [row.id, row]))
    const entries = rows.places.flatMap((place): ReadonlyArray<FeedEntry> => {
      const [event, invoice] = [events.get(place.event_id), invoices.get(place.invoice_id)]
      if (event === undefined || invoice === undefined) return []
      return [{ cursor: placeOf(place), event: eventTable.decode(event), invoice: invoiceTable.decode(invoice) }]
    })
    const isFull = rows.places.length === limit
    const cursor = cursorOf(isFull ? rows.places.slice(-1) : rows.last) ?? from
    const head = rows.head[0]?.position ?? 0
    return { entries, cursor, more: (isFull ? cursor.position : from.position + lookAt) < head }
  })

  const ready = Effect.fnUntraced(function* (waits: ReadonlyArray<FeedWait>) {
    const rows = waits.map(({ organizationId, mode, position }) => ({
      organization_id: organizationId,
      mode,
      position
    }))
    const select = sql<{ readonly organization_id: string; readonly mode: Tenant["mode"] }>`
      select s.organization_id, s.mode from ${waitSource(rows)}
      where exists (select 1 from ${tables.feed_arrivals} a where a.organization_id = s.organization_id)
        or exists (select 1 from ${tables.feed_heads} h
          where h.organization_id = s.organization_id and h.mode = s.mode and h.position > s.position)`
    const found = yield* statement("FeedStore.ready", select, { writes: false })
    return found.map(({ organization_id, mode }): Tenant => ({ organizationId: organization_id, mode }))
  })

  return { place: Sequencer.make(database), read, ready }
}

interface PlaceRow {
  readonly position: number
  readonly event_id: string
}

const placeOf = ({ position, event_id }: PlaceRow): Cursor => ({ position, eventId: event_id })

const cursorOf = ([row]: ReadonlyArray<PlaceRow>): Cursor | undefined => (row === undefined ? undefined : placeOf(row))
