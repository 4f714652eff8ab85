/** Tölem's storage on PostgreSQL: any number of servers on one database. */

import type { CopyUnfinished } from "@tolem/adapter-sql/base/CopyMark"
import { LongReads, turnsOfReads } from "@tolem/adapter-sql/base/LongReads"
import { type ScriptOptions, scriptOf, statementsOf } from "@tolem/adapter-sql/base/MigrationScript"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import * as SecretCheck from "@tolem/adapter-sql/base/SecretCheck"
import { processes } from "@tolem/adapter-sql/base/Shards"
import { type QueryTransaction, TransactionSources } from "@tolem/adapter-sql/base/Transactions"
import * as Condition from "@tolem/adapter-sql/integrity/Condition"
import * as Stores from "@tolem/adapter-sql/Stores"
import type { Transacting } from "@tolem/core/feed/ReactionStore"
import type { SecretBox, SecretUnreadable } from "@tolem/core/secret/SecretBox"
import { Effect, Layer, Random } from "effect"
import { type Migrator, SqlClient, SqlError } from "effect/sql"
import * as Connection from "./Connection.ts"
import * as NotifyRelay from "./NotifyRelay.ts"
import * as PoolClient from "./PoolClient.ts"
import type { MigrationReport } from "./SchemaUpdate.ts"
import * as SchemaUpdate from "./SchemaUpdate.ts"
import * as SearchIndex from "./SearchIndex.ts"

/** Settings of the storage, however it is reached. */
interface StorageOptions {
  /** Schema of the tables; `migrate` makes it if it is missing. Default: the first of the search path. */
  readonly schema?: string | undefined
  /** In front of every table and index. Default `tolem_`. */
  readonly prefix?: string | undefined
  /** Write nothing at the start: for what only reads. Default false. */
  readonly readOnly?: boolean | undefined
  /** Open it although another database is copied into it, and that has not ended: for checks. Default false. */
  readonly unfinished?: boolean | undefined
}

/** Settings of the storage with connections of its own. */
export interface PostgresOptions extends Connection.ConnectionOptions, StorageOptions {
  readonly pool?: never
}

/** Settings of the storage on the application's pool. */
export interface PostgresPoolOptions extends StorageOptions {
  readonly url?: never
  /**
   * A `Pool` of the package `pg`. It stays the application's: set there how long statements may take
   * (`statement_timeout`), and how long they wait for locks (`lock_timeout`) if two seconds are not right. Let it have
   * two connections at least, beside those that the application holds while it waits for the engine. What several
   * processes tell each other waits for the next poll, half a second at most.
   */
  readonly pool: PoolClient.PgPool
  /** A statement without an answer after twice this time is given up with its connection; 0: never. Default 5 000. */
  readonly statementTimeoutMs?: number | undefined
}

/**
 * The stores on the database, for a server or a command. An acknowledged write is as durable as the database's own
 * commit. Fails with `SchemaOutdated` if `migrate` has not run (a schema that is
 * newer than this version is fine), with `CopyUnfinished` while another database is copied into this one, and with
 * `SecretUnreadable` if the box lacks the keys of the other servers.
 */
export const layer = (
  options: PostgresOptions | PostgresPoolOptions
): Layer.Layer<Stores.Stores, OpenError, SecretBox> => layerBy(options, Connection.layer)

/** The same with connections that are made by `connect`, behind no pooler and of no pool. */
export const layerBy = (
  options: PostgresOptions | PostgresPoolOptions,
  connect: typeof Connection.layer
): Layer.Layer<Stores.Stores, OpenError, SecretBox> => {
  const { schema, prefix, readOnly, unfinished, statementTimeoutMs = Connection.defaultStatementTimeoutMs } = options
  const naming = { schema, prefix }
  // Longer than a statement may take: what has no answer by then has lost its connection.
  const deadlineMs = statementTimeoutMs === 0 ? undefined : 2 * statementTimeoutMs
  const ready = (boundedInTransactions: boolean) =>
    Layer.unwrap(
      Effect.map(Random.nextIntBetween(0, processes - 1), (process) =>
        Stores.layer({ ...naming, process, deadlineMs, readOnly, unfinished, boundedInTransactions })
      )
    ).pipe(
      Layer.provide(longReads(options)),
      Layer.provide(Migrations.upToDate(naming)),
      Layer.provide(Layer.succeed(TransactionSources, PoolClient.givenClient))
    )
  const { pool } = options
  if (pool === undefined && options.pooled === true)
    return Layer.provide(pooled(options, ready(false)), Connection.layer(options))
  if (pool === undefined)
    return Layer.provide(Layer.merge(ready(false), NotifyRelay.layer(channelOf(options))), connect(options))
  const timeout = Effect.provide(PoolClient.lockTimeoutOf, PoolClient.layer(pool))
  return Layer.unwrap(
    Effect.map(timeout, (limit) => Layer.provide(ready(limit !== null), PoolClient.layer(pool, limit)))
  )
}

/** Half of the connections are for them: the others are left to what is quick. */
const longReads = (options: PostgresOptions | PostgresPoolOptions): Layer.Layer<never, never, SqlClient.SqlClient> => {
  const connections = options.pool === undefined ? options.maxConnections : options.pool.options?.max
  const places = Math.max(1, Math.floor((connections ?? Connection.defaultMaxConnections) / 2))
  return Layer.effect(
    LongReads,
    Effect.map(SqlClient.SqlClient, (sql) => turnsOfReads(sql, places))
  )
}

/**
 * What listens needs a connection that stays its own: past the pooler, or not at all. What servers tell each other then
 * waits for the next poll.
 */
const pooled = <A, E, R>(options: PostgresOptions, stores: Layer.Layer<A, E, R>) => {
  const direct = Connection.direct(options)
  const relay =
    direct === null
      ? Layer.empty
      : Layer.provide(NotifyRelay.layer(channelOf(options)), Connection.layer({ ...direct, maxConnections: 1 }))
  return Layer.mergeAll(stores, Layer.effectDiscard(Connection.warnOfNoLimits), relay)
}

/** Why a database cannot be used. */
export type OpenError = SqlError.SqlError | Migrations.SchemaOutdated | SecretUnreadable | CopyUnfinished

/** The same for `createEngine`, whose handlers are given a transaction with `query`, as `pg` has it. */
export const postgres = (
  options: PostgresOptions | PostgresPoolOptions
): Layer.Layer<Stores.Stores, OpenError, SecretBox> & Transacting<QueryTransaction> => layer(options)

interface Naming {
  readonly schema: string | undefined
  readonly prefix: string | undefined
}

/** Where servers tell each other. Sets of tables in one database do not; a channel's name has 63 bytes at most. */
export const channelOf = ({ schema = "", prefix = "" }: Partial<Naming>): string =>
  `tolem ${schema}.${prefix}`.slice(0, 60)

/** Connects only to look at the database, whatever its schema. What is asked of it fails if it cannot be reached. */
export const condition = ({ schema, prefix, ...connection }: PostgresOptions) =>
  Effect.flatMap(Layer.build(Connection.layer({ ...connection, maxConnections: 1 })), (client) =>
    Effect.provide(Condition.make({ schema, prefix }), client)
  )

/** Whether secrets were sealed in the database before: then it is no use making new keys for it. */
export const isSealed = ({
  schema,
  prefix,
  ...connection
}: PostgresOptions): Effect.Effect<boolean, SqlError.SqlError> =>
  SecretCheck.isSealed({ schema, prefix }).pipe(Effect.provide(Connection.layer(connection)))

/**
 * Makes the schema, or brings it up to date. Two at once are safe: one works, the other waits. Servers of the version
 * before keep working on the new schema. No limit of time applies, whatever `statementTimeoutMs` says, but for those of
 * a pool.
 */
export const migrate = (
  options: PostgresOptions | PostgresPoolOptions
): Effect.Effect<MigrationReport, SqlError.SqlError | Migrator.MigrationError> => {
  const { schema, prefix } = options
  if (options.pool !== undefined)
    return Effect.provide(SchemaUpdate.migrate({ schema, prefix }), PoolClient.layer(options.pool))
  // Its lock belongs to a connection: behind a pooler it would stay with whichever has it next.
  const direct = Connection.direct(options)
  if (direct === null) return Effect.fail(noWayPast("migrations"))
  const client = Connection.layer({ ...direct, statementTimeoutMs: 0 })
  return Effect.provide(SchemaUpdate.migrate({ schema, prefix }), client)
}

/** What work fails with that needs a connection of its own, behind a pooler that no way past is named of. */
export const noWayPast = (what: string): SqlError.SqlError => {
  const message = `${what} need a connection past the pooler: name the database itself, direct=HOST:PORT in its address`
  const operation = "connect"
  return new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ message, operation, cause: new Error(message) })
  })
}

/** The statements that `migrate` would run, as a script for another tool. */
export const script = ({ schema, prefix, after }: ScriptOptions = {}): string =>
  scriptOf([
    ...(schema === undefined || after !== undefined ? [] : [`create schema if not exists "${schema}"`]),
    ...statementsOf("pg", { schema, prefix, after }),
    ...(after === undefined ? SearchIndex.statements({ schema, prefix }) : [])
  ])
