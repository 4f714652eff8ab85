/** The core's `ConsoleStore` in SQL. Every part of a statement walks an index, and ends with its limit. */
import { type ConsolePage, ConsoleStore } from "@tolem/core/operator/console/ConsoleStore"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../base/Database.ts"
import { type AccountRow, accountTable } from "../merchant/MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<ConsoleStore, never, Database> = Layer.effect(
  ConsoleStore,
  Effect.map(Database, accounts)
)

// The last character there is: no text that begins with another stands behind it.
const last = "\u{10ffff}"

/** The condition that a column begins with a text; an index of the column answers it. */
const begins = (sql: Database["Service"]["sql"], column: string, text: string): Statement.Fragment =>
  sql`${sql.literal(column)} >= ${text} and ${sql.literal(column)} < ${text + last}`

/** The condition that a row stands behind a place of a list of the newest, and the order of such a list. */
const newest = (sql: Database["Service"]["sql"], { before, limit }: ConsolePage) => ({
  behind:
    before === null ? sql.literal("true") : sql`(created_at, id) < (cast(${before.createdAt} as bigint), ${before.id})`,
  order: sql`order by created_at desc, id desc limit cast(${limit} as bigint)`
})

function accounts({ sql, tables, all }: Database["Service"]): ConsoleStore["Service"] {
  return {
    accounts: (page) => {
      const { behind, order } = newest(sql, page)
      const select = sql<AccountRow>`select * from ${tables.accounts} where ${behind} ${order}`
      return all("ConsoleStore.accounts", select, accountTable.decode)
    },
    findAccounts: (beginnings, limit) => {
      const parts = ["id", "phone", "name"].flatMap((column) =>
        beginnings.map(
          (text) => sql`select * from (select * from ${tables.accounts} where ${begins(sql, column, text)}
            order by ${sql.literal(column)} limit cast(${limit} as bigint)) as part`
        )
      )
      const select = sql<AccountRow>`${sql.join(" union ", false)(parts)}`
      return all("ConsoleStore.findAccounts", select, accountTable.decode)
    }
  }
}
