/** A database that is older than the feed: its events come first, and nobody who writes waits while they are noted. */
import { it } from "@effect/vitest"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import { beginning } from "@tolem/core/feed/Cursor"
import { FeedStore } from "@tolem/core/feed/FeedStore"
import { freshId } from "@tolem/testing/fixtures"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect } from "effect"
import { assert, describe } from "vitest"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { clients, heldBefore, older, stores } from "./support/older.ts"
import { ownDatabase } from "./support/stores.ts"

ownDatabase()

const organizationId = "org_shop"

/** Events of the feed from its beginning. */
const told = Effect.gen(function* () {
  const feed = yield* FeedStore
  while (yield* feed.place(organizationId, 2)) {}
  const start = { after: beginning }
  const shop = { organizationId, mode: "sandbox", connectionId: null } as const
  const { entries } = yield* feed.read({ ...shop, start, types: [], limit: 100, lookAt: 100 })
  return entries.map(({ event }) => event.id)
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
          Migrations.migrate({ schema: options.schema }, 24),
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
        const [holder, writer] = yield* clients(options, 2)
        if (holder === undefined || writer === undefined) return assert.fail("no connections")
        const migration = yield* heldBefore(options, holder, 29)
        yield* Effect.promise(() => writer.query("set lock_timeout = '5s'"))
        yield* Effect.promise(() => write(writer))
        const newest = yield* Effect.promise(() =>
          writer.query("select max(migration_id) as newest from tolem_migrations")
        )
        assert.strictEqual(newest.rows[0]?.["newest"], 24)
        yield* Effect.promise(() => holder.query("rollback"))
        const { steps } = yield* Effect.promise(() => migration)
        assert.deepInclude(steps, [29, "earlier_events"])
        assert.strictEqual((yield* Effect.provide(told, stores(options))).length, 2)
      })
    )
  )
})
