/** An open transaction as the applications of a database know it. */
import { Context, type Effect } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

/** What code outside of Effect is given of a transaction. It refuses every use once `isOpen` is false. */
export type TransactionFace = (
  connection: SqlConnection.Connection,
  isOpen: () => boolean,
  run: <A>(effect: Effect.Effect<A, SqlError.SqlError>) => Promise<A>
) => unknown

/** A transaction with `query`, as `pg` has it. */
export interface QueryTransaction {
  /** Runs a statement in the transaction; `$1`, `$2` … stand for the values. */
  readonly query: <Row extends object = Record<string, unknown>>(
    text: string,
    values?: ReadonlyArray<unknown>
  ) => Promise<{ readonly rows: ReadonlyArray<Row>; readonly rowCount: number }>
}

/** The transaction has ended: what its user still does belongs to nothing. */
export const ended = (): Error => new Error("the transaction has ended: what belongs to it must be awaited in it")

const querying: TransactionFace = (connection, isOpen, run): QueryTransaction => ({
  query: async <Row extends object>(text: string, values: ReadonlyArray<unknown> = []) => {
    if (!isOpen()) throw ended()
    const params = values.map((value) => (value instanceof Date ? value.toISOString() : value))
    return (await run(connection.executeRaw(text, params))) as { rows: ReadonlyArray<Row>; rowCount: number }
  }
})

/** How transactions are shown. */
export const TransactionFaces = Context.Reference<TransactionFace>("@tolem/adapter-sql/TransactionFaces", {
  defaultValue: () => querying
})
