/** Transactions as applications know them: those that they are given, and those that they have open. */
import { Cause, Context, Data, Effect, Exit, Option, Semaphore, Stream } from "effect"
import { type SqlClient, type SqlConnection, SqlError, type Statement } from "effect/sql"

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

/** Whether an application was given this. */
export const isHandedOut = (face: object): boolean => given.has(face)

/** A transaction that the application has open, and whether it is open still. */
export interface OpenOne {
  readonly connection: SqlConnection.Connection
  readonly isOpen: () => boolean
  /** The connection for what is written in it: it refuses what comes too late. */
  readonly statements: SqlConnection.Connection
}

const whileOpen = (connection: SqlConnection.Connection, isOpen: () => boolean): SqlConnection.Connection => {
  const inTime = <A>(statement: () => Effect.Effect<A, SqlError.SqlError>) =>
    Effect.suspend(() => (isOpen() ? statement() : Effect.fail(notOpen())))
  return {
    execute: (...given) => inTime(() => connection.execute(...given)),
    executeRaw: (...given) => inTime(() => connection.executeRaw(...given)),
    executeValues: (...given) => inTime(() => connection.executeValues(...given)),
    executeUnprepared: (...given) => inTime(() => connection.executeUnprepared(...given)),
    executeValuesUnprepared: (...given) => inTime(() => connection.executeValuesUnprepared(...given)),
    executeStream: (...given) =>
      Stream.suspend(() => (isOpen() ? connection.executeStream(...given) : Stream.fail(notOpen())))
  }
}

/** The transaction that is handed back by an application, or that it has open itself. */
export const openOne = (face: object, sourceOf: TransactionSource): OpenOne | undefined => {
  const known = given.get(face)
  if (known !== undefined) return { ...known, statements: whileOpen(known.connection, known.isOpen) }
  const connection = sourceOf(face)
  return connection && { connection, isOpen: () => sourceOf(face) !== undefined, statements: connection }
}

const turns = new WeakMap<SqlConnection.Connection, Semaphore.Semaphore>()

/** One after the other: savepoints of one connection that are not inside of one another would undo each other. */
export const inTurn = <A, E, R>(connection: SqlConnection.Connection, self: Effect.Effect<A, E, R>) => {
  const turn = turns.get(connection) ?? Semaphore.makeUnsafe(1)
  turns.set(connection, turn)
  return turn.withPermit(self)
}

/** The application's transaction that a fiber is in. */
interface Within {
  readonly connection: SqlConnection.Connection
  /** Holds in this transaction only, and on PostgreSQL no longer than it is open; see `within`. */
  readonly holds: Statement.Fragment
}

/** The application's transaction that the fiber is in. */
export const Given = Context.Reference<Within | undefined>("@tolem/adapter-sql/Given", {
  defaultValue: () => undefined
})

/** The transaction ended while something was written in it: that was committed or undone with it. */
export class EndedMeanwhile extends Data.TaggedError("EndedMeanwhile") {}

/** The code of what an error was caused by, if that is PostgreSQL's. */
const codeOf = (error: unknown): string => {
  const failed = error instanceof Error && !SqlError.isSqlError(error) ? error.cause : error
  const cause: unknown = SqlError.isSqlError(failed) ? failed.reason.cause : undefined
  return typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
}

/** Whether no transaction was open (25P01), or one that has failed (25P02). Nothing was written then. */
export const isNotOpen = (error: unknown): boolean => /^25P0[12]$/.test(codeOf(error))

/** What a write fails with that did not find itself in its transaction. */
export const notOpen = (): SqlError.SqlError => {
  const message = "the transaction has ended"
  const cause = Object.assign(new Error(message), { code: "25P01" })
  return new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause, message, operation: "execute" }) })
}

let marks = 0

/**
 * Runs an effect whose statements belong to a transaction that the client has not begun. Its user may end it between
 * any two of them, and what comes then would be committed by itself. So there is a mark on PostgreSQL that ends with
 * the transaction, and with a savepoint that is undone. The effect has one statement that writes, and it looks.
 */
export const within = <A, E, R>(
  sql: SqlClient.SqlClient,
  { connection, statements }: OpenOne,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError | EndedMeanwhile, R> => {
  const name = `tolem_${++marks}`
  const isMarked = sql.onDialectOrElse({ pg: () => true, orElse: () => false })
  const holds = isMarked ? sql`current_setting('tolem.within', true) = ${name}` : sql.literal("true")
  const mark = connection.execute("select set_config('tolem.within', $1, true)", [name], undefined)
  const say = saying(connection)
  const undo = (cause: Cause.Cause<E>) =>
    Option.exists(Cause.findErrorOption(cause), (error) => codeOf(error) === "25P01")
      ? Effect.void
      : Effect.catch(
          Effect.andThen(say(`ROLLBACK TO SAVEPOINT ${name}`), say(`RELEASE SAVEPOINT ${name}`)),
          // Of its transaction nothing is left to be undone. 3B001: there is another one by now.
          (error) => (isNotOpen(error) || codeOf(error) === "3B001" ? Effect.void : Effect.fail(error))
        )
  const release = Effect.mapError(say(`RELEASE SAVEPOINT ${name}`), (error) =>
    codeOf(error) === "25P02" ? error : new EndedMeanwhile()
  )
  return Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      yield* say(`SAVEPOINT ${name}`)
      if (isMarked) yield* mark
      const exit = yield* restore(
        effect.pipe(
          Effect.provideService(sql.transactionService, [statements, 0]),
          Effect.provideService(Given, { connection: statements, holds })
        )
      ).pipe(Effect.exit)
      yield* Exit.isFailure(exit) ? undo(exit.cause) : release
      return yield* exit
    })
  )
}

const saying = (connection: SqlConnection.Connection) => (text: string) =>
  connection.executeUnprepared(text, [], undefined)

/** Runs an effect in a transaction, or in a savepoint of the one that the fiber is in. */
export const inTransaction = <A, E, R>(
  sql: SqlClient.SqlClient,
  effect: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError.SqlError, R> =>
  Effect.flatMap(Given, (given) =>
    given === undefined ? sql.withTransaction(effect) : savepoint(given.connection, effect)
  )

const savepoint = <A, E, R>(connection: SqlConnection.Connection, effect: Effect.Effect<A, E, R>) => {
  const say = saying(connection)
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
