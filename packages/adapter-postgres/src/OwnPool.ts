/** The client over a pool of connections of its own, which shows in metrics how much it is used. */
import { PgClient, type PgConnection, PgPool } from "@effect/sql-pg"
import { Context, Effect, Layer, type Queue, type Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import * as PoolUse from "./PoolUse.ts"

/** What other sessions of the database tell on a channel. */
export class Notifications extends Context.Service<
  Notifications,
  {
    /** Listens on a connection that stays taken until the scope closes. A lost connection fails the queue. */
    readonly listen: (
      channel: string
    ) => Effect.Effect<Queue.Dequeue<PgConnection.Notification, SqlError.SqlError>, SqlError.SqlError, Scope.Scope>
  }
>()("@tolem/adapter-postgres/Notifications") {}

/** What a pool is for: statements, and what others tell. */
export type Services = SqlClient.SqlClient | Notifications

/** The services over a pool that is closed with their scope. It connects with the first statement. */
export const layer = (
  options: PgClient.PgPoolConfig & { readonly maxConnections: number }
): Layer.Layer<Services, SqlError.SqlError> => Layer.provide(Layer.effectContext(make(options)), Reactivity.layer)

const make = Effect.fnUntraced(function* (options: PgClient.PgPoolConfig & { readonly maxConnections: number }) {
  yield* PoolUse.counted(options.maxConnections)
  const pool = PoolUse.observed(yield* PgPool.make(options))
  const sql = yield* SqlClient.make({
    acquirer: Effect.map(pool.get, lent),
    borrower: (use) => pool.use((connection) => use(lent(connection))),
    transactionAcquirer: Effect.map(pool.reserve, lent),
    commit,
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `release savepoint ${name}`,
    compiler: PgClient.makeCompiler(),
    driver: "pg",
    spanAttributes: [["db.system.name", "postgresql"], ...Object.entries(options.spanAttributes ?? {})]
  })
  const listen = (channel: string) => Effect.flatMap(pool.reserve, (connection) => connection.listen(channel))
  return Context.make(SqlClient.SqlClient, sql).pipe(Context.add(Notifications, { listen }))
})

/** Commits. A transaction that has failed is undone by its COMMIT, which does not fail for that: here it does. */
export const commit = (connection: SqlConnection.Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("commit", []), (result) =>
    (result as Pick<PgConnection.Result, "command">).command === "ROLLBACK" ? Effect.fail(undone) : Effect.void
  )

const undone = new SqlError.SqlError({
  reason: new SqlError.UnknownError({
    cause: new Error("COMMIT has undone a transaction that had failed"),
    message: "COMMIT has undone a transaction that had failed",
    operation: "commit"
  })
})

const lent = (connection: PgConnection.PgConnection): SqlConnection.Connection => new LentConnection(connection)

/** Made for each statement, so its methods are those of a class. */
class LentConnection implements SqlConnection.Connection {
  readonly #connection: PgConnection.PgConnection

  constructor(connection: PgConnection.PgConnection) {
    this.#connection = connection
  }

  execute(text: string, values: ReadonlyArray<unknown>) {
    return Effect.map(this.#connection.query(text, values), rowsOf)
  }

  executeRaw(text: string, values: ReadonlyArray<unknown>) {
    return this.#connection.query(text, values)
  }

  executeValues(text: string, values: ReadonlyArray<unknown>) {
    return this.#connection.queryValues(text, values)
  }

  executeUnprepared(text: string, values: ReadonlyArray<unknown>) {
    return Effect.map(this.#connection.query(text, values, false), rowsOf)
  }

  executeValuesUnprepared(text: string, values: ReadonlyArray<unknown>) {
    return this.#connection.queryValues(text, values, false)
  }

  executeStream(text: string, values: ReadonlyArray<unknown>) {
    return this.#connection.stream(text, values)
  }
}

const rowsOf = ({ rows }: PgConnection.Result) => rows
