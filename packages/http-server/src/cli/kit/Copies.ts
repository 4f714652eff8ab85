/** Databases as the source and the target of a copy, and how a copy that is refused is told. */
import * as PostgresSides from "@tolem/adapter-postgres/CopySides"
import * as Sides from "@tolem/adapter-sqlite/CopySides"
import { Effect, type Scope } from "effect"
import { Migrator, type SqlError } from "effect/sql"
import { cannotOpen, type DatabaseFlag, type Location, saidBy } from "./Database.ts"
import { CommandFailed } from "./Failures.ts"

export { fill, open } from "@tolem/adapter-sqlite/CopySides"

type Opened<A> = Effect.Effect<A, SqlError.SqlError | Sides.CopyRefused, Scope.Scope>

/** The database as a source. As long as it is open, no other process writes to it. */
export const copySourceOf = (location: Location): Opened<Sides.CopySource> =>
  location.kind === "postgres"
    ? PostgresSides.source(location.options)
    : Sides.source({ filename: location.file ?? "" })

/** The database as a target. */
export const copyTargetOf = (location: Location): Opened<Sides.CopyTarget> =>
  location.kind === "postgres"
    ? PostgresSides.target(location.options)
    : Sides.target({ filename: location.file ?? "" })

/** What to answer if a database could not be opened, so that nothing had begun. A refusal stays what it is. */
export const opening =
  (location: Location, flag: DatabaseFlag) =>
  <A, R>(self: Effect.Effect<A, SqlError.SqlError | Sides.CopyRefused, R>) =>
    Effect.mapError(self, (error) => (error instanceof Sides.CopyRefused ? error : cannotOpen(location, error, flag)))

const advice = {
  source_in_use: "Stop all servers and commands on it: nothing may be written while it is copied",
  schema_differs: "Bring the source up to date with tolem migrate of this version, and take a target that is new",
  target_in_use: "Wait until it has ended",
  target_not_empty: "Name a database that is new: this command makes its tables",
  other_source: "Copy that one, or name a database that is new",
  value_unfit: "Change it in the source",
  copy_differs: "The source or the target was written to meanwhile. Make the target empty, and copy anew"
} as const satisfies Record<Sides.CopyRefused["reason"], string>

/** What to answer if a copy fails. What was copied stays, and the same command goes on behind it. */
export const failure =
  (from: Location, to: Location) =>
  <E>(error: E): CommandFailed | Exclude<E, Sides.CopyError> => {
    if (error instanceof Sides.CopyRefused) {
      const { reason, message } = error
      const text = `${from.url} is not copied to ${to.url}. ${message}. ${advice[reason]}.`
      return new CommandFailed({ error: reason.startsWith("copy_") ? reason : `copy_${reason}`, message: text })
    }
    if (isOfDatabase(error)) {
      const message = `The copy of ${from.url} to ${to.url} was cut off: ${saidBy(error)}. The same command goes on`
      return new CommandFailed({ error: "database_unavailable", message })
    }
    return error as Exclude<E, Sides.CopyError>
  }

const isOfDatabase = (error: unknown): error is SqlError.SqlError | Migrator.MigrationError =>
  error instanceof Migrator.MigrationError || (error instanceof Error && "_tag" in error && error._tag === "SqlError")
