/** The core's `RateStore` in SQL. */
import { type Hit, RateStore } from "@tolem/core/access/RateStore"
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

const make = ({ sql, dialect, tables, statement }: Database["Service"]): RateStore["Service"] => {
  const source = dialect.source("s", columns)
  return {
    hitMany: Effect.fnUntraced(function* (hits) {
      if (hits.length === 0) return []
      const counted = countByWindow(hits)
      const upsert = (condition: Statement.Fragment) => sql<WindowRow>`
        insert into ${tables.rate_windows} as t (window_at, key_id, kind, hits)
        select window_at, key_id, kind, hits from ${source(counted)} where ${condition}
        on conflict (window_at, key_id, kind) do update set hits = t.hits + excluded.hits
        returning window_at, key_id, kind, hits`
      // A counter that a power cut sets back lets a few more requests of that minute pass; nothing is lost.
      const rows = yield* statement("RateStore.hitMany", dialect.unflushed(upsert), { writes: true })
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

    forget: (before) => {
      const sweep = sql`delete from ${tables.rate_windows} where window_at < cast(${before} as bigint)`
      return Effect.asVoid(statement("RateStore.forget", sweep, { writes: true }))
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
