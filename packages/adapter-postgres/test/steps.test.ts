/** Steps of the schema that read all invoices: what the servers do goes on meanwhile, and a killed run goes on, too. */
import { it } from "@effect/vitest"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import type { PaymentLinkId } from "@tolem/core/value/Ids"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe } from "vitest"
import { fillInPortions } from "../../adapter-sql/src/migrations/0030_filled_creation.ts"
import { settleLinkTotals } from "../../adapter-sql/src/migrations/0038_link_totals.ts"
import { settleInPortions } from "../../adapter-sql/src/migrations/0049_kinds_of_totals.ts"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { blockedBy, clients, heldBefore, older } from "./support/older.ts"
import { ownDatabase } from "./support/stores.ts"

ownDatabase()

const atLink = { origin: { kind: "payment-link", id: "pl_tea" as PaymentLinkId } } as const

const sumsOf = (client: Client) =>
  Effect.promise(async () => {
    const { rows } = await client.query(`select link_id, sum(made)::int as made, sum(held)::int as held
      from tolem_link_totals group by 1`)
    return rows
  })

describe("the step of the sums of links", () => {
  it.live("lets servers create and read while it reads, and goes on where it was killed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options } = yield* older(3, atLink)
        const [holder, blocker, watch] = yield* clients(options, 3)
        if (holder === undefined || blocker === undefined || watch === undefined) return assert.fail("no connections")
        const run = (text: string) => Effect.promise(() => blocker.query(text))
        // All steps before it are committed: who only reads the sums keeps it waiting at its own statement from here.
        const migration = yield* heldBefore(options, holder, 38)
        yield* run("begin")
        yield* run("lock table tolem_link_totals in share mode")
        yield* Effect.promise(() => holder.query("rollback"))
        const pid = yield* blockedBy(blocker, options)
        const { rows: locks } = yield* Effect.promise(() =>
          watch.query(
            `select distinct mode from pg_locks where pid = $1 and relation is not null and granted
              and mode not in ('AccessShareLock', 'RowExclusiveLock')`,
            [pid]
          )
        )
        assert.deepStrictEqual(locks, [], "it has no lock that readers or writers wait for")

        // As a server does that makes an invoice, and lists them.
        const { rows: invoices } = yield* Effect.promise(async () => {
          await watch.query("set lock_timeout = '2s'")
          await watch.query(`insert into tolem_invoices select (json_populate_record(t, '{"id": "inv_new"}')).*
            from tolem_invoices t limit 1`)
          return watch.query("select id from tolem_invoices")
        })
        assert.strictEqual(invoices.length, 4)

        yield* Effect.promise(() => watch.query("select pg_terminate_backend($1)", [pid]))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(Effect.promise(() => migration))))
        yield* run("rollback")
        assert.deepStrictEqual((yield* Postgres.migrate(options)).steps[0], [38, "link_totals"])
        assert.deepStrictEqual(yield* sumsOf(watch), [{ link_id: "pl_tea", made: 4, held: 4 }])
      })
    )
  )

  it.live("leaves sums that are right, and counts what servers of before have made since", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options } = yield* older(2, atLink)
        const [client] = yield* clients(options, 1)
        if (client === undefined) return assert.fail("no connection")
        yield* Postgres.migrate(options)
        const again = Effect.gen(function* () {
          const settle = Effect.flatMap(SqlClient.SqlClient, (sql) => settleLinkTotals(sql, { schema: options.schema }))
          yield* Effect.provide(settle, Layer.fresh(Connection.layer(options)))
          return yield* sumsOf(client)
        })
        assert.deepStrictEqual(yield* again, [{ link_id: "pl_tea", made: 2, held: 2 }])
        // Each in a sum of another server, and one that none has counted.
        yield* Effect.promise(() =>
          client.query("update tolem_link_totals set shard = 7, made = made - 1, held = held - 1")
        )
        assert.deepStrictEqual(yield* again, [{ link_id: "pl_tea", made: 2, held: 2 }])
      })
    )
  )
})

describe("the step that fills in what old servers left empty", () => {
  it.live("changes few rows at once, so that who waits for one of them waits briefly", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options } = yield* older(5)
        const [holder, other] = yield* clients(options, 2)
        if (holder === undefined || other === undefined) return assert.fail("no connections")
        yield* Effect.promise(() => other.query("update tolem_invoices set making = null, seal = null"))
        const naming = { schema: options.schema }
        const sql = Effect.flatMap(SqlClient.SqlClient, (sql) => fillInPortions(sql, naming, 2))
        const connection = Layer.fresh(Connection.layer({ ...options, statementTimeoutMs: 0 }))
        const last = "(select max(id) from tolem_invoices)"
        yield* Effect.promise(() => holder.query("begin"))
        yield* Effect.promise(() => holder.query(`update tolem_invoices set updated_at = 1 where id = ${last}`))
        const filling = Effect.runPromise(Effect.provide(sql, connection))
        yield* blockedBy(holder, options)
        yield* Effect.promise(() => other.query("set lock_timeout = '2s'"))
        const filled = yield* Effect.promise(() =>
          other.query("update tolem_invoices set updated_at = 2 where making is not null returning id")
        )
        assert.strictEqual(filled.rows.length, 4)
        yield* Effect.promise(() => holder.query("commit"))
        yield* Effect.promise(() => filling)
        const left = yield* Effect.promise(() => other.query("select 1 from tolem_invoices where making is null"))
        assert.deepStrictEqual(left.rows, [])
      })
    )
  )
})

describe("the steps that index invoices", () => {
  it.live("let servers look up keys and write invoices while they build", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options } = yield* older(3, atLink)
        const [holder, other] = yield* clients(options, 2)
        if (holder === undefined || other === undefined) return assert.fail("no connections")
        const until = (step: number) =>
          Effect.provide(
            Migrations.migrate({ schema: options.schema }, step),
            Layer.fresh(Connection.layer({ ...options, statementTimeoutMs: 0 }))
          )
        const write = "update tolem_invoices set updated_at = updated_at + 1 where id ="
        yield* Effect.promise(() => other.query("set lock_timeout = '2s'"))
        for (const [before, step] of [
          [41, 42],
          [44, 45],
          [46, 47]
        ] as const) {
          yield* until(before)
          // A commit that has written one of its rows and has others before it: the index waits for its end.
          yield* Effect.promise(() => holder.query("begin"))
          yield* Effect.promise(() => holder.query(`${write} (select min(id) from tolem_invoices)`))
          const building = Effect.runPromise(until(step))
          yield* blockedBy(holder, options)
          const written = yield* Effect.promise(() =>
            other.query(`${write} (select max(id) from tolem_invoices) returning id`)
          )
          assert.strictEqual(written.rows.length, 1)
          yield* Effect.promise(() => other.query("select count(*) from tolem_api_keys"))
          yield* Effect.promise(() => holder.query(`${write} (select max(id) from tolem_invoices)`))
          yield* Effect.promise(() => holder.query("commit"))
          assert.deepStrictEqual(
            (yield* Effect.promise(() => building)).map(([id]) => id),
            [step]
          )
        }
        // What an interrupted building has left is not taken for an index.
        yield* Effect.promise(() =>
          other.query("update pg_index set indisvalid = false where indexrelid = 'tolem_invoices_sums'::regclass")
        )
        yield* Effect.promise(() => other.query("delete from tolem_migrations where migration_id >= 45"))
        yield* until(45)
        const { rows } = yield* Effect.promise(() =>
          other.query("select indisvalid from pg_index where indexrelid = 'tolem_invoices_sums'::regclass")
        )
        assert.deepStrictEqual(rows, [{ indisvalid: true }])
      })
    )
  )
})

/** Counts as a server of the version before kinds does: one invoice of an organization. */
const counting = (organization: string, shard = 0) => `
  insert into tolem_daily_totals as t (organization_id, mode, connection_id, status, day, shard, invoice_count, amount,
    refunded)
  values ('${organization}', 'live', '', 'paid', '2026-03-01', ${shard}, 1, 100, 0)
  on conflict (organization_id, mode, connection_id, status, day, shard) do update set
    invoice_count = t.invoice_count + 1, amount = t.amount + 100 returning 1`

describe("the steps of the kinds of totals", () => {
  const world = Effect.gen(function* () {
    const { options } = yield* older(3)
    const [holder, other] = yield* clients(options, 2)
    if (holder === undefined || other === undefined) return assert.fail("no connections")
    const query = (client: Client, text: string) => Effect.promise(async () => (await client.query(text)).rows)
    const connection = Layer.fresh(Connection.layer({ ...options, statementTimeoutMs: 0 }))
    const until = (step: number) => Effect.provide(Migrations.migrate({ schema: options.schema }, step), connection)
    yield* until(49)
    yield* query(other, "set lock_timeout = '2s'")
    // One invoice of each organization, as it was made and counted before.
    const ids = yield* query(other, "select id from tolem_invoices order by id")
    yield* query(other, "delete from tolem_daily_totals")
    for (const [index, { id }] of ids.entries()) {
      yield* query(
        other,
        `update tolem_invoices set organization_id = 'org_${index}', mode = 'live', connection_id = null, kind = 'qr',
          status = 'paid', amount = 100, refunded = 0, day = '2026-03-01', origin = null where id = '${id}'`
      )
      yield* query(other, counting(`org_${index}`))
    }
    const totals = query(
      other,
      `select organization_id, kind, source, sum(invoice_count)::int as n from tolem_daily_totals
        group by 1, 2, 3 order by 1, 2`
    )
    const told = (organization_id: string) => ({ organization_id, kind: "qr", source: "request", n: 1 })
    return { options, holder, other, query, until, connection, totals, told }
  })

  it.live("let servers count while they index totals and orders", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, holder, other, query, until, totals, told } = yield* world
        // It has counted an invoice and has others before it.
        yield* query(holder, "begin")
        yield* query(holder, counting("org_late"))
        const building = Effect.runPromise(until(50))
        yield* blockedBy(holder, options)
        assert.strictEqual((yield* query(other, counting("org_new"))).length, 1)
        yield* query(holder, counting("org_new", 1))
        yield* query(holder, "rollback")
        assert.deepStrictEqual(
          (yield* Effect.promise(() => building)).map(([id]) => id),
          [50]
        )
        // Of the one that was counted meanwhile there is no invoice.
        assert.deepStrictEqual(yield* totals, ["org_0", "org_1", "org_2"].map(told))
        const indexes = yield* query(
          other,
          `select indexrelid::regclass::text as name from pg_index where indisvalid
            and indexrelid::regclass::text ~ '^tolem_(daily_totals_(day|mixed)|tariff_orders_owner)$' order by 1`
        )
        assert.deepStrictEqual(
          indexes.map(({ name }) => name),
          ["tolem_daily_totals_day", "tolem_daily_totals_mixed", "tolem_tariff_orders_owner"]
        )
      })
    )
  )

  it.live("settle one organization after the other, each by itself", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, holder, other, query, until, connection, totals, told } = yield* world
        yield* query(holder, "begin")
        yield* query(holder, counting("org_1"))
        const settle = Effect.flatMap(SqlClient.SqlClient, (sql) => settleInPortions(sql, { schema: options.schema }))
        const settling = Effect.runPromise(Effect.provide(settle, connection))
        yield* blockedBy(holder, options)
        const unknown = (organization_id: string) => ({ organization_id, kind: null, source: null, n: 1 })
        assert.deepStrictEqual(yield* totals, [told("org_0"), unknown("org_1"), unknown("org_2")])
        for (const organization of ["org_0", "org_2"])
          assert.strictEqual((yield* query(other, counting(organization, 7))).length, 1, "and holds up no other")
        yield* query(other, "delete from tolem_daily_totals where shard = 7")
        yield* query(holder, "rollback")
        yield* Effect.promise(() => settling)
        assert.deepStrictEqual(yield* totals, ["org_0", "org_1", "org_2"].map(told))
        yield* until(50)
        assert.deepStrictEqual(yield* totals, ["org_0", "org_1", "org_2"].map(told), "and finds no more to do")
      })
    )
  )
})
