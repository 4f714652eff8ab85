/** The core's `OpenTransaction` in SQL: a savepoint, so that the transaction outlives what fails in it. */
import { StorageError } from "@tolem/core/error/StorageError"
import { OpenTransaction, TransactionNotOpen } from "@tolem/core/work/OpenTransaction"
import { Effect, Layer, Option, References } from "effect"
import { Database } from "./Database.ts"
import { TransactionChains } from "./TransactionChains.ts"
import * as Transactions from "./Transactions.ts"

const operation = "OpenTransaction.within"

/** The port over the database. */
export const layer: Layer.Layer<OpenTransaction, never, Database> = Layer.effect(
  OpenTransaction,
  Effect.gen(function* () {
    const { sql, transaction, failing } = yield* Database
    const sourceOf = yield* Transactions.TransactionSources
    const chains = yield* TransactionChains

    type Answer<A, E, R> = Effect.Effect<A, E | StorageError | TransactionNotOpen, R>
    const ambient = <A, E, R>(effect: Effect.Effect<A, E, R>): Answer<A, E, R> =>
      Effect.flatMap(
        Effect.serviceOption(sql.transactionService),
        (open): Answer<A, E, R> => (Option.isSome(open) ? transaction(operation, effect) : new TransactionNotOpen())
      )
    const within = <A, E, R>(given: unknown, effect: Effect.Effect<A, E, R>): Answer<A, E, R> => {
      if (given === undefined) return ambient(effect)
      const open = typeof given === "object" && given !== null ? Transactions.openOne(given, sourceOf) : undefined
      if (open === undefined) return new TransactionNotOpen()
      const written = failing(operation, Transactions.within(sql, open, effect))
      // It may have ended while others had their turns.
      const inTime = Effect.gen(function* () {
        return open.isOpen() ? yield* written : yield* new TransactionNotOpen()
      })
      return Transactions.inTurn(open.connection, inTime).pipe(
        Effect.catch((error): Answer<never, E, never> => {
          if (error instanceof Transactions.EndedMeanwhile) return Effect.fail(unawaited())
          return Transactions.isNotOpen(error) ? new TransactionNotOpen() : Effect.fail(error)
        }),
        // The application waits with its transaction: what can be done without a pause is.
        Effect.provideService(References.PreventSchedulerYield, true)
      )
    }
    const note = (given: unknown): void => {
      if (typeof given === "object" && given !== null && !Transactions.isHandedOut(given)) chains.note(given)
    }
    const beside = (asked: { readonly writes: boolean }) =>
      Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) => {
        const refusal = chains.refusalOf({ ...asked, ambient: Option.getOrUndefined(open)?.[0] })
        return refusal === undefined ? Effect.void : failing("OpenTransaction.beside", Effect.fail(refusal))
      })
    return { within, note, beside }
  })
)

/** What the application did that leaves open what became of a write. */
const unawaited = () =>
  new StorageError({
    operation,
    outcome: "unknown",
    retryable: false,
    cause: new Error("the transaction ended while an invoice was made in it: await the create, then COMMIT or ROLLBACK")
  })
