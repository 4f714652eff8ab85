/** `tolem migrate` */
import { Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import * as Assembly from "../kit/Assembly.ts"
import * as Database from "../kit/Database.ts"
import * as Flags from "../kit/Flags.ts"
import { Output } from "../kit/Output.ts"
import * as Progress from "../kit/Progress.ts"

const sql = Flag.Boolean("sql").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Only print the statements, for a migration tool of your own. Nothing is connected to")
)

const after = Flag.Int("after").pipe(
  Flag.optional,
  Flag.withDescription("With --sql: the newest step that the database has, by its number; only later ones are printed")
)

/** Opening a SQLite file brings its schema up to date. PostgreSQL is migrated by this command only. */
export const migrateCommand = Command.make("migrate", { database: Flags.database, sql, after }, (given) =>
  Effect.gen(function* () {
    const { database } = given
    const output = yield* Output
    if (given.sql) {
      const script = yield* Database.scriptOf(database, Option.getOrUndefined(given.after))
      return yield* output.tell({ json: { sql: script }, text: script.trimEnd() })
    }
    if (database.kind === "sqlite") {
      yield* Progress.shown("Migrating")(Effect.scoped(Layer.build(Assembly.layer(database, { makes: true }))))
      return yield* output.print({
        json: { database: database.url, upToDate: true },
        text: `The schema of ${database.url} is up to date.`
      })
    }
    const { steps, searchIndex } = yield* Progress.shown("Migrating")(Database.migrate(database))
    const ran = steps.map(([id, name]) => `${String(id).padStart(4, "0")}_${name}`)
    const index = searchIndex ? "" : "\nSearch has no index: the extension pg_trgm cannot be had here."
    yield* output.print({
      json: { database: database.url, upToDate: true, steps: ran, searchIndex },
      text: `The schema of ${database.url} is up to date${ran.length === 0 ? "" : ` (ran ${ran.join(", ")})`}.${index}`
    })
  })
).pipe(
  Command.withDescription("Make the database, or bring its schema up to date. Servers on PostgreSQL wait for this")
)
