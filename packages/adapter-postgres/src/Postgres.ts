/** Tölem's storage on PostgreSQL: any number of servers on one database. */
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import * as SecretCheck from "@tolem/adapter-sql/base/SecretCheck"
import { processes } from "@tolem/adapter-sql/base/Shards"
import * as Stores from "@tolem/adapter-sql/Stores"
import type { SecretBox, SecretUnreadable } from "@tolem/core/secret/SecretBox"
import { Effect, Layer, Random } from "effect"
import type { Migrator, SqlError } from "effect/sql"
import * as Connection from "./Connection.ts"
import * as NotifyRelay from "./NotifyRelay.ts"
import type { MigrationReport } from "./SchemaUpdate.ts"
import * as SchemaUpdate from "./SchemaUpdate.ts"

/** Settings of the storage. */
export interface PostgresOptions extends Connection.ConnectionOptions {
  /** Schema of the tables; `migrate` makes it if it is missing. Default: the first of the search path. */
  readonly schema?: string | undefined
  /** In front of every table and index. Default `tolem_`. */
  readonly prefix?: string | undefined
  /** Write nothing at the start: for what only reads. Default false. */
  readonly readOnly?: boolean | undefined
}

/**
 * The stores on the database, for a server or a command. An acknowledged write is as durable as the database's own
 * commit. Fails with `SchemaOutdated` if `migrate` has not run (a schema that is
 * newer than this version is fine), and with `SecretUnreadable` if the box lacks the keys of the other servers.
 */
export const layer = (
  options: PostgresOptions
): Layer.Layer<Stores.Stores, SqlError.SqlError | Migrations.SchemaOutdated | SecretUnreadable, SecretBox> => {
  const { schema, prefix, readOnly, statementTimeoutMs = Connection.defaultStatementTimeoutMs } = options
  const naming = { schema, prefix }
  // Longer than a statement may take: what has no answer by then has lost its connection.
  const deadlineMs = statementTimeoutMs === 0 ? undefined : 2 * statementTimeoutMs
  const stores = Layer.unwrap(
    Effect.map(Random.nextIntBetween(0, processes - 1), (process) =>
      Stores.layer({ ...naming, process, deadlineMs, readOnly })
    )
  )
  return Layer.merge(stores, NotifyRelay.layer(channelOf(options))).pipe(
    Layer.provide(Migrations.upToDate(naming)),
    Layer.provide(Connection.layer(options))
  )
}

interface Naming {
  readonly schema: string | undefined
  readonly prefix: string | undefined
}

// Sets of tables in one database tell each other nothing. A channel's name has 63 bytes at most.
const channelOf = ({ schema = "", prefix = "" }: Partial<Naming>): string => `tolem ${schema}.${prefix}`.slice(0, 60)

/** Whether secrets were sealed in the database before: then it is no use making new keys for it. */
export const isSealed = ({
  schema,
  prefix,
  ...connection
}: PostgresOptions): Effect.Effect<boolean, SqlError.SqlError> =>
  SecretCheck.isSealed({ schema, prefix }).pipe(Effect.provide(Connection.layer(connection)))

/**
 * Makes the schema, or brings it up to date. Two at once are safe: one works, the other waits. Servers of the version
 * before keep working on the new schema. No limit of time applies, whatever `statementTimeoutMs` says.
 */
export const migrate = ({
  schema,
  prefix,
  ...connection
}: PostgresOptions): Effect.Effect<MigrationReport, SqlError.SqlError | Migrator.MigrationError> =>
  SchemaUpdate.migrate({ schema, prefix }).pipe(
    Effect.provide(Connection.layer({ ...connection, statementTimeoutMs: 0 }))
  )
