/** A file as the source of a copy, or as its target. Either way no other process has it open meanwhile. */
import { migrate } from "@tolem/adapter-sql/base/Migrations"
import { type CopySource, type CopyTarget, refused } from "@tolem/adapter-sql/copy/Sides"
import { Context, Effect, Layer, type Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { prepareFile } from "./Sqlite.ts"
import * as SqliteClient from "./SqliteClient.ts"

export * from "@tolem/adapter-sql/copy/Copy"

/** Which file. */
export interface FileOptions {
  /** Path of the file. */
  readonly filename: string
}

/** Opens the file to be read. Fails if any other connection has it open. */
export const source = ({ filename }: FileOptions) =>
  Effect.gen(function* () {
    const sql = yield* alone(filename)
    const held: CopySource["held"] = (self) => self
    return { sql, naming: {}, held } satisfies CopySource
  }).pipe(
    Effect.mapError((error) =>
      isBusy(error) ? refused("source_in_use", "Another process has the source open: stop it") : error
    )
  )

/** Opens the file to be filled, and makes it if it is missing. Fails if any other connection has it open. */
export const target = ({ filename }: FileOptions) =>
  Effect.gen(function* () {
    yield* prepareFile(filename)
    const sql = yield* alone(filename)
    return { sql, naming: {}, migrate: Effect.provideService(migrate(), SqlClient.SqlClient, sql) } satisfies CopyTarget
  }).pipe(
    Effect.mapError((error) =>
      isBusy(error) ? refused("target_in_use", "Another process has the target open: stop it") : error
    )
  )

const alone = (filename: string): Effect.Effect<SqlClient.SqlClient, SqlError.SqlError, Scope.Scope> =>
  Effect.map(Layer.build(SqliteClient.layer({ filename, exclusive: true, busyTimeout: "1 second" })), (services) =>
    Context.get(services, SqlClient.SqlClient)
  )

const isBusy = ({ reason }: SqlError.SqlError): boolean => reason._tag === "LockTimeoutError"
