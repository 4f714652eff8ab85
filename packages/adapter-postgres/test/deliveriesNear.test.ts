/** Deliveries on their way by the months in which they were placed: what agents read, and what is placed anew. */
import { it } from "@effect/vitest"
import { AttemptOutcome } from "@tolem/core/webhook/WebhookStore"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect, Fiber } from "effect"
import { assert, describe } from "vitest"
import { aged, before, due, fresh, nameOf, namesOfParts, partsOfAll, table } from "./support/aged.ts"
import { addPlaced, day, monthOf, query } from "./support/months.ts"
import { blockedBy } from "./support/older.ts"
import { ownDatabase } from "./support/stores.ts"

ownDatabase()

/** The parts that a plan reads or changes; not the table itself, which has no rows. */
const partsIn = (plan: unknown): ReadonlyArray<string> => {
  const found = [...JSON.stringify(plan).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name = ""]) => name)
  return [...new Set(found)].filter((name) => name.startsWith(`${table}_`)).toSorted()
}

/** The parts that statements read or change, each time those of some of them. */
const partsOfSent = Effect.fnUntraced(function* (
  client: Client,
  sent: ReadonlyArray<readonly [text: string, values: ReadonlyArray<unknown>]>
) {
  const found = new Set<string>()
  for (const [text, values] of [...sent]) {
    if (text.includes("relpartbound")) continue
    const { rows } = yield* Effect.promise(() => client.query(`explain (format json) ${text}`, [...values]))
    found.add(partsIn(rows).join())
  }
  return [...found]
})

describe("a delivery", () => {
  it.live("is looked for, claimed and settled where it was placed, with no look at other months", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, context, sent, store, now, settle, claimed } = yield* due
        const near = [...new Set([now - 7 * day, now, now + day].map(nameOf))]
        yield* Effect.gen(function* () {
          assert.deepStrictEqual(
            (yield* partsOfAll(client)).map(({ part }) => part),
            [1, 2, 3].map(() => nameOf(now))
          )
          const looked = Effect.gen(function* () {
            sent.length = 0
            const [one, two, three] = yield* claimed
            yield* store.release([three!], now)
            yield* settle(one!, AttemptOutcome.Delivered())
            yield* settle(two!, AttemptOutcome.Retry({ dueAt: now, pauseUntil: null }))
            assert.lengthOf(sent, 7, "a look, two claims, a release, an arrival, a lock, a settlement")
            return yield* partsOfSent(client, sent)
          })
          const all = yield* namesOfParts(client)
          assert.deepStrictEqual(yield* looked, [all.join()], "it is not known whether any is left there")
          yield* query(
            client,
            `update ${table} set status = 'pending', lease = null, starts = 0, due_at = ${now}, completed_at = null;
             delete from tolem_attempts;
             update tolem_endpoints set failure_count = 0`
          )
          sent.length = 0
          assert.strictEqual(yield* store.gatherDeliveries(10), 0)
          const far = (yield* namesOfParts(client)).filter((name) => !near.includes(name))
          assert.deepStrictEqual(yield* partsOfSent(client, sent), [far.join()], "what gathers reads none that is near")
          assert.deepStrictEqual(yield* looked, [near.join()])
        }).pipe(Effect.provide(context))
      })
    )
  )

  it.live("is looked for in the first part alone until the first month has begun", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { client, context, sent, store, now } = yield* fresh
        yield* addPlaced(client, "new", now, null)
        yield* Effect.gen(function* () {
          sent.length = 0
          assert.strictEqual(yield* store.gatherDeliveries(10), 0)
          const [far] = yield* partsOfSent(client, sent)
          assert.notInclude(far, before)
          sent.length = 0
          assert.lengthOf((yield* store.due({ now: now + 1, after: null, limit: 10 })).endpoints, 1)
          assert.deepStrictEqual(yield* partsOfSent(client, sent), [before])
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
          assert.deepStrictEqual(yield* partsOfAll(client), found(before, nameOf(first)))
          const given = (yield* claimed).toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1))
          assert.lengthOf(given, 3)
          yield* store.release(given, now)
          yield* query(other, `begin; select 1 from ${table} where id = 'dlv_2' for update`)
          assert.strictEqual(yield* store.gatherDeliveries(10), 1, "but for what others hold")
          assert.deepStrictEqual(yield* partsOfAll(client), found(nameOf(now), nameOf(first)))
          yield* query(other, "rollback")
          assert.lengthOf(yield* claimed, 3, "of which it knows that it is there")
          yield* store.release(given, now)
          assert.strictEqual(yield* store.gatherDeliveries(1), 1)
          assert.deepStrictEqual(yield* partsOfAll(client), found(nameOf(now), nameOf(now)))
          assert.strictEqual(yield* store.gatherDeliveries(1), 0)
          assert.lengthOf(yield* claimed, 3)
          yield* store.release(given, now)
          // By a clock that was ahead for a while.
          yield* placed("dlv_3", monthOf(now + 31 * day, 1))
          assert.strictEqual(yield* store.gatherDeliveries(2), 1)
          assert.deepStrictEqual(yield* partsOfAll(client), found(nameOf(now), nameOf(now)))
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
        assert.deepStrictEqual(yield* partsOfAll(client), [{ id: "old", part: nameOf(first) }])
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
