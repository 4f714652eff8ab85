/** Tölem's storage on one SQLite file: the client, the migrations, the stores. */
import { realpathSync } from "node:fs"
import type { DatabaseSync } from "node:sqlite"
import type { CopyUnfinished } from "@tolem/adapter-sql/base/CopyMark"
import { LongReads } from "@tolem/adapter-sql/base/LongReads"
import { type ScriptOptions, scriptOf, statementsOf } from "@tolem/adapter-sql/base/MigrationScript"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import { TransactionChains } from "@tolem/adapter-sql/base/TransactionChains"
import { TransactionFaces, TransactionSources } from "@tolem/adapter-sql/base/Transactions"
import * as Condition from "@tolem/adapter-sql/integrity/Condition"
import * as Stores from "@tolem/adapter-sql/Stores"
import type { Transacting } from "@tolem/core/feed/ReactionStore"
import type { SecretBox, SecretUnreadable } from "@tolem/core/secret/SecretBox"
import { Effect, Layer } from "effect"
import { type Migrator, type SqlClient, SqlError } from "effect/sql"
import * as Chains from "./Chains.ts"
import * as FileModes from "./FileModes.ts"
import * as GuardedDatabase from "./GuardedDatabase.ts"
import * as ReadThread from "./ReadThread.ts"
import * as SqliteClient from "./SqliteClient.ts"

/** Settings of the storage. */
export interface SqliteOptions extends SqliteClient.SqliteClientConfig {
  /** In front of every table and index. Default `tolem_`. */
  readonly prefix?: string | undefined
  /** Open it although another database is copied into it, and that has not ended: for checks. Default false. */
  readonly unfinished?: boolean | undefined
}

/** Settings of the storage on a connection of the application. */
export interface SqliteDatabaseOptions {
  /**
   * An open database. It stays the application's, with its settings: as durable as its `synchronous` says (FULL is
   * SQLite's default), and `timeout` is how long it waits for other processes. End a transaction of your own before you
   * wait for the engine, or have invoices made in it: the engine's other statements wait for its end.
   */
  readonly database: DatabaseSync
  /** In front of every table and index. Default `tolem_`. */
  readonly prefix?: string | undefined
}

const isShared = (options: SqliteOptions | SqliteDatabaseOptions): options is SqliteDatabaseOptions =>
  "database" in options

/**
 * The stores on the file `filename`, which is made with its folder if it is missing, for its owner alone;
 * `:memory:` keeps nothing. The
 * schema is brought up to date first. An acknowledged write survives `kill -9` and the loss of power. Several processes
 * may share the file, with the same keys of the box; they wait for each other's writes.
 * Other connections may write to it, too, those of this process included: in a transaction of theirs invoices can be
 * made with `create(request, { tx })`.
 *
 * With `readOnly` nothing is made and nothing written: fails with `SqlError` if there is no file, with
 * `SchemaOutdated` if its schema is older than this version, and so does every verb that writes. Fails with
 * `CopyUnfinished` while another database is copied into this one.
 */
export const layer = (
  options: SqliteOptions | SqliteDatabaseOptions
): Layer.Layer<Stores.Stores, OpenError, SecretBox> => (isShared(options) ? onDatabase(options) : onFile(options))

const onDatabase = ({ database, prefix }: SqliteDatabaseOptions): Layer.Layer<Stores.Stores, OpenError, SecretBox> =>
  Stores.layer({ prefix }).pipe(
    Layer.provide(Layer.succeed(TransactionFaces, GuardedDatabase.sharedFaceOf)),
    Layer.provide(
      Layer.succeed(
        TransactionSources,
        SqliteClient.given((other) => isSame(database, other))
      )
    ),
    Layer.provide(
      Layer.succeed(
        TransactionChains,
        Chains.make(database, (other) => isSame(database, other))
      )
    ),
    Layer.provide(Migrations.layer({ prefix })),
    Layer.provide(SqliteClient.layerShared(database))
  )

const onFile = (options: SqliteOptions): Layer.Layer<Stores.Stores, OpenError, SecretBox> => {
  const { prefix, filename, readOnly = false, unfinished } = options
  const prepared = readOnly ? warned(filename) : prepareFile(filename)
  const client = Layer.unwrap(Effect.as(prepared, SqliteClient.layer(options)))
  const schema: Layer.Layer<never, OpenError, SqlClient.SqlClient | SqliteClient.SqliteClient> = readOnly
    ? Migrations.upToDate({ prefix })
    : filename === ":memory:"
      ? inMemory(prefix)
      : Migrations.layer({ prefix })
  return Stores.layer({ prefix, readOnly, unfinished }).pipe(
    Layer.provide(longReads(options)),
    Layer.provide(Layer.succeed(TransactionFaces, GuardedDatabase.faceOf)),
    Layer.provide(
      Layer.succeed(
        TransactionSources,
        SqliteClient.given((other) => isOn(filename, other))
      )
    ),
    Layer.provide(chainsOn(filename)),
    Layer.provide(schema),
    Layer.provide(client)
  )
}

/**
 * Brings the schema up to date, as opening the stores does, and answers the steps that ran. `script` is the same as a
 * text for a tool of your own.
 */
export const migrate = (
  options: SqliteOptions | SqliteDatabaseOptions
): Effect.Effect<ReadonlyArray<Migrations.MigrationStep>, SqlError.SqlError | Migrator.MigrationError> => {
  const client: Layer.Layer<SqlClient.SqlClient, SqlError.SqlError> = isShared(options)
    ? SqliteClient.layerShared(options.database)
    : Layer.unwrap(Effect.as(prepareFile(options.filename), SqliteClient.layer(options)))
  return Effect.provide(Migrations.migrate({ prefix: options.prefix }), client)
}

/** The statements that would make the schema, or bring one that has the step `after` up to date. */
export const script = ({ prefix, after }: Omit<ScriptOptions, "schema"> = {}): string =>
  scriptOf(statementsOf("sqlite", { prefix, after }))

/** Opens the file only to look at it, whatever its schema. Fails if it is not there or no database. */
export const condition = ({ filename, prefix }: Pick<SqliteOptions, "filename" | "prefix">) =>
  Effect.flatMap(Layer.build(SqliteClient.layer({ filename, readOnly: true })), (client) =>
    Effect.provide(Condition.make({ prefix }), client)
  )

/** The same for `createEngine`, whose handlers are given the open database. */
export const sqlite = (
  options: SqliteOptions | SqliteDatabaseOptions
): Layer.Layer<Stores.Stores, OpenError, SecretBox> & Transacting<DatabaseSync> => layer(options)

/** Why a file cannot be used. */
export type OpenError =
  | SqlError.SqlError
  | Migrator.MigrationError
  | Migrations.SchemaOutdated
  | SecretUnreadable
  | CopyUnfinished

const warned = (filename: string): Effect.Effect<void> => {
  const file = FileModes.fileOf(filename)
  return file === null ? Effect.void : FileModes.warnOfOthers(file)
}

const isSame = (database: DatabaseSync, other: DatabaseSync): boolean =>
  other === database || (database.location() !== null && other.location() === database.location())

/** Whether a connection is to the file of this name. */
const isOn = (filename: string, other: DatabaseSync): boolean => {
  const [file, theirs] = [FileModes.fileOf(filename), other.location()]
  return file !== null && theirs !== null && realpathSync(file) === realpathSync(theirs)
}

/** By prefix: what the first database in memory was after its migrations. The next ones begin as a copy of it. */
const images = new Map<string | undefined, Uint8Array>()

const inMemory = (prefix: string | undefined) =>
  Layer.effectDiscard(
    Effect.flatMap(SqliteClient.SqliteClient, ({ db }) => {
      const image = images.get(prefix)
      if (image !== undefined) return Effect.sync(() => db.deserialize(image))
      return Effect.tap(Migrations.migrate({ prefix }), () =>
        // Older versions of Node cannot.
        Effect.sync(() => void ("deserialize" in db && images.set(prefix, db.serialize())))
      )
    })
  )

const chainsOn = (filename: string): Layer.Layer<never, never, SqliteClient.SqliteClient> =>
  Layer.effect(
    TransactionChains,
    Effect.map(SqliteClient.SqliteClient, ({ db }) => Chains.make(db, (other) => isOn(filename, other)))
  )

/** A file that is served has a thread for them. */
const longReads = ({ filename, exclusive, readOnly }: SqliteOptions): Layer.Layer<never> =>
  FileModes.fileOf(filename) === null || exclusive === true || readOnly === true
    ? Layer.empty
    : Layer.effect(LongReads, ReadThread.make({ filename }))

/** Makes the folder of the file, and lets none but its owner read what is made. */
export const prepareFile = (filename: string): Effect.Effect<void, SqlError.SqlError> => {
  const file = FileModes.fileOf(filename)
  if (file === null) return Effect.void
  return Effect.catchDefect(FileModes.prepare(file), (cause) =>
    Effect.fail(
      new SqlError.SqlError({
        reason: new SqlError.ConnectionError({ message: String(cause), operation: "open", cause })
      })
    )
  )
}
