/** The core's `RateStore` in SQL. */
import { type Hit, RateStore, type Take } from "@tolem/core/access/RateStore"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import type { RowOfColumns } from "../base/Columns.ts"
import { Database } from "../base/Database.ts"

// Keys came first, visitors later: the column has kept its name.
const columns = { window_at: "bigint", key_id: "text", kind: "text", hits: "bigint" } as const

type WindowRow = RowOfColumns<typeof columns>

/** The store over the database. */
export const layer: Layer.Layer<RateStore, never, Database> = Layer.effect(
  RateStore,
  Effect.map(Database, (database) => make(database))
)

const make = ({ sql, dialect, tables, statement, transaction }: Database["Service"]): RateStore["Service"] => {
  const source = dialect.source("s", columns)
  const add = (rows: ReadonlyArray<WindowRow>, condition: Statement.Fragment) => sql<WindowRow>`
    insert into ${tables.rate_windows} as t (window_at, key_id, kind, hits)
    select window_at, key_id, kind, hits from ${source(rows)} where ${condition}
    on conflict (window_at, key_id, kind) do update set hits = t.hits + excluded.hits
    returning window_at, key_id, kind, hits`

  const take = Effect.fnUntraced(function* (takes: ReadonlyArray<Take>) {
    const always = sql.literal("true")
    // Nothing is added at first: that locks the counters, and tells what they are until we are done.
    const held = yield* add(
      countByWindow(takes).map((row) => ({ ...row, hits: 0 })),
      always
    )
    const counts = new Map(held.map((row) => [windowOf(row), row.hits]))
    const taken = takes.map((one) => {
      const window = windowOf(toRow(one))
      const before = counts.get(window)!
      const isTaken = before < one.room
      if (isTaken) counts.set(window, before + 1)
      return { isTaken, count: counts.get(window)! }
    })
    const more = countByWindow(takes.filter((_, index) => taken[index]!.isTaken))
    if (more.length > 0) yield* add(more, always)
    return taken
  })

  return {
    hitMany: Effect.fnUntraced(function* (hits) {
      if (hits.length === 0) return []
      const counted = countByWindow(hits)
      // A counter that a power cut sets back lets a few more requests of that minute pass; nothing is lost.
      const hit = dialect.unflushed((condition) => add(counted, condition))
      const rows = yield* statement("RateStore.hitMany", hit, { writes: true })
      // The answers are the counters after the whole batch; each request takes its number from the end of it.
      const last = new Map(rows.map((row) => [windowOf(row), row.hits]))
      const before = new Map(counted.map((row) => [windowOf(row), last.get(windowOf(row))! - row.hits]))
      return hits.map((hit) => {
        const window = windowOf(toRow(hit))
        const count = before.get(window)! + 1
        before.set(window, count)
        return count
      })
    }),

    takeMany: (takes) => (takes.length === 0 ? Effect.succeed([]) : transaction("RateStore.takeMany", take(takes))),

    forget: (before, limit) => {
      const sweep = sql`
        delete from ${tables.rate_windows} where (window_at, key_id, kind) in (
          select t.window_at, t.key_id, t.kind from ${tables.rate_windows} t
          where t.window_at < cast(${before} as bigint)
          order by t.window_at limit cast(${limit} as bigint) ${dialect.lockFreeRows("t")})
        returning hits`
      return Effect.map(statement("RateStore.forget", sweep, { writes: true }), (rows) => rows.length)
    }
  }
}

const windowOf = (row: Omit<WindowRow, "hits">): string => `${row.window_at}\n${row.key_id}\n${row.kind}`

const toRow = ({ windowAt, subject, kind }: Hit) => ({ window_at: windowAt, key_id: subject, kind })

// Sorted: two servers take the locks of the rows in one order, so that they cannot wait for each other.
const countByWindow = (hits: ReadonlyArray<Hit>) => {
  const counts = new Map<string, WindowRow>()
  for (const hit of hits) {
    const row = toRow(hit)
    const window = windowOf(row)
    counts.set(window, { ...row, hits: (counts.get(window)?.hits ?? 0) + 1 })
  }
  return Array.from(counts)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, row]) => ({ ...row }))
}
