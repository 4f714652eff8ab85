/** The audit log in SQL: records are written with what they tell of, and read by the core's `AuditStore`. */
import type { AuditRecord } from "@tolem/core/audit/Audit"
import { type AuditQuery, AuditStore, type JournalQuery } from "@tolem/core/audit/AuditStore"
import { Effect, Layer } from "effect"
import type { SqlError, Statement } from "effect/sql"
import { Database } from "../base/Database.ts"
import { type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"
import * as Chains from "../seal/Chains.ts"

/** The store over the database. */
export const layer: Layer.Layer<AuditStore, never, Database> = Layer.effect(
  AuditStore,
  Effect.map(Database, (database) => {
    const { insert } = make(database)
    return {
      list: (query) => list(database, query),
      journal: (query) => journal(database, query),
      names: names(database),
      note: (record) => database.transaction("AuditStore.note", insert(record))
    }
  })
)

/** The writes over this database. */
export const make = (database: Database["Service"]) => {
  const { statement, transaction } = database
  const { append } = Chains.make(database)
  const rows = TableStatements.make(database, auditTable)
  /**
   * Writes records and chains them, with what else of the same transaction is chained: the last that it does, and once
   * in it. Nothing if there is no record.
   */
  const insert = Effect.fnUntraced(function* (
    records: AuditRecord | undefined | ReadonlyArray<AuditRecord | undefined>,
    beside: ReadonlyArray<Chains.Entry> = []
  ) {
    const entries = [...beside]
    for (const record of [records].flat()) {
      if (record === undefined) continue
      const [row] = yield* rows.insert(record, "returning *")
      if (row !== undefined) entries.push({ kind: "audit", row })
    }
    yield* append(entries)
  })
  /** A statement that writes, and the record with it, where the statement answers rows. */
  const writing = <A>(
    operation: string,
    write: Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>,
    record: AuditRecord | undefined
  ) =>
    record === undefined
      ? statement(operation, write, { writes: true })
      : transaction(
          operation,
          Effect.tap(write, (rows) => (rows.length === 0 ? Effect.void : insert(record)))
        )
  /** The same of a statement whose rows are chained, see `Chains.following`. */
  const chaining = <A>(
    operation: string,
    write: Effect.Effect<Chains.Followed<A>, SqlError.SqlError>,
    record?: AuditRecord
  ) =>
    transaction(
      operation,
      Effect.gen(function* () {
        const { rows, entries } = yield* write
        yield* insert(rows.length === 0 ? undefined : record, entries)
        return rows
      })
    )
  return { insert, writing, chaining }
}

const auditTable = table<AuditRecord>("audit")({
  id: "text",
  action: "text",
  organizationId: "text",
  subject: "text",
  detail: "text",
  actor: { kind: "text", id: "text", origin: { type: "text", name: "origin" } },
  createdAt: "bigint"
})

const list = ({ sql, tables, all }: Database["Service"], { organizationId, before, limit }: AuditQuery) => {
  const conditions = [
    ...(organizationId === null ? [] : [sql`organization_id = ${organizationId}`]),
    ...(before === null ? [] : [sql`id < ${before}`])
  ]
  const where = conditions.length === 0 ? sql.literal("") : sql`where ${sql.and(conditions)}`
  const select = sql<RowOf<typeof auditTable>>`
    select * from ${tables.audit} ${where} order by id desc limit cast(${limit} as bigint)`
  return all("AuditStore.list", select, auditTable.decode)
}

const journal = ({ sql, tables, all }: Database["Service"], query: JournalQuery) => {
  const { organizationId, actorId, actions, from, to, before, limit } = query
  if (actions?.length === 0) return Effect.succeed([])
  // What an actor has done of a kind is less than what was done of it in an organization, whose index is left alone.
  const isByDeeds = actorId !== null && actions !== null
  const organization = isByDeeds ? sql`coalesce(organization_id, '')` : sql`organization_id`
  const conditions = [
    ...(organizationId === null ? [] : [sql`${organization} = ${organizationId}`]),
    ...(actorId === null ? [] : [sql`actor_id = ${actorId}`]),
    ...(from === null ? [] : [sql`created_at >= cast(${from} as bigint)`]),
    ...(to === null ? [] : [sql`created_at <= cast(${to} as bigint)`]),
    ...(before === null ? [] : [sql`(created_at, id) < (cast(${before.createdAt} as bigint), ${before.id})`])
  ]
  const newest = sql`order by created_at desc, id desc limit cast(${limit} as bigint)`
  const of = (also: ReadonlyArray<Statement.Fragment>) => {
    const all = [...conditions, ...also]
    const where = all.length === 0 ? sql.literal("") : sql`where ${sql.and(all)}`
    return sql`select * from ${tables.audit} ${where} ${newest}`
  }
  // Each action from its own end of the index: rare ones are found without a look at those that are common.
  const parts = actions?.map((action) => sql`select * from (${of([sql`action = ${action}`])}) as part`) ?? []
  const select =
    actions === null
      ? sql<RowOf<typeof auditTable>>`${of([])}`
      : sql<RowOf<typeof auditTable>>`select * from (${sql.join(" union all ", false)(parts)}) as parts ${newest}`
  return all("AuditStore.journal", select, auditTable.decode)
}

const names = ({ sql, dialect, tables, statement }: Database["Service"]) => {
  const idSource = dialect.source("s", { id: "text" })
  return Effect.fnUntraced(function* (ids: ReadonlyArray<string>) {
    if (ids.length === 0) return new Map<string, string>()
    const wanted = idSource(ids.map((id) => ({ id })))
    const named = (table: Statement.Identifier) =>
      sql`select n.id, n.name from ${wanted} join ${table} n on n.id = s.id where n.name is not null`
    const select = sql<{ readonly id: string; readonly name: string }>`
      ${named(tables.accounts)} union all ${named(tables.organizations)}`
    const rows = yield* statement("AuditStore.names", select, { writes: false })
    return new Map(rows.map(({ id, name }) => [id, name]))
  })
}
