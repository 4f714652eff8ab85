/** Deliveries on PostgreSQL a year after the step that keeps them by months. */
import { type AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { attemptOf, endpointOf, testDeliveryOf } from "@tolem/testing/fixtures"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { assert } from "vitest"
import * as Postgres from "../../src/Postgres.ts"
import { monthOf, partNames, partOf, partsOf, query } from "./months.ts"
import { clients, stores } from "./older.ts"
import { freshOptions } from "./stores.ts"

export const table = "tolem_deliveries"
export const before = `${table}_before`
/** The part of each delivery. */
export const partsOfAll = (client: Client) => partsOf(client, table, "id")
/** The parts. */
export const namesOfParts = (client: Client) => partNames(client, table)
/** The part of the month of an instant. */
export const nameOf = (at: number) => partOf(table, at)

/** A schema of this version, the statements about deliveries that its store sends, and an endpoint. */
export const fresh = Effect.gen(function* () {
  const options = freshOptions()
  yield* Postgres.migrate(options)
  const [client, other] = yield* clients(options, 2)
  if (client === undefined || other === undefined) return assert.fail("no connections")
  const now = Date.now()
  const sent: Array<readonly [text: string, values: ReadonlyArray<unknown>]> = []
  const noted = Layer.succeed(Statement.CurrentTransformer, (statement) => {
    const compiled = statement.compile()
    if (compiled[0].includes(table)) sent.push(compiled)
    return Effect.succeed(statement)
  })
  const context = yield* Layer.build(Layer.merge(stores(options), noted))
  const store = yield* Effect.provide(WebhookStore, context)
  const endpoint = endpointOf({ id: "whe_1", createdAt: now, updatedAt: now })
  yield* Effect.provide(store.addEndpoint(endpoint, 10), context)
  return { options, client, other, now, sent, context, store, endpoint }
})

/** The same with two months of a year ago and those about now, as it would be by then. */
export const aged = Effect.gen(function* () {
  const world = yield* fresh
  const { client, now } = world
  const [first, second, third] = [monthOf(now, -12), monthOf(now, -11), monthOf(now, -10)]
  const at = (instant: number) => `'${new Date(instant).toISOString()}'`
  yield* query(
    client,
    `alter table ${table} detach partition ${before};
     alter table ${table} attach partition ${before} for values from (minvalue) to (${at(first)})`
  )
  const ends = [
    [first, second] as const,
    [second, third] as const,
    ...[-1, 0, 1].map((further) => [monthOf(now, further), monthOf(now, further + 1)] as const)
  ]
  for (const [from, to] of ends) {
    yield* query(
      client,
      `create table ${nameOf(from)} partition of ${table} (primary key (id))
        for values from (${at(from)}) to (${at(to)})`
    )
  }
  return { ...world, first, second, third }
})

/** The same, with deliveries that are due, as `aged` has placed them. */
export const due = Effect.gen(function* () {
  const world = yield* aged
  const { context, store, now, endpoint } = world
  const deliveries = [1, 2, 3].map((n) => testDeliveryOf(endpoint, { id: `dlv_${n}`, dueAt: now + n, createdAt: now }))
  for (const delivery of deliveries) yield* Effect.provide(store.addDelivery(delivery), context)
  const settle = (job: Parameters<typeof store.settleMany>[0][number]["job"], outcome: AttemptOutcome) =>
    store.settleMany([{ job, attempt: attemptOf({ startedAt: now, status: 200 }), outcome }], now + 10)
  const claimed = claimDue(store, { now: now + 5, until: now + 20_000 })
  return { ...world, settle, claimed }
})
