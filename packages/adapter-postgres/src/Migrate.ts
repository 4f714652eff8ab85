/** The migration as a promise, and as a script. */
import { Effect } from "effect"
import * as Postgres from "./Postgres.ts"
import type { MigrationReport } from "./SchemaUpdate.ts"

const run = (options: Postgres.PostgresOptions | Postgres.PostgresPoolOptions): Promise<MigrationReport> =>
  Effect.runPromise(Postgres.migrate(options))

/**
 * Makes the schema, or brings it up to date. Two at once are safe: one works, the other waits. Servers of the version
 * before keep working on the new schema. `migrate.sql({ schema, prefix })` is the same as a script, for a tool of your
 * own; `after` leaves out the steps up to the one that the database has.
 */
export const migrate = Object.assign(run, { sql: Postgres.script })
