/** Attempts by months: how they come to be so while servers of the version before write, and how months come and go. */
import { it } from "@effect/vitest"
import { Integrity } from "@tolem/core/engine/Integrity"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect } from "effect"
import { assert, describe } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { day, monthOf, partNames, partOf, partsOf, query, tending, until } from "./support/months.ts"
import { blockedBy, clients, stores } from "./support/older.ts"
import { freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const columns =
  "delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status, response_body"
const insert = `insert into tolem_attempts (${columns})`
/** As one server writes one attempt after the other: prepared once. */
const prepared = `prepare written (text, bigint) as ${insert} values ($1, 1, $2, 5, 'http://x', '{}', '{}', 200, 'ok')`

const table = "tolem_attempts"
/** The part of each attempt. */
const parts = (client: Client) => partsOf(client, table, "delivery_id")
const names = (client: Client) => partNames(client, table)
const nameOf = (at: number) => partOf(table, at)

/** A schema of the version before, with attempts. */
const before = Effect.fnUntraced(function* (count: number) {
  const options = freshOptions()
  const [client, ...others] = yield* clients(options, 4)
  if (client === undefined) return assert.fail("no connection")
  yield* query(client, `create schema ${options.schema}`)
  yield* until(options, 58)
  yield* query(
    client,
    `${insert} select 'old_' || lpad(n::text, 6, '0'), 1, ${Date.now()} - n * 1000, 5, 'http://x', '{}', '{"a":1}',
        200, 'ok'
      from generate_series(1, ${count}) n`
  )
  return { options, client, others }
})

/** A schema of this version whose months are those of a year ago, as they would be by then. */
const aged = Effect.gen(function* () {
  const options = freshOptions()
  yield* Postgres.migrate(options)
  const [client, other] = yield* clients(options, 2)
  if (client === undefined || other === undefined) return assert.fail("no connections")
  const now = Date.now()
  const [first, second, third] = [monthOf(now, -12), monthOf(now, -11), monthOf(now, -10)]
  const alter = `alter table ${table}`
  yield* query(
    client,
    `${alter} detach partition tolem_attempts_before;
     ${alter} attach partition tolem_attempts_before for values from (minvalue) to (${first})`
  )
  const ends = [
    [first, second],
    [second, third]
  ] as const
  for (const [low, high] of ends) {
    yield* query(
      client,
      `create table ${nameOf(low)} partition of tolem_attempts (primary key (delivery_id, number))
        for values from (${low}) to (${high})`
    )
  }
  for (const [id, at] of [
    ["earlier", first - 1],
    ["first", first],
    ["last", second - 1],
    ["next", second],
    ["rest", third]
  ]) {
    yield* query(client, `${insert} values ('${id}', 1, ${at}, 5, 'http://x', '{}', '{}', 200, 'ok')`)
  }
  return { options, client, other, now, first, second, third }
})

const ids = (client: Client) => Effect.map(parts(client), (rows) => rows.map(({ id }) => String(id)))

describe("the step of the months", () => {
  it.live("finds attempts of before where they are, and lets servers write and read all the time", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, others } = yield* before(20_000)
        const [writer, reader, holder] = others
        if (writer === undefined || reader === undefined || holder === undefined) return assert.fail("no connections")
        for (const each of [writer, reader]) yield* query(each, "set lock_timeout = '2s'")
        yield* query(writer, prepared)
        let isOver = false
        let written = 0
        const writing = (async () => {
          while (!isOver) await writer.query(`execute written ('new_${++written}', ${Date.now()})`)
        })()
        const reading = (async () => {
          await reader.query(
            `prepare looked as select v.* from tolem_attempts_view v join tolem_attempts t using (delivery_id)
              where delivery_id = 'old_000007'`
          )
          while (!isOver) assert.lengthOf((await reader.query("execute looked")).rows, 1)
        })()
        // Another reads for long, as a dump does: the step lets others pass as long as it has to wait.
        yield* query(holder, "begin")
        yield* query(holder, "select count(*) from tolem_attempts_view")
        const migration = Effect.runPromise(Postgres.migrate(options))
        yield* blockedBy(holder, options)
        const soFar = written
        yield* Effect.promise(async () => {
          while (written < soFar + 50) await client.query("select 1")
        })
        yield* query(holder, "rollback")
        const { steps } = yield* Effect.promise(() => migration)
        assert.deepStrictEqual(steps[0], [70, "attempt_months"])
        const then = written
        yield* Effect.promise(async () => {
          while (written < then + 50) await client.query("select 1")
          isOver = true
          await Promise.all([writing, reading])
        })
        const [counted] = yield* query(client, "select count(*)::int as n from tolem_attempts")
        assert.deepStrictEqual(counted, { n: 20_000 + written })
        const all = yield* query(client, "select count(*)::int as n from tolem_attempts_before")
        assert.deepStrictEqual(all, [counted], "they are in the part of before")
        const seen = yield* query(
          client,
          "select request_body->>'a' as a from tolem_attempts_view where delivery_id = 'old_000001'"
        )
        assert.deepStrictEqual(seen, [{ a: "1" }], "people see them, too")
        const left = yield* query(client, "select 1 from pg_constraint where conname = 'attempts_before'")
        assert.deepStrictEqual(left, [])
        const told = yield* Effect.provide(
          Integrity.use(({ findings }) => findings),
          stores(options)
        )
        assert.deepStrictEqual(
          told.filter(({ rule }) => rule === "indexes_are_there"),
          []
        )
      })
    )
  )

  it.live.each([1, 13])("goes on where it was killed, and moves a bound that has come near, days: %i", (days) =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client } = yield* before(3)
        const near = Date.now() + days * day
        yield* query(
          client,
          `alter table tolem_attempts add constraint attempts_before check (started_at < ${near}) not valid`
        )
        yield* Postgres.migrate(options)
        yield* query(client, `${insert} values ('new', 1, ${near + day}, 5, 'http://x', '{}', '{}', 200, 'ok')`)
        const [found] = (yield* parts(client)).filter(({ id }) => id === "new")
        assert.deepStrictEqual(found, { id: "new", part: "tolem_attempts_before" })
        assert.lengthOf(yield* parts(client), 4)
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
        yield* query(client, "grant select, delete on tolem_attempts to public")
        const had = yield* rights("tolem_attempts")
        yield* Postgres.migrate(options)
        assert.deepStrictEqual(had, [{ verb: "DELETE" }, { verb: "SELECT" }])
        for (const name of ["", "_before", "_default"])
          assert.deepStrictEqual(yield* rights(`tolem_attempts${name}`), had)
      })
    )
  )
})

describe("months", () => {
  it.live("are made before they begin, once, however many servers ask, and take what began in them", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const [client] = yield* clients(options, 1)
        if (client === undefined) return assert.fail("no connection")
        const soon = Date.now() + 31 * day
        const [first, second] = [monthOf(soon, 1), monthOf(soon, 2)]
        yield* Effect.all(
          [1, 2, 3].map(() => tending(options, soon)),
          { concurrency: "unbounded" }
        )
        yield* tending(options, soon)
        const expected = ["tolem_attempts_before", "tolem_attempts_default", nameOf(first), nameOf(second)]
        assert.deepStrictEqual(yield* names(client), expected.toSorted())
        for (const [id, at] of [
          ["a", first - 1],
          ["b", first],
          ["c", second - 1],
          ["d", second],
          ["e", monthOf(soon, 3)]
        ]) {
          yield* query(client, `${insert} values ('${id}', 1, ${at}, 5, 'http://x', '{}', '{}', 200, 'ok')`)
        }
        const found = (yield* parts(client)).map(({ part }) => part)
        const [past, rest] = ["tolem_attempts_before", "tolem_attempts_default"]
        assert.deepStrictEqual(found, [past, nameOf(first), nameOf(first), nameOf(second), rest])
        // A clock that is years ahead makes no months there.
        yield* tending(options, soon + 4000 * day)
        assert.deepStrictEqual(yield* names(client), expected.toSorted())
      })
    )
  )

  it.live("take what has begun in them before they were made, unless it is too much to be moved", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const [client] = yield* clients(options, 1)
        if (client === undefined) return assert.fail("no connection")
        const soon = Date.now() + 31 * day
        const late = monthOf(soon, 2)
        const many = (from: number, to: number) =>
          query(
            client,
            `${insert} select 'd_' || n, 1, ${late} + n, 5, 'http://x', '{}', '{}', 200, 'ok'
              from generate_series(${from}, ${to}) n`
          )
        const counts = query(
          client,
          "select tableoid::regclass::text as part, count(*)::int as n from tolem_attempts group by 1"
        )
        yield* many(1, 10_001)
        yield* tending(options, soon)
        assert.deepStrictEqual(yield* counts, [{ part: "tolem_attempts_default", n: 10_001 }])
        yield* query(client, "delete from tolem_attempts where delivery_id = 'd_1'")
        yield* tending(options, soon)
        assert.deepStrictEqual(yield* counts, [{ part: nameOf(late), n: 10_000 }])
      })
    )
  )

  it.live("have their pages checked, each part's", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, first } = yield* aged
        yield* query(client, "create extension if not exists amcheck schema public")
        const told = Effect.provide(
          Effect.map(
            Integrity.use(({ report }) => report),
            ({ findings, notices }) => [
              ...notices,
              ...findings.flatMap(({ rule, subject }) => (rule === "pages_are_whole" ? [subject] : []))
            ]
          ),
          stores(options)
        )
        assert.deepStrictEqual(yield* told, [])
        // A row of which an index knows nothing.
        const index = `${nameOf(first)}_pkey`
        const ready = (is: boolean) =>
          query(client, `update pg_index set indisready = ${is} where indexrelid = '${index}'::regclass`)
        yield* ready(false)
        yield* query(client, `${insert} values ('lost', 1, ${first}, 5, 'http://x', '{}', '{}', 200, 'ok')`)
        yield* ready(true)
        assert.deepStrictEqual(yield* told, [`${options.schema}.${index}`])
        yield* query(client, "drop extension amcheck")
      })
    )
  )

  it.live("are made and dropped for those alone who may delete attempts", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, second } = yield* aged
        yield* query(client, `grant usage on schema ${options.schema} to public`)
        yield* query(client, "set session authorization pg_monitor")
        for (const call of [`tolem_attempts_room(${second})`, `tolem_attempts_forget(${second})`]) {
          const refused = yield* Effect.flip(Effect.tryPromise(() => client.query(`select ${call}`)))
          assert.match(String(refused.cause), /takes the right to delete attempts/)
        }
        yield* query(client, "reset session authorization")
        assert.deepStrictEqual(yield* ids(client), ["earlier", "first", "last", "next", "rest"])
      })
    )
  )

  it.live("are dropped when all in them began before the instant, and not a millisecond earlier", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, now, second, third } = yield* aged
        yield* tending(options, now, { attempts: second - 1 })
        assert.deepStrictEqual(yield* ids(client), ["earlier", "first", "last", "next", "rest"])
        yield* tending(options, now, { attempts: second })
        assert.deepStrictEqual(yield* ids(client), ["earlier", "next", "rest"])
        const noted = query(client, "select ended_before as n from tolem_removals where kind = 'attempts'")
        assert.deepStrictEqual(yield* noted, [{ n: String(second) }], "the checks know")
        const forgotten = Effect.provide(
          WebhookStore.use((store) => store.forgetAttempts(third + 1, 9)),
          stores(options)
        )
        assert.strictEqual(yield* forgotten, 2, "one by one go those outside of months")
        assert.deepStrictEqual(yield* ids(client), ["next"])
        yield* tending(options, now)
        assert.deepStrictEqual(yield* ids(client), ["next"], "and none where attempts are kept for ever")
        // However far ahead a server's clock is, months that have not ended stay.
        yield* tending(options, now, { attempts: now + 4000 * day })
        assert.deepStrictEqual(yield* ids(client), [])
        assert.include(yield* names(client), nameOf(monthOf(now + 31 * day, 1)))
      })
    )
  )

  it.live("stay for as long as another reads them, who keeps none waiting, and go after that", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, other, now, second } = yield* aged
        yield* query(other, "begin isolation level repeatable read")
        yield* query(other, "lock table tolem_attempts in access share mode")
        yield* tending(options, now, { attempts: second })
        assert.include(yield* ids(other), "first", "what is read at one moment is there until it ends")
        yield* query(other, "rollback")
        yield* tending(options, now, { attempts: second })
        assert.notInclude(yield* ids(client), "first")
      })
    )
  )
})
