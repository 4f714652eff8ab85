/** Deliveries by the month in which they were placed: what agents read, what is placed anew, how months come and go. */
import { it } from "@effect/vitest"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { attemptOf, endpointOf, testDeliveryOf } from "@tolem/testing/fixtures"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect, Fiber, Layer } from "effect"
import { Statement } from "effect/sql"
import { assert, describe } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { addPlaced, day, monthOf, partNames, partOf, partsOf, query, tending } from "./support/months.ts"
import { blockedBy, clients, stores } from "./support/older.ts"
import { freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const table = "tolem_deliveries"
const parts = (client: Client) => partsOf(client, table, "id")
const ids = (client: Client) => Effect.map(parts(client), (rows) => rows.map(({ id }) => String(id)))
const names = (client: Client) => partNames(client, table)
const nameOf = (at: number) => partOf(table, at)
const [before, rest] = [`${table}_before`, `${table}_default`]

/** The parts that a plan reads or changes; not the table itself, which has no rows. */
const partsIn = (plan: unknown): ReadonlyArray<string> => {
  const found = [...JSON.stringify(plan).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name = ""]) => name)
  return [...new Set(found)].filter((name) => name.startsWith(`${table}_`)).toSorted()
}

/** A schema of this version with two months of a year ago and the one of now, as it would be by then. */
const aged = Effect.gen(function* () {
  const options = freshOptions()
  yield* Postgres.migrate(options)
  const [client, other] = yield* clients(options, 2)
  if (client === undefined || other === undefined) return assert.fail("no connections")
  const now = Date.now()
  const [first, second, third] = [monthOf(now, -12), monthOf(now, -11), monthOf(now, -10)]
  const at = (instant: number) => `'${new Date(instant).toISOString()}'`
  yield* query(
    client,
    `alter table ${table} detach partition ${before};
     alter table ${table} attach partition ${before} for values from (minvalue) to (${at(first)})`
  )
  const ends = [
    [first, second],
    [second, third],
    [monthOf(now), monthOf(now, 1)]
  ] as const
  for (const [from, to] of ends) {
    yield* query(
      client,
      `create table ${nameOf(from)} partition of ${table} (primary key (id))
        for values from (${at(from)}) to (${at(to)})`
    )
  }
  const sent: Array<readonly [text: string, values: ReadonlyArray<unknown>]> = []
  const noted = Layer.succeed(Statement.CurrentTransformer, (statement) => {
    const compiled = statement.compile()
    if (compiled[0].includes(table)) sent.push(compiled)
    return Effect.succeed(statement)
  })
  const context = yield* Layer.build(Layer.merge(stores(options), noted))
  const store = yield* Effect.provide(WebhookStore, context)
  const endpoint = endpointOf({ id: "whe_1", createdAt: now, updatedAt: now })
  yield* Effect.provide(store.addEndpoint(endpoint, 10), context)
  return { options, client, other, now, first, second, third, sent, context, store, endpoint }
})

/** The same, with deliveries that are due, as `aged` has placed them. */
const due = Effect.gen(function* () {
  const world = yield* aged
  const { context, store, now, endpoint } = world
  const deliveries = [1, 2, 3].map((n) => testDeliveryOf(endpoint, { id: `dlv_${n}`, dueAt: now + n, createdAt: now }))
  for (const delivery of deliveries) yield* Effect.provide(store.addDelivery(delivery), context)
  const settle = (job: Parameters<typeof store.settleMany>[0][number]["job"], outcome: AttemptOutcome) =>
    store.settleMany([{ job, attempt: attemptOf({ startedAt: now, status: 200 }), outcome }], now + 10)
  const claimed = claimDue(store, { now: now + 5, until: now + 20_000 })
  return { ...world, settle, claimed }
})

describe("a delivery", () => {
  it.live("is looked for, claimed and settled where it was placed, with no look at other months", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, context, sent, store, now, first, settle, claimed } = yield* due
        const near = [nameOf(now)]
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(
            (yield* parts(client)).map(({ part }) => part),
            [...near, ...near, ...near]
          )
          const looked = Effect.gen(function* () {
            sent.length = 0
            const [one, two, three] = yield* claimed
            yield* store.release([three!], now)
            yield* settle(one!, AttemptOutcome.Delivered())
            yield* settle(two!, AttemptOutcome.Retry({ dueAt: now, pauseUntil: null }))
            assert.lengthOf(sent, 7, "a look, two claims, a release, an arrival, a lock, a settlement")
            const found = new Set<string>()
            for (const [text, values] of sent) {
              const { rows } = yield* Effect.promise(() => client.query(`explain (format json) ${text}`, [...values]))
              found.add(partsIn(rows).join())
            }
            return [...found]
          })
          const all = [before, rest, nameOf(first), nameOf(monthOf(first, 1)), ...near].toSorted()
          assert.deepStrictEqual(yield* looked, [all.join()], "it is not known whether any is left there")
          yield* query(
            client,
            `update ${table} set status = 'pending', lease = null, starts = 0, due_at = ${now}, completed_at = null;
             delete from tolem_attempts;
             update tolem_endpoints set failure_count = 0`
          )
          assert.strictEqual(yield* store.gatherDeliveries(10), 0)
          assert.deepStrictEqual(yield* looked, [near.join()])
        }).pipe(Effect.provide(context))
      })
    )
  )

  it.live("that is still on its way is placed anew after its month, and claimed before and after that", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, other, context, store, now, first, claimed } = yield* due
        yield* Effect.gen(function* () {
          const placed = (id: string, at: number) =>
            query(client, `update ${table} set placed_at = '${new Date(at).toISOString()}' where id = '${id}'`)
          yield* placed("dlv_1", first - 1)
          yield* placed("dlv_2", first)
          const found = (one: string, two: string) =>
            [one, two, nameOf(now)].map((part, index) => ({ id: `dlv_${index + 1}`, part }))
          assert.deepStrictEqual(yield* parts(client), found(before, nameOf(first)))
          const given = (yield* claimed).toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1))
          assert.lengthOf(given, 3)
          yield* store.release(given, now)
          yield* query(other, `begin; select 1 from ${table} where id = 'dlv_2' for update`)
          assert.strictEqual(yield* store.gatherDeliveries(10), 1, "but for what others hold")
          assert.deepStrictEqual(yield* parts(client), found(nameOf(now), nameOf(first)))
          yield* query(other, "rollback")
          assert.lengthOf(yield* claimed, 3, "of which it knows that it is there")
          yield* store.release(given, now)
          assert.strictEqual(yield* store.gatherDeliveries(1), 1)
          assert.deepStrictEqual(yield* parts(client), found(nameOf(now), nameOf(now)))
          assert.strictEqual(yield* store.gatherDeliveries(1), 0)
          assert.lengthOf(yield* claimed, 3)
        }).pipe(Effect.provide(context))
      })
    )
  )

  it.live("that has ended stays where it is", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, context, store, first } = yield* aged
        yield* addPlaced(client, "old", first, first)
        assert.strictEqual(yield* Effect.provide(store.gatherDeliveries(10), context), 0)
        assert.deepStrictEqual(yield* parts(client), [{ id: "old", part: nameOf(first) }])
      })
    )
  )

  it.live("that is placed anew while it is waited for is settled all the same, once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, other, context, store, now, first, endpoint, settle, claimed } = yield* due
        yield* Effect.gen(function* () {
          yield* query(client, `update ${table} set placed_at = '${new Date(first).toISOString()}'`)
          const jobs = (yield* claimed).toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1))
          const whileMoved = <A, E, R>(id: string, waiting: Effect.Effect<A, E, R>) =>
            Effect.gen(function* () {
              yield* query(other, `begin; update ${table} set placed_at = now() where id = '${id}'`)
              const fiber = yield* Effect.forkChild(waiting)
              yield* blockedBy(other, options)
              yield* query(other, "commit")
              return yield* Fiber.join(fiber)
            })
          const [one, two] = jobs
          assert.deepStrictEqual(yield* whileMoved("dlv_1", settle(one!, AttemptOutcome.Delivered())), [true])
          const failed = AttemptOutcome.Failed({ pauseUntil: null })
          assert.deepStrictEqual(yield* whileMoved("dlv_2", settle(two!, failed)), [true])
          yield* whileMoved("dlv_3", store.removeEndpoint(endpoint, endpoint.id, now))
          const left = yield* query(client, `select id, status, attempt_count::int as n from ${table} order by id`)
          assert.deepStrictEqual(left, [
            { id: "dlv_1", status: "delivered", n: 1 },
            { id: "dlv_2", status: "failed", n: 1 },
            { id: "dlv_3", status: "failed", n: 0 }
          ])
          assert.deepStrictEqual(yield* query(client, "select count(*)::int as n from tolem_attempts"), [{ n: 2 }])
        }).pipe(Effect.provide(context))
      })
    )
  )
})

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
        assert.deepStrictEqual(yield* names(client), expected.toSorted())
        const soon = now + 31 * day
        yield* Effect.all(
          [1, 2, 3].map(() => tending(options, soon)),
          { concurrency: "unbounded" }
        )
        const later = [0, 1, 2].map((n) => monthOf(soon, n)).filter((at) => at >= begin)
        const all = [...new Set([...expected, ...later.map(nameOf)])].toSorted()
        assert.deepStrictEqual(yield* names(client), all)
        // A clock that is years ahead makes no months there.
        yield* tending(options, soon + 4000 * day)
        assert.deepStrictEqual(yield* names(client), all)
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
        const found = (yield* parts(client)).map(({ part }) => part)
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
        yield* query(client, "delete from tolem_attempts")
        yield* tending(options, now, kept)
        assert.deepStrictEqual(yield* ids(client), ["earlier", "next", "rest"])
        assert.notInclude(yield* names(client), nameOf(second - 1))
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
        assert.include(yield* names(client), nameOf(now))
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
        const found = yield* parts(client)
        assert.deepStrictEqual(found.map(({ id }) => id).toSorted(), ["earlier", "late", "next", "on its way", "rest"])
        assert.includeDeepMembers(found, [
          { id: "late", part: nameOf(now) },
          { id: "on its way", part: nameOf(now) }
        ])
        assert.notInclude(yield* names(client), nameOf(second - 1))
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
