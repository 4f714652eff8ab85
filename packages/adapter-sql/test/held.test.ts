/** What endpoints hold that take nothing now costs claims nothing, however much it is. */
import { it } from "@effect/vitest"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { endpointOf, startAt, testDeliveryOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { type Exchange, recording } from "./support/recorder.ts"
import { box } from "./support/sqlite.ts"

it.effect("held deliveries are found by no claim: each statement goes to its rows by an index", () => {
  const log: Array<Exchange> = []
  const stores = Stores.layer().pipe(
    Layer.provide(Migrations.layer()),
    Layer.provideMerge(recording(log)),
    Layer.provide(box())
  )
  const program = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const store = yield* WebhookStore
    const [off, paused, open] = [endpointOf({ disabled: true }), endpointOf({ pausedUntil: startAt * 2 }), endpointOf()]
    for (const endpoint of [off, paused, open]) {
      yield* store.addEndpoint(endpoint, 10)
      yield* store.addDelivery(testDeliveryOf(endpoint))
    }
    for (const { id } of [off, paused]) {
      yield* sql`
        with recursive n(n) as (select 1 union all select n + 1 from n where n < 10000)
        insert into tolem_deliveries
        select d.id || n.n, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status,
          attempt_count, due_at, ready_at, lease, created_at, completed_at, starts
        from tolem_deliveries d, n where d.endpoint_id = ${id}`
    }
    yield* sql`analyze`
    log.length = 0
    const jobs = yield* claimDue(store, { now: startAt, until: startAt + 20_000 })
    assert.deepStrictEqual(
      jobs.map(({ endpoint }) => endpoint.id),
      [open.id]
    )
    const ofDeliveries = log.splice(0).filter((sent) => sent.sql.includes("tolem_deliveries"))
    assert.lengthOf(ofDeliveries, 3, "the look, the claim, what was lost")
    for (const { sql: text, params } of ofDeliveries) {
      const plan = yield* sql.unsafe<{ detail: string }>(`explain query plan ${text}`, params)
      const details = plan.map(({ detail }) => detail)
      const reads = details.filter((detail) => /^(SCAN|SEARCH) (d|own|earlier|tolem_deliveries)\b/.test(detail))
      // By its id, from one endpoint to the next, one endpoint's own ones, or those that were lost.
      const narrow = /\((id=\?|endpoint_id>\?|endpoint_id=\?.*|starts=\? AND due_at<\?|starts>\?.*)\)$/
      assert.deepStrictEqual(
        reads.filter((detail) => !narrow.test(detail)),
        [],
        `${text}\n${details.join("\n")}`
      )
    }
  })
  return Effect.provide(program, stores)
})
