/** How often PostgreSQL plans what servers ask it again and again. */
import { it } from "@effect/vitest"
import * as Stores from "@tolem/adapter-sql/Stores"
import { ChangeStore } from "@tolem/core/attention/ChangeStore"
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
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

const withStores = <A, E>(
  options: ReturnType<typeof freshOptions>,
  program: Effect.Effect<A, E, SqlClient.SqlClient | InvoiceStore | FeedStore | WebhookStore | ChangeStore>
) => {
  // The client has two connections, each with plans of its own.
  const client = Connection.layer({ ...options, maxConnections: 1 })
  const stores = Layer.provide(Stores.layer({ schema: options.schema }), box)
  return Effect.andThen(
    Postgres.migrate(options),
    Effect.provide(program, Layer.fresh(Layer.provideMerge(stores, client)))
  )
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
  return withStores(options, program)
})

interface PlanLine {
  readonly "QUERY PLAN": string
}

/** The kept plans of statements that contain the text, executed with what is given. */
const keptPlans = Effect.fnUntraced(function* (text: string, given: string) {
  const sql = yield* SqlClient.SqlClient
  const prepared = yield* sql<{ readonly name: string }>`
    select name from pg_prepared_statements
    where strpos(statement, ${text}) > 0 and statement not like '%prepared%' and generic_plans > 0`
  return yield* Effect.forEach(prepared, ({ name }) =>
    Effect.map(sql.unsafe<PlanLine>(`explain execute "${name}"(${given})`), (rows) =>
      rows.map((row) => row["QUERY PLAN"]).join("\n")
    )
  )
})

it.live("a plan that is kept looks endpoints up for each merchant, and does not read all of them", () => {
  const options = freshOptions()
  const { organizationId, mode } = creationOf().invoice
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [webhooks, changes] = [yield* WebhookStore, yield* ChangeStore]
    // Of a table that has just been filled it expects hardly a row: to begin with all of them looks cheap.
    yield* sql`insert into ${sql(`${options.schema}`)}.tolem_endpoints (id, organization_id, mode, url, events, secret,
        disabled, failure_count, pause_count, created_at, updated_at)
      select 'end_' || n, case n % 100 when 0 then ${organizationId} else 'org_' || n % 100 end, ${mode},
        'https://shop.example', '', '', 0, 0, 0, ${startAt}, ${startAt}
      from generate_series(1, 1000) as n`
    for (let time = 0; time < 4 * firstTimes; time++) {
      assert.deepStrictEqual(yield* webhooks.dueOf([{ organizationId, mode }], startAt), [])
      assert.strictEqual((yield* changes.things([organizationId])).length, 10)
    }
    const merchants = `'{${organizationId}}'`
    const [due, things] = yield* sql.withTransaction(
      Effect.all([
        keptPlans("as looked where due_at", `${merchants}, '{${mode}}', ${startAt}, ${startAt}`),
        keptPlans("select 'endpoint' as type", `${merchants}, ${merchants}`)
      ])
    )
    assert.match(`${due}`, /Index Cond: \(\(organization_id = s\.organization_id\) AND \(mode = s\.mode\)\)/)
    assert.match(`${things}`, /on tolem_endpoints e.*\n.*Index Cond: .*organization_id = s_1\.organization_id/)
  })
  return withStores(options, program)
})
