/** The schema comes once, beside whatever else is in the database. */
import { describe, it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf, queryOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { migrate } from "../src/base/Migrations.ts"
import { indexes } from "../src/integrity/SchemaRules.ts"
import * as Stores from "../src/Stores.ts"
import { box } from "./support/sqlite.ts"

const onEmpty = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(program, Layer.fresh(SqliteClient.layer({ filename: ":memory:" })))

const tableNames = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`select name from sqlite_schema where type = 'table' order by name`
  return rows.map(({ name }) => name)
})

describe("the migrations", () => {
  it.effect("run once", () =>
    onEmpty(
      Effect.gen(function* () {
        const first = yield* migrate()
        assert.deepStrictEqual(first, [
          [1, "init"],
          [2, "views"],
          [3, "secret_checks"],
          [4, "connections"],
          [5, "refund_references"],
          [6, "subscriptions"],
          [7, "merchants"],
          [8, "payment_links"],
          [9, "logins"],
          [10, "delivery_turns"],
          [11, "key_uses"],
          [12, "creation"],
          [14, "shares"],
          [16, "announcements"],
          [17, "seals"],
          [18, "chains"],
          [20, "feed"],
          [21, "reactions"],
          [23, "external_keys"],
          [24, "account_emails"],
          [29, "earlier_events"],
          [30, "filled_creation"],
          [34, "form_hooks"],
          [35, "member_terms"],
          [36, "faces"],
          [37, "link_pages"],
          [38, "link_totals"],
          [41, "key_makers"],
          [42, "link_places"],
          [43, "link_places_settled"],
          [44, "scans"],
          [45, "cabinet"],
          [46, "newest"],
          [47, "attention"],
          [49, "kinds_of_totals"],
          [50, "totals_settled"],
          [51, "link_pictures"],
          [52, "invitations"],
          [54, "resent_letters"],
          [55, "removals"],
          [56, "hot_tables"],
          [58, "unpaid_codes"],
          [70, "attempt_months"],
          [74, "reconciliations"],
          [75, "movements"],
          [85, "requests"],
          [86, "statements"],
          [87, "statement_letters"],
          [88, "journal"],
          [89, "form_refusals"],
          [90, "link_days"],
          [91, "operators"],
          [94, "refund_lists"],
          [96, "notices"],
          [98, "platform"],
          [99, "subscription_dates"],
          [100, "payouts"],
          [101, "deeds_of_actors"],
          [102, "invoice_leases"],
          [103, "shares_of_agents"],
          [104, "delivery_months"],
          [105, "search_keys"],
          [106, "delivery_log"]
        ])
        assert.deepStrictEqual(yield* migrate(), [])
      })
    )
  )

  it.effect("leave the indexes that the checks look for", () =>
    onEmpty(
      Effect.gen(function* () {
        yield* migrate()
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly name: string; readonly sql: string }>`
          select name, sql from sqlite_schema where type = 'index' and sql is not null`
        const found = rows.map((row) => [row.name, row.sql.startsWith("CREATE UNIQUE") ? 1 : 0] as const)
        const expected = indexes.map(({ name, is_unique }) => [`tolem_${name}`, is_unique] as const)
        assert.deepStrictEqual(found.toSorted(), expected.toSorted())
      })
    )
  )

  it.effect("run once when several servers start at once", () =>
    onEmpty(
      Effect.gen(function* () {
        const runs = yield* Effect.all(
          Array.from({ length: 4 }, () => migrate()),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(runs.filter((steps) => steps.length > 0).length, 1)
      })
    )
  )

  it.effect("make columns of text and whole numbers only, as both databases have them", () =>
    onEmpty(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* migrate()
        const columns = yield* sql<{ type: string }>`
          select distinct c.type from sqlite_schema t join pragma_table_info(t.name) c
          where t.type = 'table' and t.name <> 'tolem_migrations'`
        assert.deepStrictEqual(new Set(columns.map(({ type }) => type.toLowerCase())), new Set(["text", "bigint"]))
      })
    )
  )

  it.effect("name everything after the prefix, so that two can share a database", () =>
    onEmpty(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`create table invoices (id text)`
        yield* migrate({ prefix: "a_" })
        yield* migrate({ prefix: "b_" })
        const names = yield* tableNames
        assert.isTrue(
          names.every((name) => /^(a_|b_|invoices$|sqlite_)/.test(name)),
          names.join()
        )
        const insert = (prefix: string) =>
          InvoiceStore.use((store) => store.insertMany([creationOf({ idempotencyKey: "same" })])).pipe(
            Effect.andThen(InvoiceStore.use((store) => store.list(queryOf()))),
            Effect.provide(Layer.fresh(Stores.layer({ prefix })).pipe(Layer.provide(box())))
          )
        assert.strictEqual((yield* insert("a_")).total, 1)
        assert.strictEqual((yield* insert("b_")).total, 1)
        assert.strictEqual((yield* insert("a_")).total, 1)
      })
    )
  )
})
