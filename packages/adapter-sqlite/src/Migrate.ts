/** The migration as a promise, and as a script. */
import type { MigrationStep } from "@tolem/adapter-sql/base/Migrations"
import { Effect } from "effect"
import * as Sqlite from "./Sqlite.ts"

const run = (options: Sqlite.SqliteOptions | Sqlite.SqliteDatabaseOptions): Promise<ReadonlyArray<MigrationStep>> =>
  Effect.runPromise(Sqlite.migrate(options))

/**
 * Brings the schema up to date, and answers the steps that ran. An engine does so by itself when it opens the database.
 * `migrate.sql({ prefix })` is the same as a script, for a tool of your own; `after` leaves out the steps up to the one
 * that the database has.
 */
export const migrate = Object.assign(run, { sql: Sqlite.script })
