/**
 * The client over a pool of `pg` that belongs to the application. Its settings are the application's: how many
 * connections there are, and how long a statement may take. Statements are not kept prepared, so that each is planned
 * for the tables as they are, and poolers that hand connections on between transactions are fine.
 */
import { PgClient } from "@effect/sql-pg"
import { Effect, Layer, type Scope, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError } from "effect/sql"
import { defaultMaxConnections, lockTimeoutMs } from "./Connection.ts"
import { commit } from "./OwnPool.ts"
import * as PoolUse from "./PoolUse.ts"

/** What is used of a `Pool` of the package `pg`, 8 or newer. */
export interface PgPool {
  /** How many connections it lends at once. Default 10, as that of `pg`. */
  readonly options?: { readonly max?: number | undefined } | undefined
  readonly connect: () => Promise<PgPoolClient>
}

/** What is used of a connection that the pool has lent. */
export interface PgPoolClient {
  readonly query: (query: PgQuery) => Promise<PgResult>
  readonly release: (destroy?: boolean) => void
  readonly on: (event: "error", listener: () => void) => unknown
  readonly removeListener: (event: "error", listener: () => void) => unknown
}

/** A statement as `pg` takes it. */
export interface PgQuery {
  readonly text: string
  readonly values: Array<unknown>
  readonly rowMode?: "array"
  readonly types: { readonly getTypeParser: (oid: number) => (text: string) => unknown }
}

/** What `pg` answers. */
export interface PgResult {
  readonly rows: ReadonlyArray<object>
  readonly command: string
}

/**
 * How long transactions of the engine wait for a lock on the pool, in milliseconds: not longer than on the engine's own
 * connections, and half as long as a statement of the pool may take, so that what is held up is told from what is
 * lost. Null: the pool has a limit of its own, which stays.
 */
export const lockTimeoutOf: Effect.Effect<number | null, SqlError.SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    const [found] = yield* sql<{ readonly limit: string; readonly ms: number }>`
      select current_setting('lock_timeout') as limit,
        (extract(epoch from current_setting('statement_timeout')::interval) * 1000)::float8 as ms`
    if (found === undefined || found.limit !== "0") return null
    return found.ms === 0 ? lockTimeoutMs : Math.max(1, Math.min(lockTimeoutMs, Math.floor(found.ms / 2)))
  }
)

/** The client. The pool is never ended by it. With a `lockTimeout`, in milliseconds, no transaction waits longer. */
export const layer = (pool: PgPool, lockTimeout: number | null = null): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effect(
    SqlClient.SqlClient,
    Effect.andThen(
      PoolUse.counted(pool.options?.max ?? defaultMaxConnections),
      SqlClient.make({
        acquirer: PoolUse.acquired(acquire(pool)),
        // No query: a transaction that reads one moment says so before its first.
        ...(lockTimeout !== null && { beginTransaction: `begin; set local lock_timeout = ${lockTimeout}` }),
        commit,
        compiler: PgClient.makeCompiler(),
        driver: "pg",
        spanAttributes: [["db.system.name", "postgresql"]]
      })
    )
  ).pipe(Layer.provide(Reactivity.layer))

/** A connection while it is lent. Given up in the middle of a statement it is of no further use. */
interface Loan {
  client: PgPoolClient | undefined
  isLost: boolean
  isOver: boolean
}

const acquire = Effect.fnUntraced(function* (
  pool: PgPool
): Effect.fn.Return<SqlConnection.Connection, SqlError.SqlError, Scope.Scope> {
  const loan: Loan = { client: undefined, isLost: false, isOver: false }
  // What happens to a connection shows at its next statement. Without a listener it would end the process.
  const lose = () => {
    loan.isLost = true
  }
  const giveBack = (client: PgPoolClient) => {
    client.removeListener("error", lose)
    client.release(loan.isLost)
  }
  // There before the connection is: whenever the wait for it is given up, it goes back.
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      loan.isOver = true
      if (loan.client !== undefined) giveBack(loan.client)
    })
  )
  const client = yield* Effect.callback<PgPoolClient, SqlError.SqlError>((resume) => {
    pool.connect().then(
      (lent) => {
        lent.on("error", lose)
        if (loan.isOver) return giveBack(lent)
        loan.client = lent
        resume(Effect.succeed(lent))
      },
      (cause) => resume(Effect.fail(unconnected(cause)))
    )
  })
  return connectionOf(client, loan, lose)
})

const given = new WeakMap<object, SqlConnection.Connection>()

/**
 * A client on which the application has begun a transaction. It is never given up: the next statement waits for one
 * whose answer is awaited no more.
 */
export const givenClient = (client: object): SqlConnection.Connection | undefined => {
  if (!("query" in client && typeof client.query === "function")) return undefined
  const connection =
    given.get(client) ?? connectionOf(client as PgPoolClient, { isLost: false, isOver: false }, () => {})
  given.set(client, connection)
  return connection
}

const connectionOf = (
  client: Pick<PgPoolClient, "query">,
  loan: Pick<Loan, "isLost" | "isOver">,
  giveUp: () => void
): SqlConnection.Connection => {
  const query = (text: string, values: ReadonlyArray<unknown>, rowMode?: "array") =>
    Effect.callback<PgResult, SqlError.SqlError>((resume) => {
      if (loan.isOver) return resume(Effect.fail(unconnected(new Error("the connection was given back"))))
      if (loan.isLost) return resume(Effect.fail(unconnected(new Error("the connection was lost"))))
      client.query({ text, values: [...values], types, ...(rowMode && { rowMode }) }).then(
        (result) => resume(Effect.succeed(result)),
        (cause) => {
          const error = sqlError(cause)
          if (isOver(error)) giveUp()
          resume(Effect.fail(error))
        }
      )
      return Effect.sync(giveUp)
    })
  const rows = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.map(query(text, values), (result) => result.rows)
  const arrays = (text: string, values: ReadonlyArray<unknown>) =>
    Effect.map(query(text, values, "array"), (result) => result.rows as ReadonlyArray<ReadonlyArray<unknown>>)
  return {
    execute: rows,
    executeRaw: query,
    executeValues: arrays,
    executeUnprepared: rows,
    executeValuesUnprepared: arrays,
    executeStream: (text, values) => Stream.fromIterableEffect(rows(text, values))
  }
}

// Whole numbers as the stores read them, whatever the application has set for its own statements: an amount that no
// number can hold is a fault of one row, and comes as a bigint.
const int8 = (text: string): number | bigint => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}

const parsers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === "t"],
  [20, int8],
  ...[21, 23, 26, 700, 701].map((oid) => [oid, Number] as const)
])

const types: PgQuery["types"] = { getTypeParser: (oid) => parsers.get(oid) ?? String }

// 57P: the server ends, or an administrator has ended the connection.
const isOver = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag === "ConnectionError" || /^57P/.test(String((reason.cause as { readonly code?: unknown }).code))

/** Reasons by the first characters of PostgreSQL's error codes. */
const reasons = [
  [/^08/, SqlError.ConnectionError],
  [/^28/, SqlError.AuthenticationError],
  [/^42501/, SqlError.AuthorizationError],
  [/^42/, SqlError.SqlSyntaxError],
  [/^23/, SqlError.ConstraintError],
  [/^40P01/, SqlError.DeadlockError],
  [/^40001/, SqlError.SerializationError],
  [/^55P03/, SqlError.LockTimeoutError],
  [/^57014/, SqlError.StatementTimeoutError]
] as const

const sqlError = (cause: unknown): SqlError.SqlError => {
  if (!(cause instanceof Error) || !("severity" in cause)) return unconnected(cause)
  const code = "code" in cause ? String(cause.code) : ""
  const Reason = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? SqlError.UnknownError
  return new SqlError.SqlError({ reason: new Reason({ cause, message: cause.message, operation: "execute" }) })
}

const unconnected = (cause: unknown): SqlError.SqlError =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({ cause, message: String(cause), operation: "connect" })
  })
