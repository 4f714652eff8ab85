/** What the checks say, how much of it, and of what they say nothing. Planted damages are in `damages.test.ts`. */
import { describe, it } from "@effect/vitest"
import { Integrity } from "@tolem/core/engine/Integrity"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf, startAt } from "@tolem/testing/fixtures"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { brokenBy } from "./support/damage.ts"
import { populate } from "./support/population.ts"
import { onSqlite } from "./support/sqlite.ts"

describe("the checks of the stored data", () => {
  it.effect("find an event that an endpoint should have been told of, also if nothing was counted", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* populate
        yield* sql`update tolem_events set announced = null`
        yield* sql`delete from tolem_deliveries where invoice_id = 'inv_other'`
        const told = (columns: string) =>
          Effect.map(brokenBy([`update tolem_endpoints set ${columns} where id = 'whe_1'`]), (broken) =>
            broken.filter((one) => one.startsWith("events_have_deliveries")).map((one) => one.split(": ")[1])
          )
        const expected = ["invoice.paid has no delivery to endpoint whe_1"]
        assert.deepStrictEqual(yield* told("failure_count = 0"), expected)
        assert.deepStrictEqual(yield* told("events = ',invoice.paid,'"), expected, "also where it asked for this kind")
        for (const columns of [
          "events = ',invoice.refunded,'",
          "disabled = 1",
          "removed_at = 1",
          "mode = 'live'",
          "organization_id = 'org_other'",
          // What it asked for when the event came is known by the count of the event only.
          `updated_at = ${startAt + 9e6}`
        ]) {
          assert.notDeepEqual(yield* told(columns), expected, columns)
        }
      })
    )
  )

  it.effect("tell of at most a thousand breaches of a rule, and of what was checked", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* InvoiceStore
        yield* store.insertMany(Array.from({ length: 1_200 }, () => creationOf()))
        yield* sql`update tolem_events set to_status = 'paid'`
        yield* sql`update tolem_invoices set search_text = ''`
        const { findings, rows, rules } = yield* Integrity.use(({ report }) => report)
        const byRule = Map.groupBy(findings, ({ rule }) => rule)
        for (const rule of ["status_equals_last_event", "derived_columns_follow"]) {
          assert.strictEqual(byRule.get(rule)?.length, 1_000, rule)
        }
        assert.strictEqual(rows["invoices"], 1_200)
        assert.strictEqual(new Set(rules).size, rules.length, "each rule has a name of its own")
        assert.isTrue(Array.from(byRule.keys()).every((rule) => rules.includes(rule)))
      })
    )
  )

  it.effect("find that the audit log is open to changes", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const findings = Integrity.use((integrity) => integrity.findings)
        const triggers = yield* sql<{ name: string }>`
          select name from sqlite_master where type = 'trigger' and tbl_name = 'tolem_audit'`
        assert.strictEqual(triggers.length, 3)
        for (const [index, { name }] of triggers.entries()) {
          yield* sql`drop trigger ${sql(name)}`
          const found = yield* findings
          assert.deepStrictEqual(new Set(found.map(({ rule }) => rule)), new Set(["audit_log_is_closed"]))
          assert.strictEqual(found.length, index + 1)
        }
      })
    )
  )
})
