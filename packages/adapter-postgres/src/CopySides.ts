/** A database as the source of a copy, or as its target. */
import { hasTable, names, type TableNaming, tableName, tables } from "@tolem/adapter-sql/base/Tables"
import { type CopySource, type CopyTarget, refused } from "@tolem/adapter-sql/copy/Sides"
import { Context, Effect, Layer, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as Connection from "./Connection.ts"
import { channelOf, noWayPast, type PostgresOptions } from "./Postgres.ts"
import * as SchemaUpdate from "./SchemaUpdate.ts"

/** Longest wait for the end of what others write to the source. */
const lockTimeoutMs = 5_000

/**
 * Opens the tables to be read, as they are at one moment; none can be written until the scope ends. Fails if a server
 * works on them: it would fail with everything that it has to write. The user must be their owner, or have `update`.
 */
export const source = (options: PostgresOptions) =>
  Effect.gen(function* () {
    const naming = { schema: options.schema, prefix: options.prefix }
    const sql = yield* client(options)
    if (yield* isServed(sql, options)) return yield* inUse
    const own = tables(sql, naming)
    const there = yield* Effect.filter(names, (name) => hasTable(sql, tableName(naming, name)))
    const connection = yield* sql.reserve
    const say = (statement: string) => connection.executeUnprepared(statement, [], undefined)
    yield* Effect.acquireRelease(say("begin isolation level repeatable read"), () => Effect.ignore(say("rollback")))
    yield* say("set local idle_in_transaction_session_timeout = 0")
    yield* say(`set local lock_timeout = ${lockTimeoutMs}`)
    const locked = there.map((name) => sql`${own[name]}`.compile(true)[0])
    // Readers go on, writers wait: and what others have begun to write is over when this is answered.
    if (locked.length > 0) {
      yield* Effect.mapError(say(`lock table ${locked.join(", ")} in share mode`), (error) =>
        isHeld(error) ? inUse : error
      )
    }
    const held: CopySource["held"] = (self) => Effect.provideService(self, sql.transactionService, [connection, 0])
    return { sql, naming, held } satisfies CopySource
  })

/** Opens the database to be filled. Fails if another copy fills it. */
export const target = (options: PostgresOptions) =>
  Effect.gen(function* () {
    const naming: TableNaming = { schema: options.schema, prefix: options.prefix }
    const sql = yield* client(options)
    const connection = yield* sql.reserve
    const lock = `hashtextextended('${channelOf(options)} copy', 0)`
    const [taken] = yield* connection.executeValuesUnprepared(`select pg_try_advisory_lock(${lock})`, [])
    if (taken?.[0] !== true) return yield* refused("target_in_use", "Another copy into this database goes on")
    yield* Effect.addFinalizer(() =>
      Effect.ignore(connection.executeValuesUnprepared(`select pg_advisory_unlock(${lock})`, []))
    )
    const migrate = Effect.provideService(SchemaUpdate.migrate(naming), SqlClient.SqlClient, sql)
    return { sql, naming, migrate } satisfies CopyTarget
  })

// Locks belong to a connection: behind a pooler they would stay with whichever has it next.
const client = (options: PostgresOptions): Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope> => {
  const direct = Connection.direct(options)
  if (direct === null) return Effect.fail(noWayPast("copies"))
  return Effect.map(
    Layer.build(Connection.layer({ ...direct, statementTimeoutMs: 0, applicationName: "tolem copy" })),
    (services) => Context.get(services, SqlClient.SqlClient)
  )
}

const inUse = refused("source_in_use", "A server works on the source: stop it")

const isHeld = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "LockTimeoutError" || reason._tag === "DeadlockError"

/** Whether a server listens to others on these tables. One on a pool of its own does not; it is met by the locks. */
const isServed = (sql: SqlClient.SqlClient, options: PostgresOptions) =>
  Effect.map(
    sql`select 1 as found from pg_stat_activity
      where datname = current_database() and query ilike 'listen %'
        and strpos(query, ${`"${channelOf(options)}"`}) > 0`,
    (rows) => rows.length > 0
  )
