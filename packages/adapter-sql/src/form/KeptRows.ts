/** The verbs that the stores of payment links and form hooks have alike. */

import type { OrganizationId } from "@tolem/core/value/Ids"
import type { Tenant, Viewer } from "@tolem/core/value/Tenant"
import { Effect } from "effect"
import type { SqlError, Statement } from "effect/sql"
import type { Database } from "../base/Database.ts"
import { hasRoom } from "../base/Limited.ts"
import type { Table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"
import * as Chains from "../seal/Chains.ts"

/** The things of these tables. */
interface Kept extends Tenant {
  readonly id: string
  readonly version: number
}

type Rows<R> = Effect.Effect<ReadonlyArray<R>, SqlError.SqlError>

/** What is written with a row, and what of it becomes links. */
type Beside = Effect.Effect<ReadonlyArray<Chains.Entry>, SqlError.SqlError>

const nothing: Beside = Effect.succeed([])

/** The verbs over this database. `port`: for the names of operations. */
export const make = <V extends Kept, R extends object>(
  database: Database["Service"],
  name: "form_hooks" | "payment_links",
  codec: Table<V, V, R>,
  port: string
) => {
  const { sql, one, all } = database
  const chains = Chains.make(database)
  const table = database.tables[name]
  const { insertAll, set } = TableStatements.make(database, codec)

  /** The one that was not removed, by its id or by what else is its own. */
  const findBy = (verb: string, condition: Statement.Fragment) =>
    one(`${port}.${verb}`, sql<R>`select * from ${table} where ${condition} and removed_at is null`, codec.decode)

  const list = ({ organizationId, mode, connectionId }: Viewer) => {
    const ofCashier = connectionId === null ? sql.literal("") : sql`and connection_id = ${connectionId}`
    const select = sql<R>`
      select * from ${table}
      where organization_id = ${organizationId} and mode = ${mode} and removed_at is null ${ofCashier}
      order by created_at, id`
    return all(`${port}.list`, select, codec.decode)
  }

  /** What one transaction writes: the row, what it brings with it, and the links of both. False if there is no row. */
  const chained = Effect.fnUntraced(function* (id: string, write: Rows<R>, beside: Beside) {
    const { rows, entries } = yield* chains.following(name, sql`id = ${id}`, write)
    yield* chains.append(rows.length === 0 ? entries : [...entries, ...(yield* beside)])
    return rows.length > 0
  })

  /** Removes one. For use in a transaction. */
  const remove = (organizationId: OrganizationId, id: string, now: number, beside: Beside = nothing) => {
    const update = sql<R>`
      update ${table} set removed_at = cast(${now} as bigint), updated_at = cast(${now} as bigint)
      where id = ${id} and organization_id = ${organizationId} and removed_at is null
      returning *`
    return chained(id, update, beside)
  }

  /** Writes a new one; false if it meets another one, as `tail` says. For use in a transaction. */
  const insert = Effect.fnUntraced(function* (thing: V, tail = "", beside: Beside = nothing) {
    const written = yield* insertAll([thing], `${tail} returning *`)
    const entries = written.map((row): Chains.Entry => ({ kind: name, row }))
    yield* chains.append(written.length === 0 ? [] : [...entries, ...(yield* beside)])
    return written.length > 0
  })

  /** Writes a change; false if the stored one has not the version before. For use in a transaction. */
  const update = (thing: V, beside: Beside = nothing) => {
    const { id, organizationId, version } = thing
    const write = sql<R>`
      update ${table} set ${set(thing)}
      where id = ${id} and organization_id = ${organizationId} and version = cast(${version - 1} as bigint)
        and removed_at is null
      returning *`
    return chained(id, write, beside)
  }

  return {
    find: (id: string) => findBy("find", sql`id = ${id}`),
    findBy,
    list,
    remove,
    insert,
    update,
    hasRoom: (tenant: Tenant, limit: number) => hasRoom(database, name, tenant, limit)
  }
}
