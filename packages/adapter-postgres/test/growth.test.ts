/** What statements read of tables that have grown since they were prepared. */
import { it } from "@effect/vitest"
import * as Stores from "@tolem/adapter-sql/Stores"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { attemptOf, endpointOf, startAt, testDeliveryOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { box, freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

/** Rows of deliveries that were read without an index so far: what a transaction adds to it, it has read. */
const readInOrder = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly rows: number }>`
    select coalesce(sum(seq_tup_read), 0)::bigint as rows
    from pg_stat_xact_user_tables where relname like '%deliveries%'`
  return row!.rows
})

it.live("a statement that was prepared when its table was small reads as little when it is large", () => {
  const options = freshOptions()
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const deliveries = sql(`${options.schema}.tolem_deliveries`)
    const store = yield* WebhookStore
    const [endpoint, held] = [endpointOf(), endpointOf({ disabled: true })]
    for (const each of [endpoint, held]) yield* store.addEndpoint(each, 10)
    yield* store.addDelivery(testDeliveryOf(held))
    const deliver = Effect.gen(function* () {
      yield* store.addDelivery(testDeliveryOf(endpoint))
      const [job] = yield* claimDue(store, { now: startAt, until: startAt + 20_000 })
      const attempt = attemptOf({ status: 200 })
      const settlement = { job: job!, attempt, outcome: AttemptOutcome.Delivered() }
      assert.deepStrictEqual(yield* store.settleMany([settlement], startAt), [true])
    })
    // To look at the table anew would have everything planned anew.
    yield* sql`alter table ${sql(`${options.schema}.tolem_deliveries_before`)} set (autovacuum_enabled = off)`
    // After five times the server keeps one plan for whatever comes.
    for (let time = 0; time < 8; time++) yield* deliver
    yield* sql`
      insert into ${deliveries} select (jsonb_populate_record(d, jsonb_build_object('id', d.id || n))).*
      from ${deliveries} d, generate_series(1, 20000) n where d.endpoint_id = ${held.id}`
    const [before, , after] = yield* sql.withTransaction(Effect.all([readInOrder, deliver, readInOrder]))
    assert.isBelow(after - before, 100)
  })
  // What fills the table may take longer than a statement of a server does.
  const client = Connection.layer({ ...options, maxConnections: 1, statementTimeoutMs: 0 })
  const stores = Layer.provide(Stores.layer({ schema: options.schema }), box)
  return Effect.andThen(
    Postgres.migrate(options),
    Effect.provide(program, Layer.fresh(Layer.provideMerge(stores, client)))
  )
})
