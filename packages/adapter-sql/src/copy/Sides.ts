/** The two databases of a copy, and why one is refused. */
import { Data, type Effect } from "effect"
import type { Migrator, SqlClient, SqlError } from "effect/sql"
import type { TableNaming } from "../base/Tables.ts"

/** A database with its tables. */
export interface Side {
  readonly sql: SqlClient.SqlClient
  readonly naming: TableNaming
}

/** What is copied. None but the copy writes to it as long as it is open. */
export interface CopySource extends Side {
  /** Runs what reads where it sees the state that is held. */
  readonly held: <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** What is copied into. */
export interface CopyTarget extends Side {
  /** Makes the schema, or brings it up to date. */
  readonly migrate: Effect.Effect<unknown, SqlError.SqlError | Migrator.MigrationError>
}

/** Why a copy is refused. */
export type RefusalReason =
  /** Others work on the source. */
  | "source_in_use"
  /** The source has no schema, or one that the target's does not match. */
  | "schema_differs"
  /** Another copy works on the target, or a server. */
  | "target_in_use"
  /** The target has rows that no copy has written. */
  | "target_not_empty"
  /** The target has an unfinished copy of another database. */
  | "other_source"
  /** The source holds a value that is none of its column, or that the target cannot keep. */
  | "value_unfit"
  /** What the target holds is not what the source holds. */
  | "copy_differs"

/** The copy is refused, or what it made is not as it should be. The message says what is the matter. */
export class CopyRefused extends Data.TaggedError("CopyRefused")<{
  readonly reason: RefusalReason
  readonly message: string
}> {}

/** Fails so. */
export const refused = (reason: RefusalReason, message: string): CopyRefused => new CopyRefused({ reason, message })
