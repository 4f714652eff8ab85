/** The audit log in SQL: records are written with what they tell of, and read by the core's `AuditStore`. */
import type { Action, Actor, AuditRecord } from "@tolem/core/audit/Audit"
import { type AuditQuery, AuditStore } from "@tolem/core/audit/AuditStore"
import type { StorageError } from "@tolem/core/error/StorageError"
import { Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Database } from "../base/Database.ts"
import * as Chains from "../seal/Chains.ts"

/** The store over the database. */
export const layer: Layer.Layer<AuditStore, never, Database> = Layer.effect(
  AuditStore,
  Effect.map(Database, (database) => ({ list: (query) => list(database, query) }))
)

/** Writes of records. */
export interface AuditLog {
  /**
   * Writes records and chains them, with what else of the same transaction is chained: the last that it does, and once
   * in it. Nothing if there is no record.
   */
  readonly insert: (
    records: AuditRecord | undefined | ReadonlyArray<AuditRecord | undefined>,
    beside?: ReadonlyArray<Chains.Entry>
  ) => Effect.Effect<void, SqlError.SqlError>
  /** A statement that writes, and the record with it, where the statement answers rows. */
  readonly writing: <A>(
    operation: string,
    statement: Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>,
    record: AuditRecord | undefined
  ) => Effect.Effect<ReadonlyArray<A>, StorageError>
  /** The same of a statement whose rows are chained, see `Chains.following`. */
  readonly chaining: <A>(
    operation: string,
    statement: Effect.Effect<Chains.Followed<A>, SqlError.SqlError>,
    record?: AuditRecord
  ) => Effect.Effect<ReadonlyArray<A>, StorageError>
}

/** The writes over this database. */
export const make = (database: Database["Service"]): AuditLog => {
  const { sql, tables, statement, transaction } = database
  const { append } = Chains.make(database)
  const insertRow = (record: AuditRecord) => {
    const { id, action, organizationId, subject, detail, actor, createdAt } = record
    return sql<AuditRow>`insert into ${tables.audit}
      (id, action, organization_id, subject, detail, actor_kind, actor_id, origin, created_at)
      values (${id}, ${action}, ${organizationId}, ${subject}, ${detail}, ${actor.kind}, ${actor.id}, ${actor.origin},
        ${createdAt})
      returning *`
  }
  const insert: AuditLog["insert"] = Effect.fnUntraced(function* (records, beside = []) {
    const entries = [...beside]
    for (const record of [records].flat()) {
      if (record === undefined) continue
      const [row] = yield* insertRow(record)
      if (row !== undefined) entries.push({ kind: "audit", row })
    }
    yield* append(entries)
  })
  const writing: AuditLog["writing"] = (operation, write, record) =>
    record === undefined
      ? statement(operation, write, { writes: true })
      : transaction(
          operation,
          Effect.tap(write, (rows) => (rows.length === 0 ? Effect.void : insert(record)))
        )
  const chaining: AuditLog["chaining"] = (operation, write, record) =>
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

interface AuditRow {
  readonly id: string
  readonly action: Action
  readonly organization_id: string | null
  readonly subject: string
  readonly detail: string | null
  readonly actor_kind: Actor["kind"]
  readonly actor_id: string | null
  readonly origin: string | null
  readonly created_at: number
}

const list = ({ sql, tables, statement }: Database["Service"], { organizationId, before, limit }: AuditQuery) => {
  const conditions = [
    ...(organizationId === null ? [] : [sql`organization_id = ${organizationId}`]),
    ...(before === null ? [] : [sql`id < ${before}`])
  ]
  const where = conditions.length === 0 ? sql.literal("") : sql`where ${sql.and(conditions)}`
  const select = sql<AuditRow>`
    select * from ${tables.audit} ${where} order by id desc limit cast(${limit} as bigint)`
  return Effect.map(statement("AuditStore.list", select, { writes: false }), (rows) => rows.map(fromRow))
}

const fromRow = (row: AuditRow): AuditRecord => ({
  id: row.id,
  action: row.action,
  organizationId: row.organization_id,
  subject: row.subject,
  detail: row.detail,
  actor: { kind: row.actor_kind, id: row.actor_id, origin: row.origin },
  createdAt: row.created_at
})
