/** How often PostgreSQL plans what servers ask it again and again. */
import { it } from "@effect/vitest"
import * as Stores from "@tolem/adapter-sql/Stores"
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf, queryOf, startAt } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { box, freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

/** It plans a prepared statement so often before it compares that with a plan that is kept. */
const firstTimes = 5

interface Prepared {
  readonly statement: string
  readonly kept: number
  readonly anew: number
}

it.live("pages and batches of large tables are planned a few times, and not each time", () => {
  const options = freshOptions()
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [invoices, feed] = [yield* InvoiceStore, yield* FeedStore]
    const creations = Array.from({ length: 40 }, () => creationOf())
    const { invoice } = creations[0]!
    const tenant = { organizationId: invoice.organizationId, mode: invoice.mode }
    yield* invoices.insertMany(creations)
    yield* feed.place(tenant.organizationId, 100)
    yield* sql`analyze`
    // As if there were ten million.
    yield* sql`update pg_class set reltuples = 1e7 where relname in ('tolem_invoices', 'tolem_feed', 'tolem_events')
      and relnamespace = ${options.schema}::regnamespace`
    const page = { ...tenant, connectionId: null, types: [], limit: 20, lookAt: 5_000, start: { since: startAt - 1 } }
    // The client has two connections, each with plans of its own.
    for (let time = 0; time < 4 * firstTimes; time++) {
      assert.strictEqual((yield* invoices.list(queryOf({ ...tenant, limit: 20 }))).invoices.length, 20)
      assert.strictEqual((yield* invoices.list(queryOf({ ...tenant, statuses: ["new", "pending"] }))).total, 40)
      assert.strictEqual((yield* feed.read(page)).entries.length, 20)
      yield* invoices.claim(startAt, startAt + 1, 1)
      yield* invoices.rescheduleMany([{ id: invoice.id, version: 1, dueAt: null, providerStatus: null }])
    }
    const prepared = yield* sql<Prepared>`
      select statement, generic_plans as kept, custom_plans as anew from pg_prepared_statements
      where statement not like '%for update%' and generic_plans + custom_plans > ${firstTimes}`
    assert.deepStrictEqual(
      prepared.filter(({ anew }) => anew > firstTimes).map(({ statement }) => statement),
      []
    )
    const statements = prepared.filter(({ kept }) => kept > 0).map(({ statement }) => statement)
    const [one, several] = [/^(?!.*union all).*limit 200\) as few.*as page/s, /limit 200\) as few.*union all.*as page/s]
    for (const kept of [one, several, /limit 10000\) as few/, /set due_at = s\.due_at/]) {
      assert.isTrue(
        statements.some((statement) => kept.test(statement)),
        `${kept}`
      )
    }
  })
  const client = Connection.layer({ ...options, maxConnections: 1 })
  const stores = Layer.provide(Stores.layer({ schema: options.schema }), box)
  return Effect.andThen(
    Postgres.migrate(options),
    Effect.provide(program, Layer.fresh(Layer.provideMerge(stores, client)))
  )
})
