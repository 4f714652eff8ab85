/** Months of deliveries: how they come and go. */
import { it } from "@effect/vitest"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect } from "effect"
import { assert, describe } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { aged, before, nameOf, namesOfParts, partsOfAll, table } from "./support/aged.ts"
import { addPlaced, day, monthOf, query, tending } from "./support/months.ts"
import { clients, stores } from "./support/older.ts"
import { freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const ids = (client: Client) => Effect.map(partsOfAll(client), (rows) => rows.map(({ id }) => String(id)))
const rest = `${table}_default`

describe("months of deliveries", () => {
  it.live("are made before they begin, once, however many servers ask, and take what is placed in them", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const [client] = yield* clients(options, 1)
        if (client === undefined) return assert.fail("no connection")
        const now = Date.now()
        // Those before the first month are where deliveries have been all along.
        const begin = monthOf(now + 31 * day, 1)
        const expected = [
          before,
          rest,
          ...[0, 1, 2]
            .map((n) => monthOf(now, n))
            .filter((at) => at >= begin)
            .map(nameOf)
        ]
        assert.deepStrictEqual(yield* namesOfParts(client), expected.toSorted())
        const soon = now + 31 * day
        yield* Effect.all(
          [1, 2, 3].map(() => tending(options, soon)),
          { concurrency: "unbounded" }
        )
        const later = [0, 1, 2].map((n) => monthOf(soon, n)).filter((at) => at >= begin)
        const all = [...new Set([...expected, ...later.map(nameOf)])].toSorted()
        assert.deepStrictEqual(yield* namesOfParts(client), all)
        // A clock that is years ahead makes no months there.
        yield* tending(options, soon + 4000 * day)
        assert.deepStrictEqual(yield* namesOfParts(client), all)
        const second = monthOf(begin, 1)
        for (const [id, at] of [
          ["a", begin - 1],
          ["b", begin],
          ["c", second - 1],
          ["d", second],
          ["e", monthOf(begin, 9)]
        ] as const) {
          yield* addPlaced(client, id, at, at)
        }
        const found = (yield* partsOfAll(client)).map(({ part }) => part)
        assert.deepStrictEqual(found, [before, nameOf(begin), nameOf(begin), nameOf(second), rest])
        const indexes = (of: string) =>
          query(client, `select count(*)::int as n from pg_index where indrelid = '${of}'::regclass`)
        assert.deepStrictEqual(yield* indexes(nameOf(begin)), yield* indexes(before), "each has all indexes")
      })
    )
  )

  it.live("take what was placed before they were made, unless it is too much to be moved", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const [client] = yield* clients(options, 1)
        if (client === undefined) return assert.fail("no connection")
        const soon = Date.now() + 31 * day
        const begin = monthOf(soon, 1)
        yield* query(client, `drop table if exists ${nameOf(begin)}`)
        yield* addPlaced(client, "d", begin, begin, 10_001)
        const counts = query(
          client,
          `select tableoid::regclass::text as part, count(*)::int as n from ${table} group by 1`
        )
        yield* tending(options, soon)
        assert.deepStrictEqual(yield* counts, [{ part: rest, n: 10_001 }])
        yield* query(client, `delete from ${table} where id = 'd1'`)
        yield* tending(options, soon)
        assert.deepStrictEqual(yield* counts, [{ part: nameOf(begin), n: 10_000 }])
      })
    )
  )

  it.live("refuse none who adds to one of them while it is made", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const [client, ...writers] = yield* clients(options, 4)
        if (client === undefined) return assert.fail("no connection")
        const soon = Date.now() + 31 * day
        const begin = monthOf(soon, 1)
        for (let round = 0; round < 5; round++) {
          yield* query(client, `drop table if exists ${nameOf(begin)}`)
          yield* addPlaced(client, `waiting ${round}`, begin, begin)
          let isOver = false
          const writing = writers.map(async (writer, index) => {
            for (let n = 0; !isOver; n++) {
              await Effect.runPromise(addPlaced(writer, `${round} ${index} ${n}`, begin, begin))
            }
          })
          yield* Effect.promise(async () => {
            try {
              while (!(await Effect.runPromise(namesOfParts(client))).includes(nameOf(begin))) {
                await Effect.runPromise(tending(options, soon))
              }
            } finally {
              isOver = true
              await Promise.all(writing)
            }
          })
          const kept = yield* query(client, `select distinct tableoid::regclass::text as part from ${table}`)
          assert.deepStrictEqual(kept, [{ part: nameOf(begin) }])
        }
      })
    )
  )

  it.live("are made and dropped for those alone who may delete deliveries", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, now, second } = yield* filled
        yield* query(client, `grant usage on schema ${options.schema} to public`)
        yield* query(client, "set session authorization pg_monitor")
        for (const call of [`${table}_room(${second})`, `${table}_forget(${now})`]) {
          const refused = yield* Effect.flip(Effect.tryPromise(() => client.query(`select ${call}`)))
          assert.match(String(refused.cause), /takes the right to delete deliveries/)
        }
        yield* query(client, "reset session authorization")
        assert.deepStrictEqual(yield* query(client, `select ${table}_forget(null) as n`), [{ n: null }], "for ever")
        assert.deepStrictEqual(yield* ids(client), ["earlier", "first", "last", "next", "rest"])
      })
    )
  )

  it.live("are dropped when all in them ended before the instant and no attempts are left, not earlier", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, now, second, third } = yield* filled
        const all = ["earlier", "first", "last", "next", "rest"]
        const kept = { deliveries: second + 10 * day }
        yield* tending(options, now, { deliveries: kept.deliveries - 1 })
        assert.deepStrictEqual(yield* ids(client), all)
        yield* query(
          client,
          `insert into tolem_attempts (delivery_id, number, started_at, duration_ms, url, request_headers, request_body)
            values ('first', 1, ${second - 2}, 5, 'http://x', '{}', '{}')`
        )
        yield* tending(options, now, kept)
        assert.deepStrictEqual(yield* ids(client), all, "an attempt tells of one of them")
        yield* query(client, `update tolem_attempts set started_at = ${kept.deliveries}`)
        yield* tending(options, now, kept)
        assert.deepStrictEqual(yield* ids(client), all, "one that began soon after, by the clock of another server")
        yield* query(client, "delete from tolem_attempts")
        yield* tending(options, now, kept)
        assert.deepStrictEqual(yield* ids(client), ["earlier", "next", "rest"])
        assert.notInclude(yield* namesOfParts(client), nameOf(second - 1))
        const noted = query(client, "select ended_before as n from tolem_removals where kind = 'deliveries'")
        assert.deepStrictEqual(yield* noted, [{ n: String(kept.deliveries) }], "the checks know")
        yield* tending(options, now)
        assert.deepStrictEqual(yield* ids(client), ["earlier", "next", "rest"], "none where they are kept for ever")
        const forgotten = Effect.provide(
          WebhookStore.use((store) => store.forgetDeliveries({ before: third + 1, limit: 9, after: null })),
          stores(options)
        )
        assert.strictEqual((yield* forgotten).removed, 2, "one by one go those outside of months")
        assert.deepStrictEqual(yield* ids(client), ["next"])
        // However far ahead a server's clock is, months that have not ended stay.
        yield* tending(options, now, { deliveries: now + 4000 * day })
        assert.deepStrictEqual(yield* ids(client), [])
        assert.include(yield* namesOfParts(client), nameOf(now))
      })
    )
  )

  it.live("are dropped one after the other, each in a transaction of its own", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, now, third } = yield* filled
        yield* query(client, `insert into tolem_removals (kind, ended_before) values ('deliveries', ${now})`)
        const forgotten = query(client, `select ${table}_forget(${third + 10 * day})::int as n`)
        assert.deepStrictEqual(yield* forgotten, [{ n: -1 }])
        assert.deepStrictEqual(yield* ids(client), ["earlier", "next", "rest"])
        yield* tending(options, now, { deliveries: third + 10 * day })
        assert.deepStrictEqual(yield* ids(client), ["earlier", "rest"])
      })
    )
  )

  it.live("are left by what ended later than most, or has not ended, before they are dropped", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, now, second } = yield* filled
        const kept = { deliveries: second + 11 * day }
        yield* addPlaced(client, "late", second - 1, kept.deliveries)
        yield* addPlaced(client, "on its way", second - 1, null)
        yield* tending(options, now, kept)
        const found = yield* partsOfAll(client)
        assert.deepStrictEqual(found.map(({ id }) => id).toSorted(), ["earlier", "late", "next", "on its way", "rest"])
        assert.includeDeepMembers(found, [
          { id: "late", part: nameOf(now) },
          { id: "on its way", part: nameOf(now) }
        ])
        assert.notInclude(yield* namesOfParts(client), nameOf(second - 1))
      })
    )
  )

  it.live("stay for as long as another reads them, who keeps none waiting, and go after that", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, other, now, second } = yield* filled
        const kept = { deliveries: second + 10 * day }
        yield* query(other, "begin isolation level repeatable read")
        yield* query(other, `lock table ${table} in access share mode`)
        yield* tending(options, now, kept)
        assert.include(yield* ids(other), "first", "what is read at one moment is there until it ends")
        yield* query(other, "rollback")
        yield* tending(options, now, kept)
        assert.notInclude(yield* ids(client), "first")
      })
    )
  )
})

/** `aged` with deliveries that ended in its months as they were placed. */
const filled = Effect.gen(function* () {
  const world = yield* aged
  const { client, first, second, third } = world
  for (const [id, at] of [
    ["earlier", first - 1],
    ["first", first],
    ["last", second - 1],
    ["next", second],
    ["rest", third]
  ] as const) {
    yield* addPlaced(client, id, at, at)
  }
  return world
})
