/** The storage on a real PostgreSQL: its schema, its waits, its hints. */
import { describe, it } from "@effect/vitest"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { HintRelay } from "@tolem/core/work/Hints"
import { changeOf, creationOf, queryOf, startAt } from "@tolem/testing/fixtures"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { Context, Effect, Fiber, Layer, Option, Queue, Redacted, Result, Stream } from "effect"
import { assert } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { box, freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const stores = (options: Postgres.PostgresOptions) => Layer.fresh(Postgres.layer(options)).pipe(Layer.provide(box))
const on = <A, E, R>(options: Postgres.PostgresOptions, program: Effect.Effect<A, E, R>) =>
  Effect.provide(program, stores(options))

/** A connection of another organization. */
const connection = (url: Redacted.Redacted) =>
  Effect.acquireRelease(
    Effect.promise(() => connect(Redacted.value(url))),
    (client) => Effect.promise(() => client.end())
  )

const ask = (client: Client, sql: string, params: ReadonlyArray<unknown> = []) =>
  Effect.promise(async () => (await client.query<Record<string, unknown>>(sql, [...params])).rows)

const total = InvoiceStore.use((store) => Effect.map(store.list(queryOf()), (page) => page.total))
const insert = InvoiceStore.use((store) => store.insertMany([creationOf()]))

describe("the schema", () => {
  it.live("is refused while it is missing or older, and accepted when it is newer", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      const missing = yield* Effect.flip(on(options, total))
      assert(missing._tag === "SchemaOutdated")
      assert.include(missing.pending, "0001_init")
      assert.match(missing.message, /^the database lacks 0001_init, \w+, \w+ and \d+ more: migrate it first$/)
      yield* Postgres.migrate(options)
      const client = yield* connection(options.url)
      const migrations = `${options.schema}.tolem_migrations`
      const [last] = yield* ask(client, `delete from ${migrations} where migration_id > 1 returning migration_id`)
      assert.isDefined(last)
      const older = yield* Effect.flip(on(options, total))
      assert(older._tag === "SchemaOutdated")
      assert.notInclude(older.pending, "0001_init")
      yield* ask(client, `insert into ${migrations} (migration_id, name) values (9999, 'of_a_later_version')`)
      assert.strictEqual(yield* on(options, total), 0)
    }).pipe(Effect.scoped)
  )

  it.live("is made once by many migrators at once", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      const runs = yield* Effect.all(
        Array.from({ length: 4 }, () => Postgres.migrate(options)),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(runs.filter(({ steps }) => steps.length > 0).length, 1)
      assert.isTrue(runs.every(({ searchIndex }) => searchIndex))
      yield* on(options, insert)
    })
  )

  it.live("is opened by many servers at once where the database wants every transaction serializable", () =>
    Effect.gen(function* () {
      const made = yield* Effect.acquireRelease(Effect.promise(createDatabase), ({ drop }) => Effect.promise(drop))
      const options = { url: Redacted.make(made.url) }
      yield* Postgres.migrate(options)
      const name = new URL(made.url).pathname.slice(1)
      yield* Effect.promise(() => made.query(`alter database ${name} set default_transaction_isolation = serializable`))
      yield* Effect.forEach(Array.from({ length: 12 }), () =>
        Effect.promise(() => made.query("delete from tolem_secret_checks")).pipe(
          Effect.andThen(
            Effect.all(
              Array.from({ length: 6 }, () => on(options, total)),
              { concurrency: "unbounded" }
            )
          )
        )
      )
    }).pipe(Effect.scoped)
  )

  it.live("keeps sets of tables apart by schema and by prefix", () =>
    Effect.gen(function* () {
      const first = freshOptions()
      const others = [freshOptions(), { ...first, prefix: "other_" }]
      yield* Effect.forEach([first, ...others], Postgres.migrate)
      yield* on(first, insert)
      assert.deepStrictEqual(yield* Effect.forEach([first, ...others], (each) => on(each, total)), [1, 0, 0])
    })
  )

  it.live("shows people tenge, times and JSON, also where a text is none that the database takes", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const metadata = ['{"a":[1,2]}', '{"nul":"\\u0000"}', null]
      yield* on(
        options,
        InvoiceStore.use((store) => store.insertMany(metadata.map((text) => creationOf({ metadata: text }))))
      )
      const client = yield* connection(options.url)
      const view = (name: string) => `${options.schema}.tolem_${name}_view`
      const rows = yield* ask(
        client,
        `select amount::text, created_at, expires_at - created_at = interval '3 minutes' as window, metadata
         from ${view("invoices")} order by metadata->'a'`
      )
      assert.strictEqual(rows[0]?.["amount"], "1500.00")
      assert.deepStrictEqual(rows[0]?.["created_at"], new Date(startAt))
      assert.deepStrictEqual(
        rows.map((row) => [row["window"], row["metadata"]]),
        [
          [true, { a: [1, 2] }],
          [true, null],
          [true, null]
        ]
      )
      for (const name of ["events", "refunds", "daily_totals", "deliveries", "attempts"]) {
        yield* ask(client, `select * from ${view(name)}`)
      }
    }).pipe(Effect.scoped)
  )
})

describe("the search index", () => {
  it.live("finds parts of words in any script without reading the table", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const found = creationOf({ description: "Екі кофе, бір самса 100%_" })
      yield* on(
        options,
        InvoiceStore.use((store) => store.insertMany([found, ...Array.from({ length: 50 }, () => creationOf())]))
      )
      const search = (text: string) =>
        on(
          options,
          InvoiceStore.use((store) => Effect.map(store.list(queryOf({ search: text })), (page) => page.total))
        )
      assert.strictEqual(yield* search("бір САМ"), 1)
      assert.strictEqual(yield* search("0%_"), 1)
      assert.strictEqual(yield* search("100_"), 0)
      assert.strictEqual(yield* search("самсы"), 0)
      const client = yield* connection(options.url)
      yield* ask(client, "set enable_seqscan = off")
      const plan = yield* ask(
        client,
        `explain select count(*) from ${options.schema}.tolem_invoices where search_text like '%самса%'`
      )
      assert.match(JSON.stringify(plan), /tolem_invoices_search/)
    }).pipe(Effect.scoped)
  )

  it.live("is made anew where building it was interrupted", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const client = yield* connection(options.url)
      const name = `${options.schema}.tolem_invoices_search_keys`
      const isValid = `select indisvalid as valid from pg_index where indexrelid = $1::regclass`
      yield* ask(client, "update pg_index set indisvalid = false where indexrelid = $1::regclass", [name])
      assert.isTrue((yield* Postgres.migrate(options)).searchIndex)
      assert.deepStrictEqual(yield* ask(client, isValid, [name]), [{ valid: true }])
    }).pipe(Effect.scoped)
  )

  it.live("takes the place of the one before it, wherever the change was interrupted", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const client = yield* connection(options.url)
      const [name, earlier] = ["_keys", ""].map((end) => `${options.schema}.tolem_invoices_search${end}`)
      const table = `${options.schema}.tolem_invoices`
      const isLeft = "update pg_index set indisvalid = false where indexrelid = $1::regclass"
      const interruptions = [
        ["before it began", () => ask(client, `drop index ${name}`)],
        ["while the new one was built", () => ask(client, isLeft, [name])],
        ["between the two", () => Effect.void],
        ["while the one before was dropped", () => ask(client, isLeft, [earlier])]
      ] as const
      const there = `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
        where indrelid = $1::regclass and indexrelid::regclass::text like '%search%'`
      for (const [when, interrupt] of interruptions) {
        yield* ask(client, `create index tolem_invoices_search on ${table} using gin (search_text gin_trgm_ops)`)
        yield* interrupt()
        assert.deepStrictEqual(yield* Postgres.migrate(options), { steps: [], searchIndex: true }, when)
        assert.deepStrictEqual(yield* ask(client, there, [table]), [{ name, valid: true }], when)
      }
    }).pipe(Effect.scoped)
  )

  it.live("is done without where the extension cannot be had, and made later", () =>
    Effect.gen(function* () {
      const { url, schema } = freshOptions()
      const client = yield* connection(url)
      const role = `merchant_${schema}`
      yield* ask(client, "drop extension if exists pg_trgm cascade")
      yield* ask(client, `create role ${role} login password 'x'`)
      yield* ask(client, `create schema ${schema} authorization ${role}`)
      const own = new URL(Redacted.value(url))
      own.username = role
      own.password = "x"
      const limited = { url: Redacted.make(own.href), schema }
      const first = yield* Postgres.migrate(limited)
      assert.isAbove(first.steps.length, 0)
      assert.isFalse(first.searchIndex)
      yield* on(limited, insert)
      assert.strictEqual(
        yield* on(
          limited,
          InvoiceStore.use((store) => Effect.map(store.list(queryOf({ search: "inv_" })), (page) => page.total))
        ),
        1
      )
      yield* ask(client, "create extension pg_trgm")
      assert.deepStrictEqual(yield* Postgres.migrate(limited), { steps: [], searchIndex: true })
      yield* ask(client, `drop schema ${schema} cascade`)
      yield* ask(client, `drop owned by ${role}`)
      yield* ask(client, `drop role ${role}`)
    }).pipe(Effect.scoped)
  )
})

describe("a transaction that another one is in the way of", () => {
  it.live("is tried again after a deadlock", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const client = yield* connection(options.url)
      const table = `${options.schema}.tolem_invoices`
      const program = Effect.gen(function* () {
        const store = yield* InvoiceStore
        const [a, b] = [creationOf(), creationOf()]
        yield* store.insertMany([a, b])
        // The other one has the second row and wants the first; ours takes them the other way round. The database gives
        // up ours, since it has waited longer.
        yield* ask(client, "begin")
        yield* ask(client, "set local deadlock_timeout = '1h'")
        yield* ask(client, `select 1 from ${table} where id = $1 for update`, [b.invoice.id])
        const both = store.commitMany([
          changeOf(a.invoice, InvoiceCommand.Cancel()),
          changeOf(b.invoice, InvoiceCommand.Cancel())
        ])
        const ours = yield* Effect.forkChild(both, { startImmediately: true })
        const waiting = ask(client, "select count(*)::int as n from pg_locks where not granted")
        yield* Effect.repeat(waiting, { until: ([row]) => Number(row?.["n"]) > 0 })
        yield* ask(client, `select 1 from ${table} where id = $1 for update`, [a.invoice.id])
        yield* ask(client, "commit")
        const results = yield* Effect.map(Fiber.join(ours), (all) => all.map(Result.isSuccess))
        assert.deepStrictEqual(results, [true, true])
        const { events } = yield* store.history("org_shop", a.invoice.id)
        assert.deepStrictEqual(
          events.map(({ type }) => type),
          ["invoice.created", "invoice.cancelled"]
        )
      })
      yield* on(options, program)
    }).pipe(Effect.scoped)
  )
})

describe("hints", () => {
  const relays = (options: Postgres.PostgresOptions) => Effect.map(Layer.build(stores(options)), Context.get(HintRelay))

  it.live("reach other servers, not oneself, and come again after the connection was cut", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const [first, second] = [yield* relays(options), yield* relays(options)]
      const heard = yield* Queue.unbounded<void>()
      const own = yield* Queue.unbounded<void>()
      yield* Effect.forkScoped(Stream.runForEach(second.received, () => Queue.offer(heard, undefined)))
      yield* Effect.forkScoped(Stream.runForEach(first.received, () => Queue.offer(own, undefined)))
      const toldAndHeard = Effect.andThen(first.publish, Effect.timeoutOption(Queue.take(heard), "200 millis"))
      yield* Effect.repeat(toldAndHeard, { until: Option.isSome })
      const client = yield* connection(options.url)
      const cut = "select count(pg_terminate_backend(pid))::int as n from pg_stat_activity where query ilike 'listen%'"
      assert.isAbove(Number((yield* ask(client, cut))[0]?.["n"]), 0)
      yield* Queue.clear(heard)
      yield* Effect.repeat(toldAndHeard, { until: Option.isSome })
      assert.strictEqual(yield* Queue.size(own), 0)
    }).pipe(Effect.scoped)
  )
})
