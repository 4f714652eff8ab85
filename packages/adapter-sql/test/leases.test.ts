/** Leases of invoices, which are kept beside them. */
import { it } from "@effect/vitest"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf, startAt } from "@tolem/testing/fixtures"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { onSqlite } from "./support/sqlite.ts"

const due = Effect.fnUntraced(function* (count: number) {
  const store = yield* InvoiceStore
  yield* store.insertMany(Array.from({ length: count }, () => creationOf({ dueAt: startAt })))
  return store
})

const leases = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly count: number }>`select count(*) as count from tolem_invoice_leases`
  return row?.count
})

describe("leases of invoices", () => {
  it.effect("do not write the invoices", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const store = yield* due(3)
        const before = yield* sql`select * from tolem_invoices order by id`
        assert.strictEqual((yield* store.claim(startAt, startAt + 1000, 10)).length, 3)
        assert.deepStrictEqual(yield* sql`select * from tolem_invoices order by id`, before)
      })
    )
  )

  it.effect("are removed by later claims when their invoices are due at other instants, and not before", () =>
    onSqlite(
      Effect.gen(function* () {
        const store = yield* due(1500)
        const claimed = []
        for (let turn = 0; turn < 3; turn++) claimed.push(...(yield* store.claim(startAt, startAt + 1000, 500)))
        assert.strictEqual(yield* leases, 1500)
        const looked = claimed.slice(0, 1300).map(({ id, version }) => ({ id, version, providerStatus: null }))
        yield* store.rescheduleMany(looked.map((look) => ({ ...look, dueAt: startAt + 90_000 })))
        // The clock of a sandbox that is years ahead ends no lease of others.
        yield* TestClock.setTime(startAt + 1e11)
        const none = { tenants: [{ organizationId: "org_none", mode: "sandbox" as const }], each: 9 }
        const claimNothing = store.claim(startAt, startAt + 1000, 10, none)
        assert.deepStrictEqual(yield* claimNothing, [])
        assert.strictEqual(yield* leases, 500, "a thousand at once")
        yield* claimNothing
        assert.strictEqual(yield* leases, 500, "not at each claim")
        yield* store.insertMany(Array.from({ length: 500 }, () => creationOf({ dueAt: startAt })))
        assert.strictEqual((yield* store.claim(startAt, startAt + 1000, 500)).length, 500)
        yield* claimNothing
        assert.strictEqual(yield* leases, 700, "500 more, and 300 less")
        assert.strictEqual((yield* store.claim(startAt + 999, startAt + 2000, 1000)).length, 0, "those that count stay")
        assert.strictEqual((yield* store.claim(startAt + 1000, startAt + 2000, 1000)).length, 700, "until they end")
      })
    )
  )
})
