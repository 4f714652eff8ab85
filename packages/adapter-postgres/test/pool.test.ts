/** The storage on the application's own pool of `pg`. */
import { it } from "@effect/vitest"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { OpenTransaction } from "@tolem/core/work/OpenTransaction"
import { creationOf } from "@tolem/testing/fixtures"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import pg from "pg"
import { afterAll, assert, describe } from "vitest"
import { clientCases } from "../../adapter-sql/test/support/clientCases.ts"
import { migrate, postgres } from "../src/index.ts"
import * as PoolClient from "../src/PoolClient.ts"
import { box, freshOptions, type OwnOptions, ownDatabase, withFreshStores } from "./support/stores.ts"

const pools: Array<pg.Pool> = []
const poolOf = ({ url }: OwnOptions, more: pg.PoolConfig = {}): pg.Pool => {
  const pool = new pg.Pool({ connectionString: Redacted.value(url), statement_timeout: 5_000, ...more })
  // As `pg` wants it of everyone: what happens to an idle connection would end the process.
  pool.on("error", () => {})
  pools.push(pool)
  return pool
}
afterAll(() => Promise.all(pools.map((pool) => pool.end())))
ownDatabase()

describe("on a pool of the application", () => {
  let pool: pg.Pool | undefined
  for (const { name, run } of clientCases) {
    it.effect(name, () =>
      withFreshStores(run, (server) => {
        pool ??= poolOf(server)
        const { schema } = server
        return postgres({ pool, schema })
      })
    )
  }
})

describe("the client over a pool", () => {
  const onPool = <A, E>(pool: pg.Pool, program: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    Effect.provide(Effect.flatMap(SqlClient.SqlClient, program), Layer.fresh(PoolClient.layer(pool)))

  it.live("reads whole numbers exactly, whatever the application has set for its own statements", () => {
    const pool = poolOf(freshOptions(), { types: { getTypeParser: () => () => "theirs" } })
    return onPool(pool, (sql) =>
      Effect.gen(function* () {
        const rows = yield* sql`select 9007199254740991::bigint as safe, 9007199254740993::bigint as unsafe,
          1::int as small, true as yes, null::bigint as none, 'x' as text`
        assert.deepStrictEqual(rows, [
          { safe: 9007199254740991, unsafe: 9007199254740993n, small: 1, yes: true, none: null, text: "x" }
        ])
        const theirs = yield* Effect.promise(() => pool.query("select 1 as one"))
        assert.deepStrictEqual(theirs.rows, [{ one: "theirs" }])
      })
    )
  })

  it.live("gives every connection back, also one whose statement was given up, and that one is not used again", () => {
    const pool = poolOf(freshOptions(), { max: 1 })
    return onPool(pool, (sql) =>
      Effect.gen(function* () {
        const [before] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
        yield* Effect.timeoutOption(sql`select pg_sleep(30)`, "100 millis")
        yield* Effect.timeoutOption(sql.withTransaction(sql`select pg_sleep(30)`), "100 millis")
        const failed = yield* Effect.flip(sql.withTransaction(sql`select 1 / 0`))
        assert.include(String(failed.reason.cause), "division by zero")
        const [after] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
        assert.notStrictEqual(after?.pid, before?.pid)
        assert.deepInclude(pool, { totalCount: 1, idleCount: 1, waitingCount: 0 })
      })
    )
  })

  it.live("waits no longer for a connection than its caller does, and keeps none that comes too late", () => {
    const pool = poolOf(freshOptions(), { max: 1 })
    return onPool(pool, (sql) =>
      Effect.gen(function* () {
        const theirs = yield* Effect.promise(() => pool.connect())
        const waited = yield* Effect.timeoutOption(sql`select 1`, "50 millis")
        assert.strictEqual(waited._tag, "None")
        theirs.release()
        yield* Effect.sleep("50 millis")
        assert.deepInclude(pool, { idleCount: 1, waitingCount: 0 })
      })
    )
  })

  it.live("survives connections that the server ends", () => {
    const pool = poolOf(freshOptions())
    return onPool(pool, (sql) =>
      Effect.gen(function* () {
        const lost = sql.withTransaction(
          Effect.gen(function* () {
            const [mine] = yield* sql<{ pid: number }>`select pg_backend_pid() as pid`
            yield* Effect.promise(() => pool.query("select pg_terminate_backend($1)", [mine?.pid]))
          })
        )
        const cause = yield* Effect.sandbox(lost).pipe(Effect.flip)
        assert.match(JSON.stringify(cause), /ConnectionError|57P01/)
        assert.deepStrictEqual(yield* sql`select 1 as one`, [{ one: 1 }])
      })
    )
  })
})

it.live("what waits for the application's transaction is told to be held, before its statement takes too long", () => {
  const options = freshOptions()
  const pool = poolOf(options, { max: 3, statement_timeout: 2_000 })
  const { schema } = options
  const program = Effect.gen(function* () {
    const held = creationOf({ idempotencyKey: "order-1" })
    const [store, transactions] = [yield* InvoiceStore, yield* OpenTransaction]
    const theirs = yield* Effect.promise(() => pool.connect())
    yield* Effect.promise(() => theirs.query("begin"))
    yield* transactions.within(theirs, store.insertMany([held]))
    const waits = store.insertMany([creationOf({ idempotencyKey: "order-1" })])
    const error = yield* Effect.flip(waits)
    assert.deepInclude(error, { _tag: "StorageError", outcome: "nothing_written", isHeld: true })
    yield* Effect.promise(() => theirs.query("rollback"))
    const [made] = yield* waits
    assert.strictEqual(made?._tag, "Created")
    assert.deepStrictEqual((yield* Effect.promise(() => theirs.query("show lock_timeout"))).rows, [
      { lock_timeout: "0" }
    ])
    theirs.release()
  })
  return Effect.andThen(
    // Steps of the schema may take longer than a statement of this pool.
    Effect.promise(() => migrate(options)),
    Effect.provide(program, Layer.provide(Layer.fresh(postgres({ pool, schema })), box))
  )
})

it.live("an engine runs beside the application's own statements, on the same pool", () => {
  const options = freshOptions()
  const pool = poolOf(options, { max: 3 })
  const { schema } = options
  return Effect.gen(function* () {
    const { steps } = yield* Effect.promise(() => migrate({ pool, schema }))
    assert.isAbove(steps.length, 10)
    assert.deepStrictEqual((yield* Effect.promise(() => migrate({ pool, schema }))).steps, [])
    const stores = Layer.provide(postgres({ pool, schema }), box)
    yield* Effect.scoped(Layer.build(stores))
    const { rows } = yield* Effect.promise(() => pool.query(`select count(*) as count from ${schema}.tolem_sealing`))
    assert.deepStrictEqual(rows, [{ count: "2" }])
  })
})
