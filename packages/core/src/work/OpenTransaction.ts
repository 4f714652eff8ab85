/** Port: a transaction that the application has open on the engine's own database. */
import { Context, Effect } from "effect"
import { refusal } from "../error/Refusal.ts"
import type { StorageError } from "../error/StorageError.ts"

/** What was given is no open transaction of this database, or has failed already. Nothing was written. */
export class TransactionNotOpen extends refusal("TransactionNotOpen", "transaction_not_open") {}

/** Whether a statement is given up after a moment if a transaction of the application itself is in its way. */
export const IsImpatient = Context.Reference<boolean>("@tolem/core/IsImpatient", { defaultValue: () => false })

/**
 * Lets what the application waits for within its own transaction fail at once: both would wait for each other. Where
 * the storage cannot tell whose transaction it is, it waits as long as for any.
 */
export const atOnce = Effect.provideService(IsImpatient, true)

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
  }
>()("@tolem/core/OpenTransaction") {}
