/** The core's `ServerStore` in SQL. Servers are few, so their table is read whole. */
import type { AgentFacts } from "@tolem/core/measure/AgentRuns"
import type { Server } from "@tolem/core/platform/Server"
import { ServerStore } from "@tolem/core/platform/ServerStore"
import { Effect, Layer } from "effect"
import { Database } from "../base/Database.ts"
import { json, once, type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"

/** The store over the database. */
export const layer: Layer.Layer<ServerStore, never, Database> = Layer.effect(
  ServerStore,
  Effect.map(Database, (database) => make(database))
)

const serverTable = table<Server>("servers")({
  id: once("text"),
  version: "text",
  startedAt: once("bigint"),
  seenAt: "bigint",
  endedAt: "bigint",
  agents: json<ReadonlyArray<AgentFacts>>(Array.isArray)
})

const make = (database: Database["Service"]): ServerStore["Service"] => {
  const { sql, dialect, tables, all, statement } = database
  const { servers } = tables
  const rows = TableStatements.make(database, serverTable)
  return {
    tell: (server) => {
      const write = dialect.unflushed(
        (condition) => sql`
          insert into ${servers} (${rows.names}) select ${rows.names} from ${rows.batch([server])} where ${condition}
          on conflict (id) do update set ${sql.literal(rows.changes)}`
      )
      return Effect.asVoid(statement("ServerStore.tell", write, { writes: true }))
    },
    list: (limit) => {
      const select = sql<RowOf<typeof serverTable>>`
        select * from ${servers} order by seen_at desc, id desc limit cast(${limit} as bigint)`
      return all("ServerStore.list", select, serverTable.decode)
    },
    forget: (before, limit) => {
      const old = sql`
        select old.id from ${servers} old where old.seen_at < cast(${before} as bigint)
        order by old.seen_at limit cast(${limit} as bigint) ${dialect.lockFreeRows("old")}`
      const remove = sql`delete from ${servers} where ${dialect.isOneOf("id", old)} returning id`
      return Effect.map(statement("ServerStore.forget", remove, { writes: true }), ({ length }) => length)
    }
  }
}
