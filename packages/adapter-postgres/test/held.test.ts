/** What claims of deliveries read of what they cannot send: held ones none, counted in rows; broken ones once. */
import { describe, it } from "@effect/vitest"
import { Integrity } from "@tolem/core/engine/Integrity"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { changeOf, creationOf, endpointOf, startAt, testDeliveryOf } from "@tolem/testing/fixtures"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { assert } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { recording, type Sent } from "./support/statements.ts"
import { box, freshOptions, type OwnOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const connection = (options: OwnOptions) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = await connect(Redacted.value(options.url))
      await client.query(`set search_path to ${options.schema}`)
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

const ask = (client: Client, sql: string) =>
  Effect.promise(async () => (await client.query<Record<string, unknown>>(sql)).rows)

interface Plan {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<Plan>
}

/** Rows, and entries of indexes, that the nodes of a plan have read of deliveries. */
const readsOf = (plan: Plan): number => {
  const read = plan["Relation Name"] ?? plan["Index Name"] ?? ""
  const own = read.startsWith("tolem_deliveries") && plan["Node Type"].endsWith("Scan")
  const rows = (plan["Actual Rows"] + (plan["Rows Removed by Filter"] ?? 0)) * plan["Actual Loops"]
  return (plan.Plans ?? []).reduce((sum, each) => sum + readsOf(each), own ? rows : 0)
}

const explained = (client: Client, [sql, params]: Sent) =>
  Effect.promise(async () => {
    const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...params])
    return rows[0]["QUERY PLAN"][0].Plan as Plan
  })

describe("deliveries on PostgreSQL", () => {
  it.live("are not added to an endpoint whose removal they have waited for", () => {
    const options = freshOptions()
    const program = Effect.gen(function* () {
      const store = yield* WebhookStore
      const client = yield* connection(options)
      const endpoint = endpointOf()
      yield* store.addEndpoint(endpoint, 10)
      yield* ask(client, "begin")
      yield* ask(client, `update tolem_endpoints set removed_at = ${startAt} where id = '${endpoint.id}'`)
      const adding = yield* Effect.forkChild(store.addDelivery(testDeliveryOf(endpoint)))
      yield* Effect.sleep(300)
      yield* ask(client, "commit")
      assert.isFalse(yield* Fiber.join(adding))
    }).pipe(Effect.scoped)
    const stores = Layer.fresh(Postgres.layer(options)).pipe(Layer.provide(box))
    return Effect.andThen(Postgres.migrate(options), Effect.provide(program, stores))
  })

  it.live.each([
    ["as the planner knows", "analyze tolem_deliveries"] as const,
    [
      "since the planner looked at the table",
      "alter table tolem_deliveries_before set (autovacuum_enabled = off)"
    ] as const
  ])("that are held %s are read by no claim", ([, prepare]) => {
    const log: Array<Sent> = []
    const options = freshOptions()
    const program = Effect.gen(function* () {
      const store = yield* WebhookStore
      const client = yield* connection(options)
      const endpoints = [endpointOf({ disabled: true }), endpointOf({ pausedUntil: startAt * 2 }), endpointOf()]
      for (const endpoint of endpoints) {
        yield* store.addEndpoint(endpoint, 10)
        yield* store.addDelivery(testDeliveryOf(endpoint))
      }
      const [off, paused, open] = endpoints
      yield* ask(
        client,
        `insert into tolem_deliveries select (jsonb_populate_record(d, jsonb_build_object('id', d.id || n))).*
        from tolem_deliveries d, generate_series(1, 10000) n where endpoint_id in ('${off!.id}', '${paused!.id}')`
      )
      yield* ask(client, prepare)
      log.length = 0
      const jobs = yield* claimDue(store, { now: startAt, until: startAt + 20_000 })
      assert.deepStrictEqual(
        jobs.map(({ endpoint }) => endpoint.id),
        [open!.id]
      )
      yield* store.release(jobs, startAt)
      assert.lengthOf(log, 4, "the look, the claim, what was lost, the release")
      for (const sent of log.splice(0, 3)) {
        const plan = yield* explained(client, sent)
        assert.isBelow(readsOf(plan), 50, `of 20 000 held ones\n${sent[0]}\n${JSON.stringify(plan, null, 1)}`)
      }
    }).pipe(Effect.scoped)
    const stores = Layer.fresh(Postgres.layer(options)).pipe(
      Layer.provide(box),
      Layer.merge(recording("tolem_deliveries", log))
    )
    return Effect.andThen(Postgres.migrate(options), Effect.provide(program, stores))
  })

  it.live("that have come since the planner looked at the table are not all read by a claim", () => {
    const log: Array<Sent> = []
    const options = freshOptions()
    const program = Effect.gen(function* () {
      const store = yield* WebhookStore
      const client = yield* connection(options)
      const endpoints = Array.from({ length: 10 }, () => endpointOf())
      for (const endpoint of endpoints) {
        yield* store.addEndpoint(endpoint, 10)
        yield* store.addDelivery(testDeliveryOf(endpoint))
      }
      yield* ask(client, "alter table tolem_deliveries_before set (autovacuum_enabled = off)")
      yield* ask(
        client,
        `insert into tolem_deliveries select (jsonb_populate_record(d, jsonb_build_object('id', d.id || n))).*
        from tolem_deliveries d, generate_series(1, 500) n`
      )
      log.length = 0
      const jobs = yield* claimDue(store, { now: startAt, until: startAt + 20_000, limit: 20 })
      assert.lengthOf(jobs, 200)
      yield* store.release(jobs, startAt)
      const [look, claim, lost] = log
      for (const sent of [look!, claim!, lost!]) {
        const plan = yield* explained(client, sent)
        assert.isBelow(readsOf(plan), 1000, `of 5 010 that are due\n${sent[0]}\n${JSON.stringify(plan, null, 1)}`)
      }
    }).pipe(Effect.scoped)
    const stores = Layer.fresh(Postgres.layer(options)).pipe(
      Layer.provide(box),
      Layer.merge(recording("tolem_deliveries", log))
    )
    return Effect.andThen(Postgres.migrate(options), Effect.provide(program, stores))
  })

  it.live("that cannot be read hold up no other one, are kept, and are found", () => {
    const options = freshOptions()
    const program = Effect.gen(function* () {
      const store = yield* WebhookStore
      const client = yield* connection(options)
      yield* store.addEndpoint(endpointOf({ updatedAt: startAt - 60_000 }), 10)
      const [, ...broken] = [yield* paid, yield* paid, yield* paid]
      yield* ask(client, `delete from tolem_events where sequence = 2 and invoice_id = '${broken[0]}'`)
      yield* ask(client, `delete from tolem_invoices where id = '${broken[1]}'`)
      const jobs = yield* claimDue(store, { now: startAt + 60_000, until: startAt + 80_000 })
      assert.lengthOf(jobs, 1)
      const kept = yield* ask(client, "select id from tolem_deliveries where status = 'pending' and starts = 0")
      assert.lengthOf(kept, 2)
      const findings = yield* Effect.flatMap(Integrity, (integrity) => integrity.findings)
      const found = findings.filter(({ rule }) => rule === "deliveries_agree_with_events").map(({ subject }) => subject)
      assert.deepStrictEqual(new Set(found), new Set(kept.map((row) => String(row["id"]))))
    }).pipe(Effect.scoped)
    const stores = Layer.fresh(Postgres.layer(options)).pipe(Layer.provide(box))
    return Effect.andThen(Postgres.migrate(options), Effect.provide(program, stores))
  })
})

const paid = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const creation = creationOf()
  yield* store.insertMany([creation])
  yield* store.commitMany([changeOf(creation.invoice, InvoiceCommand.Pay({ paidAt: startAt }))])
  return creation.invoice.id
})
