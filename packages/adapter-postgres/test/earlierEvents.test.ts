/** A database that is older than the feed: its events come first, and nobody who writes waits while they are noted. */
import { it } from "@effect/vitest"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import { beginning } from "@tolem/core/feed/Cursor"
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf, freshId } from "@tolem/testing/fixtures"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import { Effect, Layer, Redacted } from "effect"
import { assert, describe } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { box, freshOptions, type OwnOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const organizationId = "org_shop"

/** Connections to the schema, closed with the scope. */
const clients = ({ url, schema }: OwnOptions, count: number) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const client = await connect(Redacted.value(url))
          await client.query(`set search_path to ${schema}`)
          return client
        })
      )
    ),
    (all) => Effect.promise(() => Promise.all(all.map((client) => client.end())))
  )

/** Events of the feed from its beginning. */
const told = Effect.gen(function* () {
  const feed = yield* FeedStore
  while (yield* feed.place(organizationId, 2)) {}
  const start = { after: beginning }
  const shop = { organizationId, mode: "sandbox", connectionId: null } as const
  const { entries } = yield* feed.read({ ...shop, start, types: [], limit: 100, lookAt: 100 })
  return entries.map(({ event }) => event.id)
})

const stores = (options: OwnOptions) => Layer.fresh(Layer.provide(Postgres.layer(options), box))

/** A schema of the version before the feed, with invoices; each has one event. */
const older = Effect.fnUntraced(function* (count: number) {
  const [full, old] = [freshOptions(), freshOptions()]
  yield* Postgres.migrate(full)
  const creations = Array.from({ length: count }, (_, index) => creationOf({ createdAt: 1_000_000 - index }))
  yield* Effect.provide(
    InvoiceStore.use((store) => store.insertMany(creations)),
    stores(full)
  )
  const [client] = yield* clients(old, 1)
  const schema = Migrations.migrate({ schema: old.schema }, 18)
  yield* Effect.promise(async () => void (await client?.query(`create schema ${old.schema}`)))
  yield* Effect.provide(schema, Connection.layer({ ...old, statementTimeoutMs: 0 }))
  for (const table of ["tolem_invoices", "tolem_events"]) {
    yield* Effect.promise(async () => {
      const into = `${old.schema}.${table}`
      await client?.query(`insert into ${into} select (json_populate_record(null::${into}, row_to_json(t))).*
        from ${full.schema}.${table} t`)
    })
  }
  // The last of the list was made first.
  return { options: old, ids: creations.map(({ event }) => event.id).toReversed() }
})

/** Writes one more event of an invoice, as a server of any version does. */
const write = async (client: Client) => {
  const id = freshId("evt")
  await client.query(
    `insert into tolem_events select (json_populate_record(e, json_build_object('id', $1::text,
    'sequence', 2, 'created_at', 1))).* from tolem_events e order by created_at, invoice_id limit 1`,
    [id]
  )
  return id
}

describe("a database that is older than the feed", () => {
  it.live("has its events in the feed before those that came while they were noted, and each once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, ids } = yield* older(5)
        yield* Effect.provide(
          Migrations.migrate({ schema: options.schema }, Migrations.lockingUntil),
          Connection.layer({ ...options, statementTimeoutMs: 0 })
        )
        const [client] = yield* clients(options, 1)
        const late = yield* Effect.promise(() => write(client!))
        yield* Effect.provide(
          Migrations.migrate({ schema: options.schema }, 30),
          Connection.layer({ ...options, statementTimeoutMs: 0 })
        )
        // A database that has the step from elsewhere, and all of its events, gets none again.
        yield* Effect.promise(() => client!.query("delete from tolem_migrations where migration_id >= 29"))
        const { steps } = yield* Postgres.migrate(options)
        assert.deepStrictEqual(steps[0], [29, "earlier_events"])
        assert.deepStrictEqual(yield* Effect.provide(told, stores(options)), [...ids, late])
      })
    )
  )

  it.live("can be written to while its earlier events are noted", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options } = yield* older(1)
        const [first, second, third] = yield* clients(options, 3)
        if (first === undefined || second === undefined || third === undefined) return assert.fail("no connections")
        const waiting = (count: number) =>
          Effect.promise(async () => {
            const asked = `select count(*)::int as waits from pg_locks
              where not granted and relation = '${options.schema}.tolem_migrations'::regclass`
            while ((await third.query(asked)).rows[0]?.["waits"] !== count) {}
          })
        // The migration waits for the first, the second for the migration: so it has its turn between two runs.
        const hold = "lock table tolem_migrations in access share mode"
        yield* Effect.promise(() => first.query("begin").then(() => first.query(hold)))
        const migration = Effect.runPromise(Postgres.migrate(options))
        yield* waiting(1)
        yield* Effect.promise(() => second.query("begin"))
        const turn = second.query(hold)
        yield* waiting(2)
        yield* Effect.promise(() => first.query("commit"))
        yield* Effect.promise(() => turn)
        const newest = yield* Effect.promise(() =>
          second.query("select max(migration_id) as newest from tolem_migrations")
        )
        assert.strictEqual(newest.rows[0]?.["newest"], Migrations.lockingUntil)
        yield* Effect.promise(() => third.query("set lock_timeout = '5s'"))
        yield* Effect.promise(() => write(third))
        yield* Effect.promise(() => second.query("commit"))
        const { steps } = yield* Effect.promise(() => migration)
        assert.deepInclude(steps, [29, "earlier_events"])
        assert.strictEqual((yield* Effect.provide(told, stores(options))).length, 2)
      })
    )
  )
})
