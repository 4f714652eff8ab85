/** Port: a transaction that the application has open on the engine's own database. */
import { Context, Effect } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"

/** What was given is no open transaction of this database, or has failed already. Nothing was written. */
export class TransactionNotOpen extends refusal("TransactionNotOpen", "transaction_not_open") {}

/**
 * Whether a statement is given up after a moment if a transaction of the application is in its way of which it is not
 * known who has it open: who asks may be the one who has.
 */
export const IsImpatient = Context.Reference<boolean>("@tolem/core/IsImpatient", { defaultValue: () => false })

/** Lets what code of the application asks for, which may have a transaction open itself, be impatient. */
export const impatiently = Effect.provideService(IsImpatient, true)

/** Calls code of the application so that what it asks of the engine is known to come from within a transaction. */
export const CalledWithin = Context.Reference<<A>(call: () => A) => A>("@tolem/core/CalledWithin", {
  defaultValue: () => (call) => call()
})

/** Port: writing in the application's transaction. */
export class OpenTransaction extends Context.Service<
  OpenTransaction,
  {
    /**
     * Runs an effect whose statements belong to the transaction that is `given`, as the application's driver has it, or
     * without one to that of the ambient `SqlClient`: they are committed with it, or not at all. If the effect fails,
     * what it has written is undone and the transaction goes on. Those of one transaction run one after the other.
     */
    readonly within: <A, E, R>(
      given: unknown,
      effect: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | TransactionNotOpen | StorageError, R>
    /**
     * Notes that the code of the application that calls this has the transaction open that is `given`, so that what it
     * asks for beside it can be told from what others ask for. Does nothing where there is no such transaction.
     */
    readonly note: (given: unknown) => void
    /**
     * Fails at once, with `TransactionInTheWay` as the cause, where the one who asks is within a transaction that would
     * have to end before there is an answer. To be run first, in the turn of the event loop in which they ask.
     */
    readonly beside: (asked: { readonly writes: boolean }) => Effect.Effect<void, StorageError>
  }
>()("@tolem/core/OpenTransaction") {}
