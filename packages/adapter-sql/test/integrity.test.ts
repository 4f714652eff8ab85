/** Rows that somebody tampered with are found, each by its rule. */
import { describe, it } from "@effect/vitest"
import { Integrity } from "@tolem/core/Integrity"
import { Command, type Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { changeOf, creationOf, endpointOf, refundOf, startAt } from "@tolem/core/testing/fixtures"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { onSqlite } from "./support/sqlite.ts"
import { verbs } from "./support/verbs.ts"

const minuteMs = 60_000

/** A paid invoice with a refund, announced to an endpoint that was there a minute before. */
const given = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const endpoint = endpointOf({ createdAt: startAt - minuteMs, updatedAt: startAt - minuteMs })
  yield* WebhookStore.use((webhooks) => webhooks.addEndpoint(endpoint, 10))
  const creation = creationOf()
  yield* store.insertMany([creation])
  const commit = (invoice: Invoice, command: Command) =>
    Effect.map(store.commitMany([changeOf(invoice, command)]), ([result]) => Result.getOrThrow(result!))
  const paid = yield* commit(creation.invoice, Command.Pay({ paidAt: startAt }))
  const refund = refundOf(paid, 40_000)
  const invoice = yield* commit(paid, Command.Refund({ refund }))
  return { invoice, endpoint }
})

const rulesBroken = Effect.gen(function* () {
  const integrity = yield* Integrity
  const findings = yield* integrity.findings
  return findings.map(({ rule, subject }) => [rule, subject])
})

/** A paid invoice, what somebody does to it behind the ports, and the rules that are then broken. */
const finds = (name: string, tampering: string, expected: (invoice: Invoice) => Array<Array<string>>) =>
  it.effect(name, () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { invoice } = yield* given
        assert.deepStrictEqual(yield* rulesBroken, [], "all is well at first")
        yield* sql.unsafe(tampering)
        assert.deepStrictEqual(yield* rulesBroken, expected(invoice))
      })
    )
  )

/** A subscription with a run, what somebody does to it, and the rules that are then broken. */
const findsOfRuns = (name: string, tampering: string, expected: ReadonlyArray<string>) =>
  it.effect(name, () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const byName = new Map(yield* verbs)
        for (const verb of ["insert of a subscription", "commitMany of subscriptions"]) yield* byName.get(verb)!
        assert.deepStrictEqual(yield* rulesBroken, [], "all is well at first")
        yield* sql.unsafe(tampering)
        const broken = yield* rulesBroken
        assert.deepStrictEqual(
          broken.map(([rule]) => rule),
          [...expected]
        )
      })
    )
  )

describe("the checks of subscriptions", () => {
  findsOfRuns("find a run that is not counted", "update tolem_subscriptions set runs = 2", [
    "runs_equal_rows",
    "subscriptions_agree_with_runs"
  ])
  findsOfRuns("find a run that is gone", "delete from tolem_subscription_runs", [
    "runs_equal_rows",
    "run_invoices_have_runs",
    "subscriptions_agree_with_runs"
  ])
  findsOfRuns("find an invoice that no run names", `update tolem_subscription_runs set invoice_ids = '["inv_0"]'`, [
    "run_invoices_have_runs",
    "run_invoices_equal_events"
  ])
  findsOfRuns(
    "find a run that names an invoice twice",
    `update tolem_subscription_runs set invoice_ids = '["' || invoice_id || '","' || invoice_id || '"]'`,
    ["run_invoices_equal_events"]
  )
  findsOfRuns(
    "find an invoice of a run that is gone",
    "update tolem_subscription_events set invoice_id = 'inv_0' where invoice_id is not null",
    ["run_invoices_have_runs", "run_invoices_equal_events", "subscriptions_agree_with_runs"]
  )
  findsOfRuns("find a wrong date of the last run", "update tolem_subscriptions set last_run_at = 1", [
    "subscriptions_agree_with_runs"
  ])
  findsOfRuns("find a run whose invoice is another mode's", "update tolem_subscription_runs set mode = 'live'", [
    "run_invoices_have_runs"
  ])
  findsOfRuns(
    "find a last invoice that is none of its own",
    "update tolem_subscriptions set last_invoice_id = 'inv_0'",
    ["subscriptions_agree_with_runs"]
  )
  findsOfRuns("find a subscription that ended too early", "update tolem_subscriptions set status = 'finished'", [
    "subscriptions_agree_with_runs"
  ])
  findsOfRuns("find a gap in its events", "update tolem_subscriptions set sequence = sequence + 1", [
    "subscription_events_gap_free"
  ])
})

const totals = "org_shop sandbox  partially_refunded 2026-01-01"

describe("the checks of the stored data", () => {
  finds("find refunds over the payment", "update tolem_refunds set amount = 150001", ({ id }) => [
    ["refunds_within_payment", id],
    ["refunded_equals_refunds", id]
  ])

  finds(
    "find a refunded sum that its records do not make up",
    "update tolem_invoices set refunded = 39999",
    ({ id }) => [
      ["refunded_equals_refunds", id],
      ["totals_equal_rows", totals]
    ]
  )

  finds("find a refund record that has gone", "delete from tolem_refunds", ({ id }) => [
    ["refunded_equals_refunds", id]
  ])

  finds("do not count refunds that have not succeeded", "update tolem_refunds set status = 'failed'", ({ id }) => [
    ["refunded_equals_refunds", id]
  ])

  finds("find totals that count what is not there", "update tolem_daily_totals set invoice_count = 2", () =>
    ["paid", "partially_refunded", "pending"].map((status) => [
      "totals_equal_rows",
      `org_shop sandbox  ${status} 2026-01-01`
    ])
  )

  finds("find totals of another sum", "update tolem_invoices set amount = amount + 1", () => [
    ["totals_equal_rows", totals]
  ])

  finds("find totals that are not there", "delete from tolem_daily_totals", () => [["totals_equal_rows", totals]])

  finds("find a gap in the sequence", "delete from tolem_events where sequence = 2", ({ id }) => [
    ["sequences_gap_free", id]
  ])

  finds("find an invoice without any event", "delete from tolem_events", ({ id }) => [["sequences_gap_free", id]])

  finds("find an event that is missing at the end", "update tolem_invoices set sequence = 4", ({ id }) => [
    ["sequences_gap_free", id]
  ])

  finds("find events of an invoice that is not there", "update tolem_events set invoice_id = 'inv_gone'", ({ id }) => [
    ["sequences_gap_free", id],
    ["sequences_gap_free", "inv_gone"]
  ])

  finds("find a status that no event tells of", "update tolem_events set to_status = 'paid'", ({ id }) => [
    ["status_equals_last_event", id]
  ])

  it.effect("find an event that an endpoint should have been told of", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { endpoint } = yield* given
        const events = yield* sql<{ id: string }>`select id from tolem_events where sequence = 3`
        yield* sql`delete from tolem_deliveries where sequence = 3`
        const expected = [["events_have_deliveries", events[0]!.id]]
        assert.deepStrictEqual(yield* rulesBroken, expected)
        const change = (columns: string) => sql.unsafe(`update tolem_endpoints set ${columns}`)
        yield* change("events = ',invoice.partially_refunded,'")
        assert.deepStrictEqual(yield* rulesBroken, expected, "also where it asked for this kind")
        for (const columns of [
          "events = ',invoice.refunded,'",
          "disabled = 1",
          "removed_at = 1",
          "mode = 'live'",
          "organization_id = 'org_other'",
          // Since it was changed, nobody knows what it asked for when the event came.
          `updated_at = ${startAt}`
        ]) {
          yield* sql`update tolem_endpoints set events = '', disabled = 0, removed_at = null, mode = 'sandbox',
            organization_id = 'org_shop', updated_at = ${endpoint.updatedAt}`
          yield* change(columns)
          assert.deepStrictEqual(yield* rulesBroken, [], columns)
        }
      })
    )
  )

  it.effect("tell of at most a thousand breaches of a rule", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* InvoiceStore
        yield* store.insertMany(Array.from({ length: 1_200 }, () => creationOf()))
        yield* sql`update tolem_events set to_status = 'paid'`
        assert.strictEqual((yield* rulesBroken).length, 1_000)
      })
    )
  )
})
