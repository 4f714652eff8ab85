/**
 * The mark of a database that another one is copied into. As long as it is there, rows may be missing and triggers are
 * off, so no engine opens the database. The mark is a table, which a copy makes first and drops last.
 */
import { Data, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { copyTable, hasTable, type TableNaming } from "./Tables.ts"

/** The database is the target of a copy that has not ended. */
export class CopyUnfinished extends Data.TaggedError("CopyUnfinished") {
  override readonly message = "another database is copied into this one, and that has not ended"
}

/** Settings of the check. */
export interface Options extends TableNaming {
  /** Whether the database may be opened all the same: for the checks before the copy ends. Default false. */
  readonly unfinished?: boolean | undefined
}

/** Whether the database has the mark. */
export const isMarked = (naming: TableNaming): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => hasTable(sql, copyTable(naming)))

/** Fails if the database has the mark when the layer is built. */
export const layer = ({
  unfinished = false,
  ...naming
}: Options): Layer.Layer<never, SqlError.SqlError | CopyUnfinished, SqlClient.SqlClient> =>
  Layer.effectDiscard(
    Effect.flatMap(unfinished ? Effect.succeed(false) : isMarked(naming), (marked) =>
      marked ? Effect.fail(new CopyUnfinished()) : Effect.void
    )
  )
