/** What people who look into the database themselves are promised, and what its search costs among many invoices. */
import { describe, it } from "@effect/vitest"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import { Tiyn } from "@tolem/core/value/Money"
import { creationOf, paymentLinkOf, queryOf } from "@tolem/testing/fixtures"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import { Effect, Layer, Redacted } from "effect"
import { assert } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { recording, type Sent } from "./support/statements.ts"
import { box, freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const on = <A, E, R>(options: Postgres.PostgresOptions, program: Effect.Effect<A, E, R>) =>
  Effect.provide(program, Layer.fresh(Postgres.layer(options)).pipe(Layer.provide(box)))

const connection = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(() => connect(Redacted.value(url))),
    (client) => Effect.promise(() => client.end())
  )

const ask = (client: Client, sql: string) =>
  Effect.promise(async () => (await client.query<Record<string, unknown>>(sql)).rows)

const insert = (...creations: ReadonlyArray<ReturnType<typeof creationOf>>) =>
  InvoiceStore.use((store) => store.insertMany(creations))

/** `count` copies of one invoice, which share nothing with each other that could be searched for. */
const copies = (table: string, count: number) => `
  insert into ${table}
  select (jsonb_populate_record(i, jsonb_build_object(
    'id', 'copy_' || n, 'search_text', md5(n::text), 'idempotency_key', null, 'created_at', i.created_at - n
  ))).* from ${table} i, generate_series(1, ${count}) n where i.id = (select min(id) from ${table})`

describe("the views", () => {
  it.live("have amounts, instants and documents of the database's own types", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const client = yield* connection(options.url)
      const types = yield* ask(
        client,
        `select column_name as name, data_type as type from information_schema.columns
         where table_schema = '${options.schema}' and table_name = 'tolem_invoices_view'`
      )
      const typeOf = new Map(types.map(({ name, type }) => [name, type]))
      assert.strictEqual(typeOf.get("amount"), "numeric")
      assert.strictEqual(typeOf.get("created_at"), "timestamp with time zone")
      assert.strictEqual(typeOf.get("metadata"), "jsonb")
      const link = paymentLinkOf({ amount: Tiyn(150_050) })
      yield* on(
        options,
        PaymentLinkStore.use((store) => store.add(link, 1))
      )
      const view = `${options.schema}.tolem_payment_links_view`
      const links = yield* ask(client, `select amount::text, created_at::text <> '' as dated, removed_at from ${view}`)
      assert.deepStrictEqual(links, [{ amount: "1500.50", dated: true, removed_at: null }])
    }).pipe(Effect.scoped)
  )

  it.live("answer all rows where the documents of some cannot be read", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      // As deep as sixteen kilobytes allow.
      const deep = `{"a":${"[".repeat(8_180)}${"]".repeat(8_180)}}`
      const fine = [deep, '{"a":"\\u0001"}', '{"a":1e100000}'].map((metadata) => creationOf({ metadata }))
      const odd = ['{"a":"\\u0000"}', '{"a":"\\ud800"}', '{"a":1e999999}'].map((metadata) => creationOf({ metadata }))
      yield* on(options, insert(...fine, ...odd))
      const client = yield* connection(options.url)
      const view = `${options.schema}.tolem_invoices_view`
      const readable = yield* ask(client, `select id from ${view} where jsonb_typeof(metadata) = 'object'`)
      const idsOf = (creations: typeof fine) => creations.map(({ invoice }) => invoice.id).toSorted()
      assert.deepStrictEqual(readable.map(({ id }) => String(id)).toSorted(), idsOf(fine))
      const unreadable = yield* ask(client, `select id from ${view} where metadata is null`)
      assert.deepStrictEqual(unreadable.map(({ id }) => String(id)).toSorted(), idsOf(odd))
    }).pipe(Effect.scoped)
  )
})

describe("a search among many invoices", () => {
  it.live("goes through the index by itself", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const client = yield* connection(options.url)
      const table = `${options.schema}.tolem_invoices`
      yield* on(options, insert(creationOf({ description: "Екі кофе, бір самса" })))
      yield* ask(client, copies(table, 20_000))
      yield* ask(client, `vacuum analyze ${table}`)
      const page = yield* on(
        options,
        InvoiceStore.use((store) => store.list(queryOf({ search: "САМСА" })))
      )
      assert.strictEqual(page.total, 1)
      assert.strictEqual(page.invoices[0]?.description, "Екі кофе, бір самса")
      // The session that searched has ended, so the database soon counts what it has read.
      const scans = `select idx_scan::int as n from pg_stat_all_indexes
        where schemaname = '${options.schema}' and indexrelname = 'tolem_invoices_search_keys'`
      yield* Effect.repeat(ask(client, scans), { until: ([row]) => Number(row?.["n"]) > 0 })
      const plan = yield* ask(client, `explain select count(*) from ${table} where search_text like '%самса%'`)
      assert.match(JSON.stringify(plan), /Bitmap Index Scan on tolem_invoices_search_keys/)
    }).pipe(Effect.scoped)
  )

  it.live("finds a long number by each of its parts, wherever they begin", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      yield* on(options, insert(...numbers.map((externalOrderId) => creationOf({ externalOrderId }))))
      const found = yield* on(
        options,
        InvoiceStore.use((store) =>
          Effect.forEach(numbers.flatMap(partsOf), (search) =>
            Effect.map(store.list(queryOf({ search })), ({ invoices }) => ({
              search,
              found: invoices.map(({ externalOrderId }) => externalOrderId).toSorted()
            }))
          )
        )
      )
      assert.isAbove(found.length, 100)
      const wanted = found.map(({ search }) => ({
        search,
        found: numbers.filter((text) => text.toLowerCase().includes(search)).toSorted()
      }))
      assert.deepStrictEqual(found, wanted)
    }).pipe(Effect.scoped)
  )

  it.live("has the keys of long words of digits and Latin letters only", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const client = yield* connection(options.url)
      const count = (text: string) => `cardinality(${options.schema}.tolem_search_keys('${text}'))`
      const texts = ["1234567890", "12345678901234", "123456789012345", "short 123456789", "Заказ-номер", ""]
      const [counts] = yield* ask(client, `select array[${texts.map(count).join(", ")}] as counts`)
      assert.deepStrictEqual(counts, { counts: [1, 1, 2, 0, 0, 0] })
    }).pipe(Effect.scoped)
  )

  it.live("answers what has the part, and not what only has the same keys", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const client = yield* connection(options.url)
      const table = `${options.schema}.tolem_invoices`
      const [plain, similar, within, cyrillic] = [
        "ORD-9F3B1C77D2",
        "ORD-9F3B1C77D3",
        "X9F3B1C77D2Y-1",
        "заказ9F3B1C77D2"
      ] as const
      const orders = [plain, similar, within, cyrillic]
      yield* on(options, insert(...orders.map((externalOrderId) => creationOf({ externalOrderId }))))
      yield* ask(client, copies(table, 2_000))
      yield* ask(client, `vacuum analyze ${table}`)
      const sent: Array<Sent> = []
      const found = (search: string) =>
        on(
          options,
          InvoiceStore.use((store) =>
            Effect.map(store.list(queryOf({ search })), ({ invoices }) =>
              invoices.map(({ externalOrderId }) => externalOrderId).toSorted()
            )
          ).pipe(Effect.provide(recording("search_keys", sent)))
        )
      assert.deepStrictEqual(yield* found("9f3b1c77d2"), [plain, within, cyrillic].toSorted())
      assert.deepStrictEqual(yield* found("ORD-9F3B1C77D"), [plain, similar].toSorted())
      assert.deepStrictEqual(yield* found("9f3b1c77d4"), [])
      assert.lengthOf(sent, 2)
      for (const [sql, params] of sent) {
        const plan = yield* Effect.promise(() => client.query(`explain ${sql}`, [...params]))
        assert.lengthOf(sql.match(/search_text like/g) ?? [], 2)
        assert.match(JSON.stringify(plan.rows), /Index Cond: [^"]*tolem_search_keys[^"]* && [^"]*search_text ~~/, sql)
      }
    }).pipe(Effect.scoped)
  )
})

/** Numbers, and what has other letters beside them. */
const numbers = [
  "01KB5WJGFPZV0EYQ4CRV23603Z",
  "ORD-CFCD208495",
  "77817218940",
  "12345678",
  "№ 2026-000123456789/7700-1234567x",
  "заказ20261129001234тенге shop2026order00001234"
]

/** Parts of nine to twelve characters of what stands between a text's blanks, and those of all of it. */
const partsOf = (text: string): ReadonlyArray<string> =>
  text
    .toLowerCase()
    .split(" ")
    .flatMap((word) =>
      [9, 10, 11, 12, word.length].flatMap((length) =>
        Array.from({ length: Math.max(0, word.length - length + 1) }, (_, from) => word.slice(from, from + length))
      )
    )
