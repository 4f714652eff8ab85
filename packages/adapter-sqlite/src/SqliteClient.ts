/**
 * `effect/sql` over `node:sqlite`: one connection, one writer, durable commits.
 *
 * Its surface (`SqliteClient`, `make`, `layer`, names of settings) is that of `@effect/sql-sqlite-node`, so that the
 * package can replace this file once it has a stable release for version 4.
 */
import type { SQLInputValue, StatementSync } from "node:sqlite"
import type { TransactionSource } from "@tolem/adapter-sql/base/Transactions"
import { Context, Duration, Effect, Layer, References, Semaphore, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import * as Chains from "./Chains.ts"
import { inTheWay, isHeldHere, type Line, untilMoving, waiting } from "./Locks.ts"
import { DatabaseSync } from "./NodeSqlite.ts"
import * as ReadOnly from "./ReadOnly.ts"

/** Settings of the client. */
export interface SqliteClientConfig {
  /** Path of the file, or `:memory:` for a database that ends with the client. */
  readonly filename: string
  /** How long a statement waits for the lock of another process or connection. Default 5 s. */
  readonly busyTimeout?: Duration.Input | undefined
  /** How many statements stay prepared: those that ran last. Default 200. */
  readonly prepareCacheSize?: number | undefined
  /** Lock the file while it is open, so that a second process fails instead of sharing it. Default false. */
  readonly exclusive?: boolean | undefined
  /** Only read: the file must be there, and neither it nor its folder need be writable. Default false. */
  readonly readOnly?: boolean | undefined
}

/** The client, with the settings that it was made with. */
export interface SqliteClient extends SqlClient.SqlClient {
  readonly config: SqliteClientConfig
  /** Its connection, which is for code of the application in a transaction only. */
  readonly db: DatabaseSync
}

/** The client as a service of its own, beside `SqlClient`. */
export const SqliteClient = Context.Service<SqliteClient>("@tolem/adapter-sqlite/SqliteClient")

/** Opens the file. Fails with `SqlError` if it cannot be opened or another process holds it. */
export const make = Effect.fnUntraced(function* (config: SqliteClientConfig) {
  const db = yield* Effect.acquireRelease(open(config), (db) => Effect.sync(() => db.close()))
  return Object.assign(yield* fromDatabase(db, config), { db }) satisfies SqliteClient
})

/** What the client needs of an open database. */
export type Database = Pick<DatabaseSync, "prepare" | "isTransaction">

/** The client over a database that is open already, and that only the holder of `semaphore` uses. */
export const fromDatabase = Effect.fnUntraced(function* (
  db: Database,
  config: SqliteClientConfig,
  semaphore: Semaphore.Semaphore = Semaphore.makeUnsafe(1),
  free: Effect.Effect<void, SqlError.SqlError> = Effect.void
) {
  const prepare = prepareCached(db, config.prepareCacheSize ?? 200)
  const line: Line = { isStuck: false }
  const ready = Effect.andThen(
    free,
    untilMoving(line, busyMs(config), () => isInTheWay(db, config))
  )
  const connection = makeLease(db, prepare, config, line)
  const acquirers = SqlClient.makeSqliteAcquirers({
    // Holds the semaphore for a whole statement or transaction.
    connection: Effect.as(free, connection),
    semaphore,
    isTransaction: () => db.isTransaction
  })
  const lease = Effect.acquireRelease(
    Effect.sync(() => makeLease(db, prepare, config, line)),
    (lease) =>
      Effect.sync(() => {
        lease.open = false
      })
  )
  const client = yield* SqlClient.make({
    ...acquirers,
    // Each waits for as long as it may from when it came on, and not one after the other.
    acquirer: Effect.andThen(ready, acquirers.acquirer),
    borrower: (use) => Effect.andThen(ready, acquirers.borrower(use)),
    transactionAcquirer: ready.pipe(Effect.andThen(acquirers.transactionAcquirer), Effect.andThen(lease)),
    compiler: Statement.makeCompilerSqlite(),
    driver: "sqlite-node",
    // A deferred transaction that reads, then writes, fails at once when another connection wrote in between.
    beginTransaction: "BEGIN IMMEDIATE",
    prepareTransactionControls: true,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "sqlite"]]
  })
  return Object.assign(client, { config })
})

/**
 * The client over a connection that the application uses too, and that stays open. It waits until a transaction of the
 * application has ended; one of its own begins and ends while no other code runs. So neither is ever in the other.
 */
const shared = Effect.fnUntraced(function* (db: DatabaseSync) {
  const config: SqliteClientConfig = { filename: db.location() ?? ":memory:" }
  const client = yield* fromDatabase(db, config, Semaphore.makeUnsafe(1), untilFree(db))
  const begun = client.withTransaction
  const withTransaction: typeof begun = (self) =>
    Effect.provideService(begun(self), References.PreventSchedulerYield, true)
  return Object.assign(client, { withTransaction })
})

/** The same as a layer. */
export const layerShared = (db: DatabaseSync): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effect(SqlClient.SqlClient, shared(db)).pipe(Layer.provide(Reactivity.layer))

const freeWithinMs = 5_000

const untilFree = (db: DatabaseSync): Effect.Effect<void, SqlError.SqlError> =>
  Effect.suspend(() => {
    if (db.isTransaction) return waitUntilFree(db)
    Chains.forgetEnded()
    return Effect.void
  })

const waitUntilFree = (db: DatabaseSync) =>
  waiting(freeWithinMs, ({ isOver, isMoment }) => {
    if (!db.isTransaction) return Effect.void
    return isOver || (isMoment && !Chains.isHolderKnown(db))
      ? Effect.fail(inTheWay("on the connection that it shares with the engine"))
      : undefined
  })

/** Whether it may be the one who asks who has the transaction open that is waited for. */
const isInTheWay = (db: Database, { filename }: SqliteClientConfig): boolean =>
  !(db instanceof DatabaseSync && Chains.isHolderKnown(db)) && isHeldHere(filename)

/** The client for as long as the layer is open; closing it closes the file. */
export const layer = (config: SqliteClientConfig): Layer.Layer<SqliteClient | SqlClient.SqlClient, SqlError.SqlError> =>
  Layer.effectContext(
    Effect.map(make(config), (client) => Context.add(Context.make(SqliteClient, client), SqlClient.SqlClient, client))
  ).pipe(Layer.provide(Reactivity.layer))

const busyMs = ({ busyTimeout = "5 seconds" }: SqliteClientConfig): number => Math.round(Duration.toMillis(busyTimeout))

const open = (config: SqliteClientConfig) =>
  Effect.try({
    try: () => {
      if (config.readOnly === true) return ReadOnly.open(config.filename, busyMs(config))
      const db = new DatabaseSync(config.filename, { enableForeignKeyConstraints: true })
      try {
        db.exec(`PRAGMA busy_timeout = ${busyMs(config)}`)
        if (config.exclusive === true) db.exec("PRAGMA locking_mode = EXCLUSIVE")
        // FULL: a commit is on the disk when it returns. WAL's usual NORMAL loses the last ones with the power.
        db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL")
        // Keys of merchants are random, so every commit touches pages all over their indexes: with room for them in
        // memory and in the log, a page is written to the file once for many commits.
        db.exec("PRAGMA cache_size = -32000; PRAGMA wal_autocheckpoint = 4000")
        // What a statement of many rows would need to undo itself is kept in memory: beyond 64 KiB it is a file, and a
        // batch of invoices touches more pages. Connections that only read keep their large sorts in files.
        db.exec("PRAGMA temp_store = MEMORY")
        // Takes the lock of an exclusive client at once, and finds out whether the file can be written.
        db.exec("BEGIN IMMEDIATE; COMMIT")
        // From here on the client waits itself, without holding up the process.
        db.exec("PRAGMA busy_timeout = 0")
        return db
      } catch (cause) {
        db.close()
        throw cause
      }
    },
    catch: (cause) => sqlError(cause, "open")
  })

type Prepare = (sql: string, keep: boolean) => StatementSync

const prepareCached = (db: Database, size: number): Prepare => {
  // From the one that ran longest ago to the last. Migrations alone have more texts than stay, and none of them again.
  const cache = new Map<string, StatementSync>()
  return (sql, keep) => {
    const statement = cache.get(sql) ?? db.prepare(sql)
    if (!keep) return statement
    cache.delete(sql)
    cache.set(sql, statement)
    const [oldest] = cache.size > size ? cache.keys() : []
    if (oldest !== undefined) cache.delete(oldest)
    return statement
  }
}

/** One lease of the only connection. A lease that has ended refuses its holder. */
interface Lease extends SqlConnection.Connection {
  open: boolean
  /** For code of the application in a transaction. */
  readonly db: Database
}

// Row transforms are never passed: the client is made without `transformRows`.
const makeLease = (db: Database, prepare: Prepare, config: SqliteClientConfig, line: Line): Lease => {
  const run = (
    sql: string,
    params: ReadonlyArray<unknown>,
    how: { readonly keep: boolean; readonly arrays?: boolean; readonly raw?: boolean }
  ) =>
    Effect.withFiber<Array<never>, SqlError.SqlError>((fiber) => {
      const attempt = () => {
        // A fiber forked inside a transaction outlives it with the transaction in its context. Without this, its
        // statement would join some other fiber's transaction and vanish with its rollback.
        if (!lease.open) throw new Error("SQLite: the transaction of this statement has ended")
        const statement = prepare(sql, how.keep)
        // Set on every use: the statement is shared, and either setting would stick to it.
        statement.setReadBigInts(fiber.getRef(SqlClient.SafeIntegers))
        statement.setReturnArrays(how.arrays === true)
        const bound = params.map(bindable)
        const hasRows = how.raw !== true || statement.columns().length > 0
        return (hasRows ? statement.all(...bound) : statement.run(...bound)) as Array<never>
      }
      try {
        return Effect.succeed(attempt())
      } catch (cause) {
        return isBusy(cause) ? Effect.ensuring(stuck(attempt), moving) : Effect.fail(sqlError(cause, "execute"))
      }
    })
  const stuck = <A>(attempt: () => A) => {
    line.isStuck = true
    return untilDone(attempt, db, config)
  }
  const moving = Effect.sync(() => {
    line.isStuck = false
  })
  const lease: Lease = {
    open: true,
    db,
    execute: (sql, params) => run(sql, params, { keep: true }),
    executeRaw: (sql, params) => run(sql, params, { keep: true, raw: true }),
    executeValues: (sql, params) => run(sql, params, { keep: true, arrays: true }),
    executeUnprepared: (sql, params) => run(sql, params, { keep: false }),
    executeValuesUnprepared: (sql, params) => run(sql, params, { keep: false, arrays: true }),
    executeStream: (sql, params) => Stream.fromIterableEffect(run(sql, params, { keep: true }))
  }
  return lease
}

/** Tries again what others keep waiting; a statement that is refused for that has done nothing. */
const untilDone = <A>(attempt: () => A, db: Database, config: SqliteClientConfig) =>
  waiting(busyMs(config), ({ isOver, isMoment }): Effect.Effect<A, SqlError.SqlError> | undefined => {
    try {
      return Effect.succeed(attempt())
    } catch (cause) {
      if (!isBusy(cause)) return Effect.fail(sqlError(cause, "execute"))
      if (isOver ? isHeldHere(config.filename) : isMoment && isInTheWay(db, config))
        return Effect.fail(inTheWay("on another connection to the same file"))
      return isOver ? Effect.fail(sqlError(cause, "execute")) : undefined
    }
  })

const leases = new WeakMap<DatabaseSync, Lease>()

/** The connections on which the application has a transaction open, of those to the engine's file. */
export const given =
  (isOurs: (db: DatabaseSync) => boolean): TransactionSource =>
  (db) => {
    if (!(db instanceof DatabaseSync) || !db.isOpen || !db.isTransaction || !isOurs(db)) return undefined
    const config = { filename: db.location() ?? ":memory:", busyTimeout: 0 }
    const lease = leases.get(db) ?? makeLease(db, prepareCached(db, 200), config, { isStuck: false })
    leases.set(db, lease)
    return lease
  }

/**
 * A parameter as it is bound. node:sqlite binds every number as REAL: 5 becomes '5.0' in a TEXT column, and 5 / 2 is
 * 2.5. Whole numbers go as integers here, as they do on PostgreSQL; `undefined` is NULL, as it is there.
 */
export const bindable = (value: unknown): SQLInputValue =>
  typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : ((value ?? null) as SQLInputValue)

const busy = 5
/** Another connection brings the file in order after a crash. */
const busyRecovery = 261

const isBusy = (cause: unknown): boolean =>
  cause instanceof Error && "errcode" in cause && (cause.errcode === busy || cause.errcode === busyRecovery)

const primaryKey = 1555
const rowid = 2579
const unique = 2067

/**
 * What node:sqlite has thrown, classified. `classifySqliteError` reads `errno`, which node:sqlite calls `errcode`, and
 * knows one of the three codes of a duplicate key. PostgreSQL answers `UniqueViolation` for all of them; so do we.
 */
export const sqlError = (cause: unknown, operation: string): SqlError.SqlError => {
  if (cause instanceof Error && "errcode" in cause) {
    const code = cause.errcode
    Object.assign(cause, { errno: code === primaryKey || code === rowid ? unique : code })
  }
  return new SqlError.SqlError({ reason: SqlError.classifySqliteError(cause, { message: String(cause), operation }) })
}
