/** The verbs that the stores of payment links and form hooks have alike. */

import type { OrganizationId } from "@tolem/core/value/Ids"
import type { Tenant, Viewer } from "@tolem/core/value/Tenant"
import { Effect, Option } from "effect"
import type { Statement } from "effect/sql"
import * as AuditLog from "../audit/AuditLog.ts"
import type { Database } from "../base/Database.ts"
import { hasRoom } from "../base/Limited.ts"
import * as Chains from "../seal/Chains.ts"

/** How the rows of one table differ from those of the other. */
export interface KeptTable<Thing, Row> {
  readonly table: "form_hooks" | "payment_links"
  /** The port, for the names of operations. */
  readonly port: string
  readonly fromRow: (row: Row) => Thing
}

/** The verbs over this database. */
export const make = <Thing, Row extends object>(
  database: Database["Service"],
  { table, port, fromRow }: KeptTable<Thing, Row>
) => {
  const { sql, tables, statement } = database
  const chains = Chains.make(database)
  const { chaining } = AuditLog.make(database)

  /** The one that was not removed, by its id or by what else is its own. */
  const one = (verb: string, condition: Statement.Fragment) => {
    const select = sql<Row>`select * from ${tables[table]} where ${condition} and removed_at is null`
    return Effect.map(statement(`${port}.${verb}`, select, { writes: false }), ([row]) =>
      Option.map(Option.fromUndefinedOr(row), fromRow)
    )
  }

  const list = ({ organizationId, mode, connectionId }: Viewer) => {
    const ofCashier = connectionId === null ? sql.literal("") : sql`and connection_id = ${connectionId}`
    const select = sql<Row>`
      select * from ${tables[table]}
      where organization_id = ${organizationId} and mode = ${mode} and removed_at is null ${ofCashier}
      order by created_at, id`
    return Effect.map(statement(`${port}.list`, select, { writes: false }), (rows) => rows.map(fromRow))
  }

  const remove = (organizationId: OrganizationId, id: string, now: number) => {
    const update = sql`
      update ${tables[table]} set removed_at = cast(${now} as bigint), updated_at = cast(${now} as bigint)
      where id = ${id} and organization_id = ${organizationId} and removed_at is null
      returning *`
    const write = chains.following(table, sql`id = ${id}`, update)
    return Effect.map(chaining(`${port}.remove`, write), (rows) => rows.length > 0)
  }

  return {
    one,
    find: (id: string) => one("find", sql`id = ${id}`),
    list,
    remove,
    hasRoom: (tenant: Tenant, limit: number) => hasRoom(database, table, tenant, limit)
  }
}
