/**
 * Gives events their places in the feed, after they were committed: only then is it certain what came before what. It
 * is done at a read, so that what is never read costs a note of its arrival and no more.
 */
import type { FeedStore } from "@tolem/core/feed/FeedStore"
import type { Mode } from "@tolem/core/value/Mode"
import { Effect } from "effect"
import type { Database } from "../base/Database.ts"
import * as Announcements from "./Announcements.ts"

/** The row of an event at its place. */
const columns = {
  organization_id: "text",
  mode: "text",
  position: "bigint",
  event_id: "text",
  type: "text",
  invoice_id: "text",
  sequence: "bigint",
  reached_at: "bigint"
} as const

const headColumns = { organization_id: "text", mode: "text", position: "bigint", reached_at: "bigint" } as const

interface Arrival extends Announcements.Placed {
  readonly id: number
  /** Null if the invoice was removed meanwhile, or if the event has a place, as after the copy of a table. */
  readonly mode: Mode | null
}

/** Held until the transaction ends: one gives places of an organization, or removes events that may have none yet. */
export const lock = ({ dialect }: Database["Service"], organizationId: string) =>
  dialect.lockName(`tolem feed ${organizationId}`)

/** `place` of the store. */
export const make = (database: Database["Service"]): FeedStore["Service"]["place"] => {
  const { sql, dialect, tables, statement, transaction } = database
  const feedSource = dialect.source("s", columns)
  const headSource = dialect.source("s", headColumns)
  const idSource = dialect.source("s", { id: "bigint" })
  const names = sql.literal(Object.keys(columns).join(", "))
  const headNames = sql.literal(Object.keys(headColumns).join(", "))

  const arrivals = (organizationId: string, limit: number) => sql<Arrival>`
    select a.id, a.invoice_id, a.sequence, e.id as event_id, e.type, e.created_at, e.from_status, e.to_status, i.origin,
      case when e.id is not null and f.position is null then i.mode end as mode
    from (
      select * from ${tables.feed_arrivals} where organization_id = ${organizationId}
      order by id limit cast(${limit} as bigint)
    ) as a
    left join ${tables.invoices} i on i.id = a.invoice_id
    left join ${tables.events} e on e.invoice_id = a.invoice_id and e.sequence = a.sequence
    left join ${tables.feed} f on f.invoice_id = a.invoice_id and f.sequence = a.sequence
    order by a.id`

  const announce = Announcements.make(database)

  const insert = Effect.fnUntraced(function* (organizationId: string, placed: ReadonlyArray<Arrival>) {
    if (placed.length === 0) return
    const before = yield* sql<{ readonly mode: Mode; readonly position: number; readonly reached_at: number }>`
      select mode, position, reached_at from ${tables.feed_heads} where organization_id = ${organizationId}`
    const heads = new Map(before.map(({ mode, position, reached_at }) => [mode, { position, reached_at }]))
    const rows = placed.map(({ event_id, type, invoice_id, sequence, created_at, mode }) => {
      const head = heads.get(mode!) ?? { position: 0, reached_at: 0 }
      const next = { position: head.position + 1, reached_at: Math.max(head.reached_at, created_at) }
      heads.set(mode!, next)
      return { organization_id: organizationId, mode, event_id, type, invoice_id, sequence, ...next }
    })
    yield* sql`insert into ${tables.feed} (${names}) select ${names} from ${feedSource(rows)} where true`
    const moved = Array.from(heads, ([mode, head]) => ({ organization_id: organizationId, mode, ...head }))
    yield* sql`
      insert into ${tables.feed_heads} (${headNames}) select ${headNames} from ${headSource(moved)} where true
      on conflict (organization_id, mode) do update set position = excluded.position, reached_at = excluded.reached_at`
    yield* announce(organizationId, placed)
  })

  const place = Effect.fnUntraced(function* (organizationId: string, limit: number) {
    // The next one to hold the lock reads what is written here: there is one order.
    yield* lock(database, organizationId)
    const found = yield* arrivals(organizationId, limit)
    if (found.length === 0) return false
    // A copy of the tables may note an event again.
    const noted = new Set<string>()
    const placed = found.filter(({ mode, event_id }) => mode !== null && noted.size < noted.add(event_id).size)
    yield* insert(organizationId, placed)
    // By their numbers: one with a lower number may be committed right now.
    yield* sql`delete from ${tables.feed_arrivals} where organization_id = ${organizationId}
      and id in (select s.id from ${idSource(found.map(({ id }) => ({ id })))})`
    return found.length === limit
  })

  return Effect.fnUntraced(function* (organizationId, limit) {
    const any = sql`select 1 as found from ${tables.feed_arrivals} where organization_id = ${organizationId} limit 1`
    if ((yield* statement("FeedStore.place", any, { writes: false })).length === 0) return false
    return yield* transaction("FeedStore.place", place(organizationId, limit))
  })
}
