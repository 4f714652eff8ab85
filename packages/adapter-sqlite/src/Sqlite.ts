/** Tölem's storage on one SQLite file: the client, the migrations, the stores. */
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import * as Migrations from "@tolem/adapter-sql/Migrations"
import * as Stores from "@tolem/adapter-sql/Stores"
import type { SecretBox, SecretUnreadable } from "@tolem/core/SecretBox"
import { Effect, Layer } from "effect"
import { type Migrator, SqlError } from "effect/sql"
import * as SqliteClient from "./SqliteClient.ts"

/** Settings of the storage. */
export interface Options extends SqliteClient.SqliteClientConfig {
  /** In front of every table and index. Default `tolem_`. */
  readonly prefix?: string | undefined
}

/**
 * The stores on the file `filename`, which is made with its folder where it is missing; `:memory:` keeps nothing. The
 * schema is brought up to date first. An acknowledged write survives `kill -9` and the loss of power. Several processes
 * may share the file, with the same keys of the box; they wait for each other's writes, with the event loop blocked, so
 * keep the others short.
 */
export const layer = (
  options: Options
): Layer.Layer<Stores.Stores, SqlError.SqlError | Migrator.MigrationError | SecretUnreadable, SecretBox> => {
  const { prefix, filename } = options
  const client = Layer.unwrap(Effect.as(makeFolder(filename), SqliteClient.layer(options)))
  return Stores.layer({ prefix }).pipe(Layer.provide(Migrations.layer({ prefix })), Layer.provide(client))
}

const makeFolder = (filename: string): Effect.Effect<void, SqlError.SqlError> =>
  // Neither `:memory:`, nor a temporary database, nor a URI names a folder.
  /^(:|file:|$)/.test(filename)
    ? Effect.void
    : Effect.try({
        try: () => void mkdirSync(dirname(filename), { recursive: true }),
        catch: (cause) =>
          new SqlError.SqlError({
            reason: new SqlError.ConnectionError({ message: String(cause), operation: "open", cause })
          })
      })
