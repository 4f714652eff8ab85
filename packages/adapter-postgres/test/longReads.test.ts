/** Long reads share the connections with all other statements, and leave some to them. */
import { it } from "@effect/vitest"
import { RefundListStore } from "@tolem/core/cabinet/refund/RefundListStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { queryOf } from "@tolem/testing/fixtures"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { box, freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

/** A client past that of the stores, and stores with so many connections, whose statements wait without end. */
const world = Effect.fnUntraced(function* (maxConnections: number) {
  const options = { ...freshOptions(), maxConnections, statementTimeoutMs: 0 }
  yield* Postgres.migrate(options)
  const client = yield* Layer.build(Connection.layer(options))
  const stores = yield* Layer.build(Layer.fresh(Layer.provide(Postgres.layer(options), box)))
  return { sql: yield* Effect.provide(SqlClient.SqlClient, client), stores, schema: `${options.schema}` }
})

/** Refunds of this organization; it waits for as long as the table is locked. */
const refundsOf = (organizationId: string) =>
  Effect.flatMap(RefundListStore, (store) =>
    store.page({ ...queryOf({ organizationId }), statuses: [] }, { after: null, rows: 10 }, 10)
  )

/** Until so many statements wait for the lock. */
const held = (sql: SqlClient.SqlClient, schema: string, count: number) =>
  sql<{ readonly count: number }>`
    select count(*) as count from pg_locks
    where not granted and relation = ${`${schema}.tolem_refunds`}::regclass`.pipe(
    Effect.repeat({ until: ([found]) => found?.count === count })
  )

it.live("many long reads of one merchant leave connections to what is quick", () =>
  Effect.gen(function* () {
    const { sql, stores, schema } = yield* world(4)
    const greedy = Array.from({ length: 12 }, () => refundsOf("org_greedy"))
    const reading = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`lock table ${sql(schema)}.tolem_refunds in access exclusive mode`
        const reading = yield* Effect.forkScoped(
          Effect.provide(Effect.all(greedy, { concurrency: "unbounded" }), stores)
        )
        yield* held(sql, schema, 2)
        const quick = Effect.flatMap(InvoiceStore, (store) => store.list(queryOf()))
        assert.deepStrictEqual(yield* Effect.provide(quick, stores), { total: 0, invoices: [] })
        assert.isUndefined(reading.pollUnsafe())
        return reading
      })
    )
    assert.strictEqual((yield* Fiber.join(reading)).length, 12)
  }).pipe(Effect.scoped)
)

it.live("merchants with long reads are served in turn", () =>
  Effect.gen(function* () {
    const { sql, stores, schema } = yield* world(2)
    const order: Array<string> = []
    const read = (name: string) => Effect.tap(refundsOf(name), () => Effect.sync(() => order.push(name)))
    const reads = ["greedy", "greedy", "greedy", "greedy", "greedy", "modest"].map(read)
    const reading = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`lock table ${sql(schema)}.tolem_refunds in access exclusive mode`
        const all = Effect.provide(Effect.all(reads, { concurrency: "unbounded" }), stores)
        const reading = yield* Effect.forkScoped(all)
        yield* held(sql, schema, 1)
        return reading
      })
    )
    yield* Fiber.join(reading)
    assert.isAtMost(order.indexOf("modest"), 2)
  }).pipe(Effect.scoped)
)
