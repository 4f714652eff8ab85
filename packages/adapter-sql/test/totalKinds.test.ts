/** Kinds and sources of the daily totals: what was counted before there were any, and by servers that know of none. */
import { it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import { ReportStore } from "@tolem/core/cabinet/ReportStore"
import { filterOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import { migrate } from "../src/base/Migrations.ts"
import { maxMixed } from "../src/cabinet/MixedDays.ts"
import * as Stores from "../src/Stores.ts"
import { box } from "./support/sqlite.ts"

const at = Date.parse("2026-03-01T12:00:00+05:00")

const rows = [
  ["inv_1", "qr", "paid", 100, null],
  ["inv_2", "phone", "paid", 200, null],
  ["inv_3", "qr", "pending", 400, "payment-link/lnk_1"],
  ["inv_4", "phone", "pending", 800, "subscription/sub_1/0/0"]
] as const

const shop = { organizationId: "org_shop", mode: "live", connectionId: null } as const
const all = filterOf(shop)
const stores = Stores.layer().pipe(Layer.provide(box()))

const look = { after: null, rows: 100 }

/** Moves the totals as a server of the version before does. */
const counted = Effect.fnUntraced(function* (shard: number, status: string, n: number, amount: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into tolem_daily_totals as t (organization_id, mode, connection_id, status, day, shard, invoice_count,
      amount, refunded)
    values ('org_shop', 'live', '', ${status}, '2026-03-01', ${shard}, ${n}, ${amount}, 0)
    on conflict (organization_id, mode, connection_id, status, day, shard) do update set
      invoice_count = t.invoice_count + excluded.invoice_count, amount = t.amount + excluded.amount`
})

it.effect("totals of before, and of servers of before, are told apart by kind and source", () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* migrate({}, 46)
    for (const [id, kind, status, amount, origin] of rows) {
      yield* sql`
        insert into tolem_invoices (id, organization_id, mode, kind, status, amount, refunded, origin, late, created_at,
          updated_at, sequence, version, day, search_text)
        values (${id}, 'org_shop', 'live', ${kind}, ${status}, ${amount}, 0, ${origin}, 0, ${at}, ${at}, 1, 1,
          '2026-03-01', ${id})`
      yield* counted(status === "paid" ? 0 : 64, status, 1, amount)
    }
    // Another shard has what the first one lacks.
    yield* counted(1, "paid", -1, -100)
    yield* counted(2, "paid", 1, 100)
    yield* migrate()
    const mixed = sql<{ readonly n: number }>`select count(*) as n from tolem_daily_totals where kind is null`
    assert.strictEqual((yield* mixed)[0]?.n, 0, "all of them were told apart")
    const { sums, sources, page } = yield* Effect.provide(ReportStore, stores)
    const of = (filter: object) =>
      Effect.map(sums({ ...all, ...filter }, look), ({ found }) =>
        found.map(({ status, count, amount }) => `${status} ${count} ${amount}`)
      )
    assert.deepStrictEqual(yield* of({ kind: "phone" }), ["paid 1 200", "pending 1 800"])
    assert.deepStrictEqual(yield* of({}), ["paid 2 300", "pending 2 1200"])
    const sourcesOf = Effect.fnUntraced(function* (rows: number, to = "2026-03-01") {
      const { found, isExact } = yield* sources({ ...shop, from: "2026-03-01", to }, rows)
      return [isExact, ...found.map(({ source, status, count }) => `${source} ${status} ${count}`).toSorted()]
    })
    const bySource = Effect.map(sourcesOf(4), ([, ...found]) => found)
    const before = ["payment-link pending 1", "request paid 2", "subscription pending 1"]
    assert.deepStrictEqual(yield* bySource, before)
    assert.deepStrictEqual(yield* sourcesOf(0), [true, ...before], "of which no row is read")

    // A server of the version before lets one be paid.
    yield* sql`update tolem_invoices set status = 'paid' where id = 'inv_4'`
    yield* counted(3, "pending", -1, -800)
    yield* counted(3, "paid", 1, 800)
    assert.deepStrictEqual(yield* of({ kind: "phone" }), ["paid 2 1000"])
    assert.deepStrictEqual(yield* of({}), ["paid 3 1100", "pending 1 400"])
    assert.deepStrictEqual(yield* bySource, ["payment-link pending 1", "request paid 2", "subscription paid 1"])

    // However many rows such a day has, so many are read at once.
    const part = yield* sums({ ...all, kind: "phone" }, { after: null, rows: 3 })
    assert.deepStrictEqual([part.found[0]?.count, part.end?.id], [2, "inv_2"])
    const rest = yield* sums({ ...all, kind: "phone" }, { after: { createdAt: at, id: "inv_4" }, rows: 9 })
    assert.deepStrictEqual([rest.found[0]?.count, rest.end], [1, null])
    const { count } = yield* Effect.provide(ReportStore, stores)
    assert.deepStrictEqual(yield* count({ ...all, kind: "phone" }, { rows: 1, count: 9 }), { count: 1, isExact: false })
    assert.deepStrictEqual(yield* sourcesOf(3), [false], "a day of more is left out")
    yield* sql`
      insert into tolem_daily_totals (organization_id, mode, connection_id, status, day, shard, kind, source,
        invoice_count, amount, refunded)
      values ('org_shop', 'live', '', 'paid', '2026-03-02', 10000000, 'qr', 'request', 7, 7, 0)`
    assert.deepStrictEqual(yield* sourcesOf(3, "2026-03-02"), [false, "request paid 7"], "and the others are not")
    assert.deepStrictEqual(yield* sourcesOf(4, "2026-03-02"), [
      true,
      "payment-link pending 1",
      "request paid 9",
      "subscription paid 1"
    ])
    const found = yield* page({ ...all, source: "subscription", statuses: ["paid"] }, look, { limit: 9, offset: 0 })
    assert.deepStrictEqual(
      found.found.map(({ id }) => id),
      ["inv_4"],
      "and is found on a day of which nothing is known"
    )

    // More counts of all kinds than are looked at, although nothing is left of them.
    for (let shard = 100; shard < 100 + maxMixed; shard++) yield* counted(shard, "expired", 0, 0)
    const bounded = yield* sums({ ...all, kind: "qr", statuses: ["expired"] }, { after: null, rows: 1 })
    assert.strictEqual(bounded.end?.id, "inv_4", "then rows tell, as many as are looked at")
    assert.deepStrictEqual(yield* sourcesOf(4), [false])
  }).pipe(Effect.provide(Layer.fresh(SqliteClient.layer({ filename: ":memory:" }))))
)
