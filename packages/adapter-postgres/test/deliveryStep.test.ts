/** The step that keeps deliveries by months, while servers of the version before write and read. */
import { it } from "@effect/vitest"
import { Integrity } from "@tolem/core/engine/Integrity"
import { Effect } from "effect"
import { assert, describe } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import {
  addPlaced,
  deliveryColumns as columns,
  day,
  monthOf,
  partOf,
  partsOf,
  query,
  deliveryRow as rowOf,
  tending,
  until
} from "./support/months.ts"
import { blockedBy, clients, stores } from "./support/older.ts"
import { freshOptions, type OwnOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const table = "tolem_deliveries"
const [earlier, rest] = [`${table}_before`, `${table}_default`]

/** A schema of the version before, with deliveries, one of twenty on its way. */
const before = Effect.fnUntraced(function* (count: number) {
  const options = freshOptions()
  const [client, ...others] = yield* clients(options, 4)
  if (client === undefined) return assert.fail("no connection")
  yield* query(client, `create schema ${options.schema}`)
  yield* until(options, 103)
  const old = (status: string, which: string) =>
    query(
      client,
      `insert into ${table} (${columns})
        select ${rowOf("'old_' || lpad(n::text, 6, '0')", status, `${Date.now()} - n * 1000`)}
        from generate_series(1, ${count}) n where ${which}`
    )
  yield* old("delivered", "n % 20 > 0")
  yield* old("pending", "n % 20 = 0")
  return { options, client, others }
})

const findings = (options: OwnOptions) =>
  Effect.provide(
    Integrity.use((integrity) => integrity.findings),
    stores(options)
  )

describe("the step of the months of deliveries", () => {
  it.live("finds those of before where they are, and lets servers write and read all the time", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, others } = yield* before(20_000)
        const [writer, reader, holder] = others
        if (writer === undefined || reader === undefined || holder === undefined) return assert.fail("no connections")
        const files = (of: string) =>
          query(
            client,
            `select c.relfilenode::int as file from pg_index x join pg_class c on c.oid = x.indexrelid
              where x.indrelid = '${of}'::regclass and pg_get_indexdef(c.oid) not like '%created_at%' order by 1`
          )
        const built = yield* files(table)
        for (const each of [writer, reader]) yield* query(each, "set lock_timeout = '2s'")
        // As a server of the version before adds one, claims and settles it.
        yield* query(
          writer,
          `prepare added (text, bigint) as insert into ${table} (${columns}) values (${rowOf("$1", "pending", "$2")});
           prepare claimed (text) as update ${table} set lease = 'x', starts = starts + 1 where id = any(array[$1]);
           prepare settled (text, bigint) as update ${table} as d set status = 'delivered', starts = 0, lease = null,
             completed_at = $2 where d.id = $1 and d.lease = 'x'`
        )
        let isOver = false
        let written = 0
        const writing = (async () => {
          while (!isOver) {
            const id = `new_${++written}`
            await writer.query(`execute added ('${id}', ${Date.now()})`)
            await writer.query(`execute claimed ('${id}')`)
            await writer.query(`execute settled ('${id}', ${Date.now()})`)
          }
        })()
        const reading = (async () => {
          await reader.query(
            `prepare looked as select v.* from ${table}_view v join ${table} t using (id) where id = 'old_000007'`
          )
          while (!isOver) assert.lengthOf((await reader.query("execute looked")).rows, 1)
        })()
        // Another reads for long, as a dump does: the step lets others pass as long as it has to wait.
        yield* query(holder, "begin")
        yield* query(holder, `select count(*) from ${table}_view`)
        const migration = Effect.runPromise(Postgres.migrate(options))
        yield* blockedBy(holder, options)
        const soFar = written
        yield* Effect.promise(async () => {
          while (written < soFar + 50) await client.query("select 1")
        })
        yield* query(holder, "rollback")
        const { steps } = yield* Effect.promise(() => migration)
        assert.deepStrictEqual(steps[0], [104, "delivery_months"])
        const then = written
        yield* Effect.promise(async () => {
          while (written < then + 50) await client.query("select 1")
          isOver = true
          await Promise.all([writing, reading])
        })
        const all = yield* query(
          client,
          `select tableoid::regclass::text as part, count(*)::int as n, sum(starts)::int as starts
            from ${table} group by 1`
        )
        assert.deepStrictEqual(all, [{ part: earlier, n: 20_000 + written, starts: 0 }])
        assert.deepStrictEqual(yield* files(earlier), built, "no index was built anew")
        const whole = yield* query(
          client,
          `select 1 from pg_index
          where indrelid = '${table}'::regclass and pg_get_indexdef(indexrelid) not like '%created_at%'`
        )
        assert.lengthOf(whole, built.length - 1, "the whole has the same ones, but for the key")
        const seen = yield* query(client, `select status from ${table}_view where id = 'old_000001'`)
        assert.deepStrictEqual(seen, [{ status: "delivered" }], "people see them, too")
        assert.deepStrictEqual(
          yield* query(client, "select 1 from pg_constraint where conname = 'deliveries_before'"),
          []
        )
        const told = yield* findings(options)
        assert.deepStrictEqual(
          told.filter(({ rule }) => rule === "indexes_are_there"),
          []
        )
      })
    )
  )

  it.live("goes on where it was killed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client } = yield* before(40)
        const near = new Date(Date.now() + 3_600_000).toISOString()
        yield* query(
          client,
          `alter table ${table} add column placed_at timestamptz not null default now();
           alter table ${table} add constraint deliveries_before check (placed_at < '${near}') not valid`
        )
        yield* Postgres.migrate(options)
        assert.deepStrictEqual([...new Set((yield* partsOf(client, table, "id")).map(({ part }) => part))], [earlier])
        // The instant of the check had come near, so that it was moved.
        const soon = monthOf(Date.now() + 31 * day)
        yield* addPlaced(client, "soon", soon, soon)
        assert.deepInclude(yield* partsOf(client, table, "id"), { id: "soon", part: earlier })
        yield* tending(options, soon)
        const later = monthOf(soon, 1)
        yield* addPlaced(client, "later", later, later)
        assert.deepInclude(yield* partsOf(client, table, "id"), { id: "later", part: partOf(table, later) })
      })
    )
  )

  it.live("divides by months of UTC, however those who run it write instants", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client } = yield* before(1)
        const [{ name } = { name: "" }] = yield* query(client, "select current_database() as name")
        const usual = (setting: string) => query(client, `alter database ${name} ${setting}`)
        yield* usual("set datestyle = 'SQL, DMY'")
        yield* usual("set timezone = 'Asia/Kolkata'")
        yield* Effect.ensuring(
          Postgres.migrate(options),
          Effect.andThen(usual("reset datestyle"), usual("reset timezone"))
        )
        const soon = Date.now() + 31 * day
        yield* tending(options, soon)
        const later = monthOf(soon, 1)
        for (const [id, at] of [
          ["a", later - 1],
          ["b", later]
        ] as const) {
          yield* addPlaced(client, id, at, at)
        }
        const [one, two] = yield* partsOf(client, table, "id")
        assert.deepStrictEqual([one?.["part"], two?.["part"]], [earlier, partOf(table, later)])
      })
    )
  )

  it.live("grants what takes the table's place to those who had it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client } = yield* before(1)
        const rights = (name: string) =>
          query(
            client,
            `select p.privilege_type as verb from pg_class c cross join lateral aclexplode(c.relacl) p
              where c.oid = '${name}'::regclass and p.grantee = 0 order by 1`
          )
        yield* query(client, `grant select, delete on ${table} to public`)
        const had = yield* rights(table)
        yield* Postgres.migrate(options)
        assert.deepStrictEqual(had, [{ verb: "DELETE" }, { verb: "SELECT" }])
        for (const name of [table, earlier, rest]) assert.deepStrictEqual(yield* rights(name), had)
      })
    )
  )
})
