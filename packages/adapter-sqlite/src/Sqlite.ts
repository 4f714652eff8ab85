/** Tölem's storage on one SQLite file: the client, the migrations, the stores. */
import * as Migrations from "@tolem/adapter-sql/Migrations"
import * as Stores from "@tolem/adapter-sql/Stores"
import type { SecretBox, SecretUnreadable } from "@tolem/core/SecretBox"
import { Effect, Layer } from "effect"
import { type Migrator, SqlError } from "effect/sql"
import * as FileModes from "./FileModes.ts"
import * as SqliteClient from "./SqliteClient.ts"

/** Settings of the storage. */
export interface Options extends SqliteClient.SqliteClientConfig {
  /** In front of every table and index. Default `tolem_`. */
  readonly prefix?: string | undefined
}

/**
 * The stores on the file `filename`, which is made with its folder where it is missing, for its owner alone;
 * `:memory:` keeps nothing. The
 * schema is brought up to date first. An acknowledged write survives `kill -9` and the loss of power. Several processes
 * may share the file, with the same keys of the box; they wait for each other's writes, with the event loop blocked, so
 * keep the others short.
 */
export const layer = (
  options: Options
): Layer.Layer<Stores.Stores, SqlError.SqlError | Migrator.MigrationError | SecretUnreadable, SecretBox> => {
  const { prefix, filename } = options
  const client = Layer.unwrap(Effect.as(prepareFile(filename), SqliteClient.layer(options)))
  return Stores.layer({ prefix }).pipe(Layer.provide(Migrations.layer({ prefix })), Layer.provide(client))
}

const prepareFile = (filename: string): Effect.Effect<void, SqlError.SqlError> => {
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
