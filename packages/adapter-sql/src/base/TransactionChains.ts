/**
 * Chains of calls: what code of the application does from a call on, its promises and timers included. They tell who
 * has a transaction open from others who ask meanwhile, where a database has one writer for all.
 */
import { Context } from "effect"
import type { SqlConnection, SqlError } from "effect/sql"

/** What is known of who has transactions open. */
export interface CallChains {
  /** Notes that the chain that calls this has the transaction open that is given, if one is. */
  readonly note: (given: object) => void
  /** Calls code that has the transaction of a connection open from here on. */
  readonly calledWithin: (connection: SqlConnection.Connection, isOpen: () => boolean) => <A>(call: () => A) => A
  /**
   * What is refused that a chain asks for beside a transaction of its own: it would wait for the end of that. `ambient`
   * is the transaction that the fiber is in.
   */
  readonly refusalOf: (asked: {
    readonly writes: boolean
    readonly ambient: SqlConnection.Connection | undefined
  }) => SqlError.SqlError | undefined
}

/** The chains of a database. Without any, no transaction is in the way of what its own chain asks for. */
export const TransactionChains = Context.Reference<CallChains>("@tolem/adapter-sql/TransactionChains", {
  defaultValue: () => ({ note: () => {}, calledWithin: () => (call) => call(), refusalOf: () => undefined })
})
