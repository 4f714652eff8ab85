/** The core's `FeedStore` in SQL: pages, and who has something to read. */
import { beginning, type Cursor, timeOfCursor } from "@tolem/core/feed/Cursor"
import { type FeedEntry, type FeedQuery, FeedStore } from "@tolem/core/feed/FeedStore"
import type { Tenant } from "@tolem/core/value/Tenant"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { first } from "../base/Few.ts"
import { type EventRow, eventTable } from "../invoice/EventRow.ts"
import { type InvoiceRow, invoiceTable } from "../invoice/InvoiceRow.ts"
import * as Sequencer from "./Sequencer.ts"

/** The store over the database. */
export const layer: Layer.Layer<FeedStore, never, Database> = Layer.effect(FeedStore, Effect.map(Database, make))

/** How much of what a reader has seen it is told again if a database has lost some of it: clocks differ by less. */
const againMs = 3_600_000

/** Events that a reader looks at, at most: a page of few types, or one of all. */
const usuallyLookedAt = 10_000

function make(database: Database["Service"]): FeedStore["Service"] {
  const { sql, dialect, tables, statement, snapshot } = database
  const organizationSource = dialect.source("s", { organization_id: "text" })
  const waitSource = dialect.source("s", {
    n: "bigint",
    organization_id: "text",
    mode: "text",
    position: "bigint",
    types: "text",
    connection_id: "text"
  })

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
    // By rows, not by positions: what a sandbox forgets leaves gaps of any length.
    const window = () =>
      first(sql, {
        rows: sql`select * from ${tables.feed} f where ${at(query)} and f.position > cast(${from.position} as bigint)
          order by f.position`,
        order: "position",
        limit: lookAt,
        most: usuallyLookedAt
      })
    const conditions = [
      ...(types.length === 0 ? [] : [sql`part.type in ${sql.in(types)}`]),
      ...(connectionId === null
        ? []
        : [
            sql`exists (select 1 from ${tables.invoices} i
              where i.id = part.invoice_id and i.connection_id = ${connectionId})`
          ])
    ]
    const wanted = () => sql`
      select part.position, part.event_id, part.invoice_id, part.sequence from (${window()}) as part
      where ${sql.and(conditions)} order by part.position limit cast(${limit} as bigint)`
    const rows = yield* snapshot("FeedStore.read", {
      places: sql<PlaceRow & { readonly invoice_id: string; readonly sequence: number }>`${wanted()}`,
      events: sql<EventRow>`
        select e.* from (${wanted()}) as w
        join ${tables.events} e on e.invoice_id = w.invoice_id and e.sequence = w.sequence`,
      invoices: sql<InvoiceRow>`
        select i.* from ${tables.invoices} i where i.id in (select w.invoice_id from (${wanted()}) as w)`,
      last: sql<PlaceRow & { readonly looked: number }>`
        select f.position, f.event_id, w.looked from (
          select max(part.position) as position, count(*) as looked from (${window()}) as part
        ) as w join ${tables.feed} f on ${at(query)} and f.position = w.position`
    })
    const events = new Map(rows.events.map((row) => [row.id, row]))
    const invoices = new Map(rows.invoices.map((row) => [row.id, row]))
    const entries = rows.places.flatMap((place): ReadonlyArray<FeedEntry> => {
      const [event, invoice] = [events.get(place.event_id), invoices.get(place.invoice_id)]
      if (event === undefined || invoice === undefined) return []
      return [{ cursor: placeOf(place), event: eventTable.decode(event), invoice: invoiceTable.decode(invoice) }]
    })
    const [last] = rows.last
    const isFull = rows.places.length === limit
    const cursor = cursorOf(isFull ? rows.places.slice(-1) : rows.last) ?? from
    const more = last !== undefined && (last.position > cursor.position || last.looked === lookAt)
    return { entries, cursor, more }
  })

  const arrived: FeedStore["Service"]["arrived"] = Effect.fnUntraced(function* (organizationIds) {
    if (organizationIds.length === 0) return []
    const rows = organizationIds.map((organization_id) => ({ organization_id }))
    const select = sql<{ readonly organization_id: string }>`
      select s.organization_id from ${organizationSource(rows)}
      where exists (select 1 from ${tables.feed_arrivals} a where a.organization_id = s.organization_id)`
    const found = yield* statement("FeedStore.arrived", select, { writes: false })
    return found.map(({ organization_id }) => organization_id)
  })

  const ready: FeedStore["Service"]["ready"] = Effect.fnUntraced(function* (waits) {
    if (waits.length === 0) return []
    const rows = waits.map(({ organizationId, mode, connectionId, position, types }, n) => ({
      n,
      organization_id: organizationId,
      mode,
      position,
      types: types.length === 0 ? "" : `,${types.join(",")},`,
      connection_id: connectionId ?? ""
    }))
    const select = sql<{ readonly n: number }>`
      select s.n from ${waitSource(rows)} where exists (
        select 1 from ${tables.feed} f
        where f.organization_id = s.organization_id and f.mode = s.mode and f.position > s.position
          and (s.types = '' or ${dialect.position}(s.types, ',' || f.type || ',') > 0)
          and (s.connection_id = '' or exists (select 1 from ${tables.invoices} i
            where i.id = f.invoice_id and i.connection_id = s.connection_id)))`
    const found = yield* statement("FeedStore.ready", select, { writes: false })
    return found.flatMap(({ n }) => waits[n] ?? [])
  })

  return { place: Sequencer.make(database), read, arrived, ready }
}

interface PlaceRow {
  readonly position: number
  readonly event_id: string
}

const placeOf = ({ position, event_id }: PlaceRow): Cursor => ({ position, eventId: event_id })

const cursorOf = ([row]: ReadonlyArray<PlaceRow>): Cursor | undefined => (row === undefined ? undefined : placeOf(row))
