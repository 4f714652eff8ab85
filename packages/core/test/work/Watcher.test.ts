import { describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import * as Watcher from "../../src/work/Watcher.ts"

const leaseMs = 20_000

/** A watcher of one job, which it claims once and hears of after `heard`. Answers when jobs began and ended. */
const watched = Effect.fnUntraced(function* (heard: Effect.Effect<void>, act: Effect.Effect<void>) {
  const acts: Array<readonly [what: string, at: number]> = []
  const note = (what: string) => Effect.map(Clock.currentTimeMillis, (at) => void acts.push([what, at]))
  let claims = 0
  yield* Watcher.run({
    name: "Test",
    pollMs: 100_000,
    leaseMs,
    batchSize: 1,
    atOnce: 2,
    graceMs: 0,
    claim: () => (claims++ === 0 ? Effect.as(heard, ["job"]) : Effect.succeed([])),
    act: () =>
      note("begins").pipe(
        Effect.andThen(act),
        Effect.onInterrupt(() => note("is cut off"))
      )
  })
  return acts
})

/** A watcher of jobs that take ten seconds each, named by whose they are. Answers when they began, and the looks. */
const shared = Effect.fnUntraced(function* (due: Array<string>) {
  const begins: Array<string> = []
  const looks: Array<number> = []
  const tenantOf = (organizationId: string) => ({ organizationId, mode: "live" as const })
  yield* Watcher.run({
    name: "Test",
    pollMs: 60_000,
    leaseMs,
    batchSize: 4,
    atOnce: 4,
    graceMs: 0,
    claim: (_, __, limit, among) =>
      Effect.sync(() => {
        const whose = among?.tenants.map(({ organizationId }) => organizationId) ?? due
        const claimed = due.filter((job) => whose.includes(job)).slice(0, limit)
        for (const job of claimed) due.splice(due.indexOf(job), 1)
        return claimed
      }),
    fair: {
      tenantOf,
      waiting: (now) =>
        Effect.sync(() => {
          looks.push(now)
          return { tenants: [...new Set(due)].map(tenantOf), next: null }
        })
    },
    act: (job) =>
      Effect.andThen(
        Effect.map(Clock.currentTimeMillis, (at) => void begins.push(`${job} ${Math.floor(at / 1000)}`)),
        Effect.sleep(10_000)
      )
  })
  return { begins, looks }
})

const settle = Effect.repeat(Effect.yieldNow, { times: 50 })

describe("a watcher", () => {
  it.effect("cuts a job off before its lease ends, which began with the claim", () =>
    Effect.gen(function* () {
      const heard = yield* Deferred.make<void>()
      const acts = yield* watched(Deferred.await(heard), Effect.never)
      yield* settle
      yield* TestClock.adjust(10_000)
      yield* Deferred.succeed(heard, undefined)
      yield* settle
      yield* TestClock.adjust(7_999)
      yield* settle
      assert.deepStrictEqual(acts, [["begins", 10_000]])
      yield* TestClock.adjust(1)
      yield* settle
      assert.deepStrictEqual(acts.at(-1), ["is cut off", 18_000])
    }).pipe(Effect.scoped)
  )

  it.effect("begins nothing whose lease has ended by the time that it hears of it", () =>
    Effect.gen(function* () {
      const heard = yield* Deferred.make<void>()
      const acts = yield* watched(Deferred.await(heard), Effect.void)
      yield* settle
      yield* TestClock.adjust(18_000)
      yield* Deferred.succeed(heard, undefined)
      yield* settle
      assert.deepStrictEqual(acts, [])
    }).pipe(Effect.scoped)
  )
  it.effect("looks once a second at who waits while none of them may have more, and when a job has ended", () =>
    Effect.gen(function* () {
      const due = ["hog", "hog", "hog", "hog", "hog", "hog"]
      const { begins, looks } = yield* shared(due)
      const pass = Effect.fnUntraced(function* (ms: number) {
        for (let passed = 0; passed < ms; passed += 10) {
          yield* TestClock.adjust(10)
          yield* settle
        }
      })
      yield* pass(3_500)
      due.push("newcomer")
      yield* pass(26_500)
      const ofHog = ["hog 0", "hog 0", "hog 10", "hog 14", "hog 20", "hog 24"]
      assert.deepStrictEqual(begins.toSorted(), [...ofHog, "newcomer 4"])
      assert.isBelow(looks.length, 40)
    }).pipe(Effect.scoped)
  )
})
