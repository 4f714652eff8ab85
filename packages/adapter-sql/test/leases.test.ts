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

const leases = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ readonly until: number }>`select until from tolem_invoice_leases order by until`
)

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

  it.effect("are removed when they have ended, by claims that follow, and not before by the real time", () =>
    onSqlite(
      Effect.gen(function* () {
        const store = yield* due(1300)
        yield* TestClock.setTime(startAt)
        for (let turn = 0; turn < 13; turn++) yield* store.claim(startAt, startAt + 1000 + turn, 100)
        assert.strictEqual((yield* leases).length, 1300)
        // A sandbox is a day ahead: its claims end no lease of others.
        yield* store.insertMany([creationOf({ dueAt: startAt + 86_400_000 })])
        const ahead = startAt + 86_400_000
        const mine = { tenants: [{ organizationId: "org_none", mode: "sandbox" as const }], each: 9 }
        assert.deepStrictEqual(yield* store.claim(ahead, ahead + 1000, 10, mine), [])
        assert.strictEqual((yield* leases).length, 1300)
        yield* TestClock.setTime(startAt + 2000)
        // All are due again; each claim finds more to remove than it adds.
        for (let turn = 0; turn < 13; turn++) yield* store.claim(startAt + 2000, startAt + 9000, 100)
        const left = yield* leases
        assert.deepStrictEqual(new Set(left.map(({ until }) => until)), new Set([startAt + 9000]))
        assert.strictEqual(left.length, 1300)
        yield* TestClock.setTime(startAt + 9001)
        yield* store.insertMany(Array.from({ length: 500 }, () => creationOf({ dueAt: startAt - 1 })))
        for (let turn = 0; turn < 5; turn++) yield* store.claim(startAt, startAt + 20_000, 100)
        assert.strictEqual((yield* leases).length, 800, "500 more, and 1000 less")
      })
    )
  )
})
