/** Deliveries by the month in which they ended: what moves them, what agents read, how months come and go. */
import { it } from "@effect/vitest"
import { AttemptOutcome, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { attemptOf, endpointOf, testDeliveryOf } from "@tolem/testing/fixtures"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect, Fiber, Layer } from "effect"
import { Statement } from "effect/sql"
import { assert, describe } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import {
  addEnded,
  day,
  deliveryColumns,
  deliveryRow,
  monthOf,
  partNames,
  partOf,
  partsOf,
  query,
  tending
} from "./support/months.ts"
import { blockedBy, clients, stores } from "./support/older.ts"
import { freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const table = "tolem_deliveries"
const parts = (client: Client) => partsOf(client, table, "id")
const names = (client: Client) => partNames(client, table)
const nameOf = (at: number) => partOf(table, at)
const [current, rest] = [`${table}_current`, `${table}_default`]

/** The parts that a plan reads or changes; not the table itself, which has no rows, nor what rows move to. */
const partsIn = (plan: unknown): ReadonlyArray<string> => {
  const found = [...JSON.stringify(plan).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name = ""]) => name)
  return [...new Set(found)].filter((name) => name.startsWith(`${table}_`))
}

/** A schema of this version with an endpoint and three deliveries that are due, and the statements about deliveries. */
const due = Effect.gen(function* () {
  const options = freshOptions()
  yield* Postgres.migrate(options)
  const [client, other] = yield* clients(options, 2)
  if (client === undefined || other === undefined) return assert.fail("no connections")
  const sent: Array<readonly [text: string, values: ReadonlyArray<unknown>]> = []
  const noted = Layer.succeed(Statement.CurrentTransformer, (statement) => {
    const compiled = statement.compile()
    if (compiled[0].includes(table)) sent.push(compiled)
    return Effect.succeed(statement)
  })
  const context = yield* Layer.build(Layer.merge(stores(options), noted))
  const store = yield* Effect.provide(WebhookStore, context)
  const now = Date.now()
  const endpoint = endpointOf({ createdAt: now, updatedAt: now })
  yield* Effect.provide(store.addEndpoint(endpoint, 10), context)
  const deliveries = [1, 2, 3].map((n) => testDeliveryOf(endpoint, { id: `dlv_${n}`, dueAt: now + n, createdAt: now }))
  for (const delivery of deliveries) yield* store.addDelivery(delivery)
  const settle = (job: Parameters<typeof store.settleMany>[0][number]["job"], outcome: AttemptOutcome, at = now + 10) =>
    store.settleMany([{ job, attempt: attemptOf({ startedAt: now, status: 200 }), outcome }], at)
  const claimed = claimDue(store, { now: now + 5, until: now + 20_000 })
  return { options, client, other, sent, context, store, now, endpoint, settle, claimed }
})

describe("a delivery", () => {
  it.live("moves into the month of its end: when it has arrived, was given up, or its endpoint is removed", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, context, store, now, endpoint, settle, claimed } = yield* due
        const later = monthOf(now, 1)
        const month = nameOf(now)
        yield* Effect.gen(function* () {
          const [first, second, third] = yield* claimed
          const kept = yield* parts(client)
          assert.deepStrictEqual(
            kept.map(({ part }) => part),
            [current, current, current]
          )
          const again = AttemptOutcome.Retry({ dueAt: now + day, pauseUntil: null })
          assert.deepStrictEqual(yield* settle(third!, again), [true])
          assert.deepStrictEqual(yield* settle(second!, AttemptOutcome.Failed({ pauseUntil: null }), later), [true])
          assert.deepStrictEqual(yield* settle(first!, AttemptOutcome.Delivered()), [true])
          assert.deepStrictEqual(yield* settle(first!, AttemptOutcome.Delivered()), [false], "once")
          const found = [
            { id: "dlv_1", part: month },
            { id: "dlv_2", part: nameOf(later) },
            { id: "dlv_3", part: current }
          ]
          assert.deepStrictEqual(yield* parts(client), found)
          yield* store.removeEndpoint(endpoint, endpoint.id, now + 20)
          assert.deepStrictEqual(yield* parts(client), [...found.slice(0, 2), { id: "dlv_3", part: month }])
        }).pipe(Effect.provide(context))
      })
    )
  )

  it.live("on its way is looked for, claimed and settled without a look at what has ended", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, context, sent, store, now, settle, claimed } = yield* due
        yield* Effect.gen(function* () {
          sent.length = 0
          const [first, second, third] = yield* claimed
          yield* store.release([third!], now)
          yield* settle(first!, AttemptOutcome.Delivered())
          yield* settle(second!, AttemptOutcome.Failed({ pauseUntil: null }))
          assert.lengthOf(sent, 7, "a look, two claims, a release, an arrival, a lock, a settlement")
          for (const [text, values] of sent) {
            const { rows } = yield* Effect.promise(() => client.query(`explain (format json) ${text}`, [...values]))
            assert.deepStrictEqual(partsIn(rows), [current], text)
          }
        }).pipe(Effect.provide(context))
      })
    )
  )

  it.live("that another moves while it is waited for is changed once", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, other, context, store, now, endpoint, settle, claimed } = yield* due
        yield* Effect.gen(function* () {
          const [first, second] = yield* claimed
          const held = (id: string) =>
            query(
              other,
              `begin; update ${table} set status = 'delivered', lease = null, completed_at = ${now},
                ended_month = ${new Date(now).toISOString().slice(0, 7).replace("-", "")} where id = '${id}'`
            )
          const whileHeld = <A, E, R>(id: string, waiting: Effect.Effect<A, E, R>) =>
            Effect.gen(function* () {
              yield* held(id)
              const fiber = yield* Effect.forkChild(waiting)
              yield* blockedBy(other, options)
              yield* query(other, "commit")
              return yield* Fiber.join(fiber)
            })
          assert.deepStrictEqual(yield* whileHeld("dlv_1", settle(first!, AttemptOutcome.Delivered())), [false])
          const failed = AttemptOutcome.Failed({ pauseUntil: null })
          assert.deepStrictEqual(yield* whileHeld("dlv_2", settle(second!, failed)), [false])
          yield* whileHeld("dlv_3", store.removeEndpoint(endpoint, endpoint.id, now))
          const left = yield* query(client, `select status, count(*)::int as n from ${table} group by 1`)
          assert.deepStrictEqual(left, [{ status: "delivered", n: 3 }])
        }).pipe(Effect.provide(context))
      })
    )
  )
})

describe("months of deliveries", () => {
  it.live("are made before they begin, once, however many servers ask, and take what ended in them", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const [client] = yield* clients(options, 1)
        if (client === undefined) return assert.fail("no connection")
        const now = Date.now()
        const expected = [current, rest, ...[0, 1, 2].map((further) => nameOf(monthOf(now, further)))]
        assert.deepStrictEqual(yield* names(client), expected.toSorted())
        const soon = now + 31 * day
        yield* Effect.all(
          [1, 2, 3].map(() => tending(options, soon)),
          { concurrency: "unbounded" }
        )
        const later = [0, 1, 2].map((further) => nameOf(monthOf(soon, further)))
        const all = [...new Set([...expected, ...later])].toSorted()
        assert.deepStrictEqual(yield* names(client), all)
        // A clock that is years ahead makes no months there.
        yield* tending(options, soon + 4000 * day)
        assert.deepStrictEqual(yield* names(client), all)
        const [first, second, past] = [monthOf(now), monthOf(now, 1), monthOf(now, -1)]
        for (const [id, at] of [
          ["a", past],
          ["b", first],
          ["c", second - 1],
          ["d", second]
        ] as const) {
          yield* addEnded(client, id, at)
        }
        const found = (yield* parts(client)).map(({ part }) => part)
        assert.deepStrictEqual(found, [rest, nameOf(first), nameOf(first), nameOf(second)])
      })
    )
  )

  it.live("have none that is on its way, and none that ended in another", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const [client] = yield* clients(options, 1)
        if (client === undefined) return assert.fail("no connection")
        const now = Date.now()
        yield* addEnded(client, "a", now)
        yield* addEnded(client, "b", monthOf(now, -1))
        for (const change of [
          "status = 'pending'",
          "status = 'pending', completed_at = null",
          `completed_at = ${monthOf(now, 1)}`,
          "ended_month = ended_month + 1"
        ]) {
          for (const id of ["a", "b"]) {
            const refused = yield* Effect.flip(
              Effect.tryPromise(() => client.query(`update ${table} set ${change} where id = '${id}'`))
            )
            assert.match(String(refused.cause), /violates check constraint/, `${change} of ${id}`)
          }
        }
      })
    )
  )

  it.live("take what has ended in them before they were made, unless it is too much to be moved", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const options = freshOptions()
        yield* Postgres.migrate(options)
        const [client] = yield* clients(options, 1)
        if (client === undefined) return assert.fail("no connection")
        const now = Date.now()
        const month = nameOf(now)
        const key = month.slice(-7).replace("_", "")
        yield* query(client, `drop table ${month}`)
        yield* query(
          client,
          `insert into ${table} (${deliveryColumns}, ended_month)
            select ${deliveryRow("'d_' || n", "delivered", now)}, ${key}
            from generate_series(1, 10001) n`
        )
        const counts = query(
          client,
          `select tableoid::regclass::text as part, count(*)::int as n from ${table} group by 1`
        )
        yield* tending(options, now)
        assert.deepStrictEqual(yield* counts, [{ part: rest, n: 10_001 }])
        yield* query(client, `delete from ${table} where id = 'd_1'`)
        yield* tending(options, now)
        assert.deepStrictEqual(yield* counts, [{ part: month, n: 10_000 }])
      })
    )
  )

  it.live("are made and dropped for those alone who may delete deliveries", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, second } = yield* aged
        yield* query(client, `grant usage on schema ${options.schema} to public`)
        yield* query(client, "set session authorization pg_monitor")
        for (const call of [`${table}_room(${second})`, `${table}_forget(${second})`]) {
          const refused = yield* Effect.flip(Effect.tryPromise(() => client.query(`select ${call}`)))
          assert.match(String(refused.cause), /takes the right to delete deliveries/)
        }
        yield* query(client, "reset session authorization")
        assert.deepStrictEqual(yield* ids(client), ["current", "first", "last", "next", "rest"])
      })
    )
  )

  it.live("are dropped when all in them ended before the instant and no attempts are left, not earlier", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, now, second, third } = yield* aged
        const all = ["current", "first", "last", "next", "rest"]
        yield* tending(options, now, { deliveries: second - 1 })
        assert.deepStrictEqual(yield* ids(client), all)
        yield* query(
          client,
          `insert into tolem_attempts (delivery_id, number, started_at, duration_ms, url, request_headers, request_body)
            values ('first', 1, ${second - 2}, 5, 'http://x', '{}', '{}')`
        )
        yield* tending(options, now, { deliveries: second })
        assert.deepStrictEqual(yield* ids(client), all, "an attempt tells of one of them")
        yield* query(client, "delete from tolem_attempts")
        yield* tending(options, now, { deliveries: second })
        assert.deepStrictEqual(yield* ids(client), ["current", "next", "rest"])
        const noted = query(client, "select ended_before as n from tolem_removals where kind = 'deliveries'")
        assert.deepStrictEqual(yield* noted, [{ n: String(second) }], "the checks know")
        yield* tending(options, now)
        assert.deepStrictEqual(yield* ids(client), ["current", "next", "rest"], "none where they are kept for ever")
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

  it.live("stay for as long as another reads them, who keeps none waiting, and go after that", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, other, now, second } = yield* aged
        yield* query(other, "begin isolation level repeatable read")
        yield* query(other, `lock table ${table} in access share mode`)
        yield* tending(options, now, { deliveries: second })
        assert.include(yield* ids(other), "first", "what is read at one moment is there until it ends")
        yield* query(other, "rollback")
        yield* tending(options, now, { deliveries: second })
        assert.notInclude(yield* ids(client), "first")
      })
    )
  )
})

/** A schema of this version with two months of a year ago, as it would be by then. */
const aged = Effect.gen(function* () {
  const options = freshOptions()
  yield* Postgres.migrate(options)
  const [client, other] = yield* clients(options, 2)
  if (client === undefined || other === undefined) return assert.fail("no connections")
  const now = Date.now()
  const [first, second, third] = [monthOf(now, -12), monthOf(now, -11), monthOf(now, -10)]
  for (const at of [first, second]) {
    yield* query(
      client,
      `create table ${nameOf(at)} partition of ${table} (primary key (id), check (status <> 'pending'))
        for values in (${nameOf(at).slice(-7).replace("_", "")})`
    )
  }
  const context = yield* Layer.build(stores(options))
  yield* Effect.provide(
    WebhookStore.use((store) => store.addEndpoint(endpointOf({ id: "whe_1" }), 10)),
    context
  )
  yield* query(
    client,
    `insert into ${table} (${deliveryColumns}) values (${deliveryRow("'current'", "delivered", first - 1)})`
  )
  for (const [id, at] of [
    ["first", first],
    ["last", second - 1],
    ["next", second],
    ["rest", third]
  ] as const) {
    yield* addEnded(client, id, at)
  }
  return { options, client, other, now, first, second, third }
})

const ids = (client: Client) => Effect.map(parts(client), (rows) => rows.map(({ id }) => String(id)))
