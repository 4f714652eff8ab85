/** Rows of the version before, and those that one of its servers writes while it is replaced. */
import { describe, it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import type { Integrity } from "@tolem/core/engine/Integrity"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { startAt } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { makeDialect } from "../src/base/Dialect.ts"
import * as Migrations from "../src/base/Migrations.ts"
import { addCreation } from "../src/migrations/0012_creation.ts"
import { fillCreation } from "../src/migrations/0030_filled_creation.ts"
import * as Stores from "../src/Stores.ts"
import { box } from "./support/sqlite.ts"

const dayMs = 86_400_000
const id = (name: string) => `inv_${name.padStart(26, "0")}`

interface Old {
  readonly key: string | null
  readonly fingerprint?: string
  readonly status?: string
  readonly mode?: string
  readonly dueAt?: number | null
}

/** A row as the version before writes it. */
const write = Effect.fnUntraced(function* (
  name: string,
  { key, fingerprint, status = "new", mode = "live", dueAt = null }: Old
) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    insert into tolem_invoices (id, organization_id, mode, kind, status, amount, refunded, idempotency_key, fingerprint,
      created_at, updated_at, late, due_at, sequence, version, day, search_text)
    values (${id(name)}, 'org_1', ${mode}, 'qr', ${status}, 100, 0, ${key}, ${fingerprint ?? null},
      ${startAt}, ${startAt}, 0, ${dueAt}, 1, 1, '2026-01-01', '')`
})

const rows: Readonly<Record<string, Old>> = {
  run: { key: `subscription/sub_${"1".repeat(26)}/3/1` },
  link: { key: `payment-link/lnk_1/${id("link")}` },
  hook: { key: `form-hook/hok_1/${id("hook")}`, mode: "sandbox" },
  own: { key: "subscription/their own/1/0", fingerprint: "f" },
  asked: { key: "order-1", fingerprint: "f", dueAt: startAt + 5 },
  paid: { key: `payment-link/lnk_1/${id("paid")}`, status: "paid" }
}

const read = InvoiceStore.use((store) =>
  Effect.map(
    Effect.forEach(Object.keys(rows), (name) => store.find(id(name))),
    (found) =>
      Object.fromEntries(
        found.flatMap((one, index) => {
          if (one._tag === "None") return []
          const { origin, stage, validUntil, dueAt, countedOn } = one.value
          return [[Object.keys(rows)[index]!, { origin, stage, validUntil, dueAt, countedOn }]]
        })
      )
  )
)

type Read = Pick<Invoice, "origin" | "stage" | "validUntil" | "dueAt" | "countedOn">

const link = { kind: "payment-link", id: "lnk_1" } as const
const day = "2026-01-01"
const expected = (valid: (days: number) => number | null): Record<string, Read> => ({
  run: {
    origin: { kind: "subscription", id: `sub_${"1".repeat(26)}`, run: 3, attempt: 1 },
    stage: "waits",
    validUntil: valid(7),
    dueAt: valid(7),
    countedOn: day
  },
  link: { origin: link, stage: "waits", validUntil: valid(1), dueAt: valid(1), countedOn: day },
  hook: {
    origin: { kind: "form-hook", id: "hok_1" },
    stage: "waits",
    validUntil: valid(1),
    dueAt: valid(1),
    countedOn: null
  },
  own: { origin: null, stage: "waits", validUntil: null, dueAt: null, countedOn: day },
  asked: { origin: null, stage: "asked", validUntil: null, dueAt: startAt + 5, countedOn: day },
  paid: { origin: link, stage: "made", validUntil: null, dueAt: null, countedOn: day }
})

const onSqlite = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient | InvoiceStore | Integrity>) => {
  const stores = Stores.layer().pipe(Layer.provide(Layer.merge(box(), Migrations.layer())))
  return Effect.provide(
    program,
    Layer.fresh(stores.pipe(Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" }))))
  )
}

describe("a row of the version before", () => {
  it.effect("is given its origin and its time by the migrations", () =>
    onSqlite(
      Effect.gen(function* () {
        yield* TestClock.setTime(startAt + 60 * dayMs)
        const sql = yield* SqlClient.SqlClient
        const later = ["origin", "making", "valid_until", "counted_on"]
        // SQLite drops no column that an index reads.
        const indexes = yield* sql<{ name: string; text: string }>`
          select name, sql as text from sqlite_master where type = 'index' and tbl_name = 'tolem_invoices'`
        for (const { name, text } of indexes)
          if (later.some((column) => text?.includes(column))) yield* sql`drop index ${sql(name)}`
        for (const column of later) yield* sql`alter table tolem_invoices drop column ${sql(column)}`
        yield* sql`alter table tolem_refunds drop column fingerprint`
        yield* sql`insert into tolem_refunds (id, invoice_id, organization_id, amount, status, created_at, completed_at)
          values ('ref_1', ${id("paid")}, 'org_1', 5, 'failed', ${startAt + 9}, ${startAt + 5})`
        for (const [name, old] of Object.entries(rows)) yield* write(name, old)
        yield* addCreation(sql, yield* makeDialect(sql, {}), {})
        yield* fillCreation(sql, {})
        assert.deepStrictEqual(
          yield* read,
          expected((days) => startAt + (60 + days) * dayMs)
        )
        const [refund] = yield* sql<{ created_at: number }>`select created_at from tolem_refunds`
        assert.strictEqual(refund?.created_at, startAt + 5)
      })
    )
  )

  it.effect("that comes after the migration is filled in by a later one, but is valid without end", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const [name, old] of Object.entries(rows)) yield* write(name, old)
        yield* fillCreation(sql, {})
        assert.deepStrictEqual(
          yield* read,
          expected(() => null)
        )
      })
    )
  )

  it.effect("that was sealed before it could be filled in is nobody's, and asked for or made", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const [name, old] of Object.entries(rows)) yield* write(name, old)
        yield* sql`update tolem_invoices set seal = 'sealed'`
        yield* fillCreation(sql, {})
        const [filled] = yield* sql<{ n: number }>`select count(*) as n from tolem_invoices
          where origin is not null or making is not null or counted_on is not null`
        assert.strictEqual(filled?.n, 0)
        const { run, asked, paid, hook } = yield* read
        assert.deepStrictEqual([run?.origin, run?.stage, run?.countedOn], [null, "asked", day])
        assert.deepStrictEqual([asked?.stage, paid?.stage, hook?.countedOn], ["asked", "made", null])
      })
    )
  )

  it.effect("is not given the run of an invoice that has it", () =>
    onSqlite(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const key = rows["run"]!.key
        yield* write("other", { key: null })
        yield* sql`update tolem_invoices set origin = ${key}`
        yield* write("run", { key })
        yield* fillCreation(sql, {})
        assert.isNull((yield* read)["run"]?.origin)
      })
    )
  )
})
