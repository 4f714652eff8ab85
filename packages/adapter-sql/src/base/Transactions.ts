/** Transactions as applications know them: those that they are given, and those that they have open. */
import { Context, Effect, Exit } from "effect"
import type { SqlClient, SqlConnection, SqlError } from "effect/sql"

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

/** The transaction that an application has open itself, as a connection; undefined: it is none of this database. */
export type TransactionSource = (given: object) => SqlConnection.Connection | undefined

/** How transactions of the application are recognised. Without one only those are that it was given. */
export const TransactionSources = Context.Reference<TransactionSource>("@tolem/adapter-sql/TransactionSources", {
  defaultValue: () => () => undefined
})

/** What applications were given of transactions, with what stands behind it. */
const given = new WeakMap<object, { readonly connection: SqlConnection.Connection; readonly isOpen: () => boolean }>()

/** Remembers what an application is given of a transaction, for the case that it hands it back. */
export const handOut = (face: unknown, connection: SqlConnection.Connection, isOpen: () => boolean): void => {
  if (typeof face === "object" && face !== null) given.set(face, { connection, isOpen })
}

/** The connection of a transaction that the application was given, while that is open; null: it has ended. */
export const handedBack = (face: object): SqlConnection.Connection | null | undefined => {
  const known = given.get(face)
  return known === undefined ? undefined : known.isOpen() ? known.connection : null
}

/** The connection of the application's transaction that the fiber is in. */
const Given = Context.Reference<SqlConnection.Connection | undefined>("@tolem/adapter-sql/Given", {
  defaultValue: () => undefined
})

/** Runs an effect whose statements belong to a transaction that the client has not begun. */
export const within = <A, E, R>(
  sql: SqlClient.SqlClient,
  connection: SqlConnection.Connection,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  savepoint(
    connection,
    effect.pipe(
      Effect.provideService(sql.transactionService, [connection, 0]),
      Effect.provideService(Given, connection)
    )
  )

/** Runs an effect in a transaction, or in a savepoint of the one that the fiber is in. */
export const inTransaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.flatMap(Given, (given) => (given === undefined ? sql.withTransaction(effect) : savepoint(given, effect)))

const savepoint = <A, E, R>(connection: SqlConnection.Connection, effect: Effect.Effect<A, E, R>) => {
  const say = (text: string) => connection.executeUnprepared(text, [], undefined)
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      yield* say("SAVEPOINT tolem")
      const exit = yield* Effect.exit(restore(effect))
      if (Exit.isFailure(exit)) yield* say("ROLLBACK TO SAVEPOINT tolem")
      yield* say("RELEASE SAVEPOINT tolem")
      return yield* exit
    })
  )
}
