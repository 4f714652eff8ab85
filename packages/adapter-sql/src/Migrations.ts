/** The schema, as numbered steps that only go forward. A published step never changes. */
import { Effect, Layer } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { make as makeDialect } from "./Dialect.ts"
import { createTables } from "./migrations/0001_init.ts"
import { migrationsTable, type Naming } from "./Tables.ts"

/** A step that was run: its number and its name. */
export type Step = readonly [id: number, name: string]

/**
 * Brings the schema up to date and answers the steps that ran; none where it was. Each run is one transaction, and two
 * at once do the work once. Fails with `MigrationError` where a step does, and then nothing has changed.
 */
export const migrate = (
  naming: Naming = {}
): Effect.Effect<ReadonlyArray<Step>, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Migrator.make({})({ table: migrationsTable(naming), loader: Migrator.fromRecord(steps(naming)) })

/** Migrates when the layer is built. */
export const layer = (
  naming: Naming = {}
): Layer.Layer<never, Migrator.MigrationError | SqlError.SqlError, SqlClient.SqlClient> =>
  Layer.effectDiscard(migrate(naming))

const steps = (naming: Naming) => ({
  "0001_init": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* createTables(sql, yield* makeDialect(sql), naming)
  })
})
