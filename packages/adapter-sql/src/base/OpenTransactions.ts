/** The core's `OpenTransaction` in SQL: a savepoint, so that the transaction outlives what fails in it. */
import type { StorageError } from "@tolem/core/error/StorageError"
import { OpenTransaction, TransactionNotOpen } from "@tolem/core/work/OpenTransaction"
import { Effect, Layer, Option, References, Semaphore } from "effect"
import { type SqlConnection, SqlError } from "effect/sql"
import { Database } from "./Database.ts"
import * as Transactions from "./Transactions.ts"

const operation = "OpenTransaction.within"

/** The port over the database. */
export const layer: Layer.Layer<OpenTransaction, never, Database> = Layer.effect(
  OpenTransaction,
  Effect.gen(function* () {
    const { sql, transaction, failing } = yield* Database
    const sourceOf = yield* Transactions.TransactionSources
    const inTurn = makeTurns()

    type Answer<A, E, R> = Effect.Effect<A, E | StorageError | TransactionNotOpen, R>
    const ambient = <A, E, R>(effect: Effect.Effect<A, E, R>): Answer<A, E, R> =>
      Effect.flatMap(
        Effect.serviceOption(sql.transactionService),
        (open): Answer<A, E, R> => (Option.isSome(open) ? transaction(operation, effect) : new TransactionNotOpen())
      )
    const within = <A, E, R>(given: unknown, effect: Effect.Effect<A, E, R>): Answer<A, E, R> => {
      if (given === undefined) return ambient(effect)
      const connection = connectionOf(given, sourceOf)
      if (connection === undefined) return new TransactionNotOpen()
      const written = failing(operation, Transactions.within(sql, connection, effect))
      return inTurn(connection, written).pipe(
        Effect.catch(
          (error): Answer<never, E, never> => (isNotOpen(error) ? new TransactionNotOpen() : Effect.fail(error))
        ),
        // The application waits with its transaction: what can be done without a pause is.
        Effect.provideService(References.PreventSchedulerYield, true)
      )
    }
    return { within }
  })
)

const connectionOf = (given: unknown, sourceOf: Transactions.TransactionSource) => {
  if (typeof given !== "object" || given === null) return undefined
  const known = Transactions.handedBack(given)
  return known === undefined ? sourceOf(given) : (known ?? undefined)
}

/** Savepoints of one connection that are not inside of one another would undo each other. */
const makeTurns = () => {
  const turns = new WeakMap<SqlConnection.Connection, Semaphore.Semaphore>()
  return <A, E, R>(connection: SqlConnection.Connection, self: Effect.Effect<A, E, R>) => {
    const turn = turns.get(connection) ?? Semaphore.makeUnsafe(1)
    turns.set(connection, turn)
    return turn.withPermit(self)
  }
}

// 25P01: no transaction; 25P02: one that has failed.
const isNotOpen = (error: unknown): boolean => {
  const cause: unknown =
    error instanceof Error && SqlError.isSqlError(error.cause) ? error.cause.reason.cause : undefined
  const code: unknown = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined
  return typeof code === "string" && /^25P0[12]$/.test(code)
}
