/** The core's `ConsoleStore` in SQL. Every part of a statement walks an index, and ends with its limit. */
import { type ConsolePage, ConsoleStore } from "@tolem/core/operator/console/ConsoleStore"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../base/Database.ts"
import { type AccountRow, accountTable, type OrganizationRow, organizationTable } from "../merchant/MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<ConsoleStore, never, Database> = Layer.effect(
  ConsoleStore,
  Effect.map(Database, (database) => ({ ...accounts(database), ...organizations(database) }))
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

function accounts({
  sql,
  tables,
  all
}: Database["Service"]): Pick<ConsoleStore["Service"], "accounts" | "findAccounts"> {
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

type OwnedRow = OrganizationRow & { readonly owner_status: AccountRow["status"] }

const owned = (row: OwnedRow) => ({ organization: organizationTable.decode(row), ownerStatus: row.owner_status })

function organizations({
  sql,
  tables,
  all
}: Database["Service"]): Pick<ConsoleStore["Service"], "organizations" | "findOrganizations"> {
  const { accounts: people, organizations: merchants } = tables
  const withOwner = (part: Statement.Fragment) => sql<OwnedRow>`
    select page.*, a.status as owner_status from (${part}) as page join ${people} a on a.id = page.owner_id`
  return {
    organizations: (page) => {
      const { behind, order } = newest(sql, page)
      const part = sql`select * from ${merchants} where ${behind} ${order}`
      const select = sql<OwnedRow>`${withOwner(part)} order by page.created_at desc, page.id desc`
      return all("ConsoleStore.organizations", select, owned)
    },
    findOrganizations: (beginnings, limit) => {
      const bounded = sql`limit cast(${limit} as bigint)`
      const parts = beginnings.flatMap((text) => [
        ...["id", "name", "idn"].map(
          (column) => sql`select * from (select * from ${merchants} where ${begins(sql, column, text)}
            order by ${sql.literal(column)} ${bounded}) as part`
        ),
        sql`select * from (select o.* from (select id from ${people} where ${begins(sql, "phone", text)}
            order by phone ${bounded}) as w join ${merchants} o on o.owner_id = w.id ${bounded}) as part`
      ])
      return all("ConsoleStore.findOrganizations", withOwner(sql.join(" union ", false)(parts)), owned)
    }
  }
}
