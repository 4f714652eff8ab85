/** What metrics say of the connections: of the engine's own pool, and of one that the application gives. */
import { Context, Deferred, Effect, Exit, Fiber, Layer, Metric, Redacted, Schedule, Scope } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import pg from "pg"
import { assert, describe, it } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as PoolClient from "../src/PoolClient.ts"
import { freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

/** Connections that there may be, that are used, and what waits for one. */
const counts = Effect.map(Metric.snapshot, (series) =>
  ["size", "used", "waiting"].map((name) => {
    const found = series.find(({ id }) => id === `tolem_database_pool_${name}`)
    return found?.type === "Gauge" ? Number(found.state.value) : 0
  })
)

const untilCounts = (wanted: ReadonlyArray<number>) =>
  counts.pipe(
    Effect.repeat({ until: (found) => String(found) === String(wanted), schedule: Schedule.spaced("5 millis") }),
    Effect.timeout("60 seconds")
  )

interface Case {
  readonly name: string
  /** The client, of which `size` transactions hold all connections. */
  readonly client: () => Layer.Layer<SqlClient.SqlClient, SqlError.SqlError>
  readonly size: number
}

const theirPool = () =>
  Effect.acquireRelease(
    Effect.sync(() => new pg.Pool({ connectionString: Redacted.value(freshOptions().url), max: 2 })),
    (pool) => Effect.promise(() => pool.end())
  )

const cases: ReadonlyArray<Case> = [
  {
    name: "a pool of its own, the connection that may listen included",
    client: () => Connection.layer({ ...freshOptions(), maxConnections: 1 }),
    size: 2
  },
  {
    name: "a pool of the application",
    client: () => Layer.unwrap(Effect.map(theirPool(), (pool) => PoolClient.layer(pool))),
    size: 2
  }
]

describe("connections are counted: those that there may be, those in use, and what waits for one", () => {
  for (const { name, client, size } of cases) {
    it(`of ${name}`, () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const sql = Context.get(yield* Layer.buildWithScope(client(), scope), SqlClient.SqlClient)
        yield* sql`select 1`
        assert.deepStrictEqual(yield* counts, [size, 0, 0])

        const done = yield* Deferred.make<void>()
        const holding = sql.withTransaction(Deferred.await(done))
        const holders = yield* Effect.forEach(Array.from({ length: size }), () => Effect.forkChild(holding))
        yield* untilCounts([size, size, 0])
        const statement = yield* Effect.forkChild(sql`select 1 as one`)
        const transaction = yield* Effect.forkChild(sql.withTransaction(sql`select 1`))
        yield* untilCounts([size, size, 2])
        yield* Fiber.interrupt(transaction)
        assert.deepStrictEqual(yield* counts, [size, size, 1])

        yield* Deferred.succeed(done, undefined)
        assert.deepStrictEqual(yield* Fiber.join(statement), [{ one: 1 }])
        yield* Fiber.joinAll(holders)
        yield* untilCounts([size, 0, 0])

        yield* Effect.flip(sql`select 1 / 0`)
        yield* Effect.flip(sql.withTransaction(sql`select 1 / 0`))
        yield* Effect.timeoutOption(sql`select pg_sleep(30)`, "50 millis")
        yield* untilCounts([size, 0, 0])
        yield* Scope.close(scope, Exit.void)
        assert.deepStrictEqual(yield* counts, [0, 0, 0])
      }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()), Effect.scoped, Effect.runPromise))
  }

  it("what cannot connect waits, and is not in use", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgres://no_user:none@127.0.0.1:1/none")
      const context = yield* Layer.build(Connection.layer({ url, maxConnections: 1 }))
      const failed = yield* Effect.flip(Context.get(context, SqlClient.SqlClient)`select 1`)
      assert.strictEqual(failed.reason._tag, "ConnectionError")
      assert.deepStrictEqual(yield* counts, [2, 0, 0])
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map()), Effect.scoped, Effect.runPromise))
})
