/** The request log: what requests leave is written by an agent, bounded, and fair among organizations. */
import { describe, it } from "@effect/vitest"
import { loggedRequestOf } from "@tolem/testing/storage/RequestLogCases"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { defaults, Settings, withSettings } from "../../src/engine/Settings.ts"
import { RequestLog } from "../../src/requestlog/RequestLog.ts"
import { type LoggedHour, RequestLogStore } from "../../src/requestlog/RequestLogStore.ts"

/** The log with an agent over a store that remembers each write, and fails the first `failures` of them. */
const withLog = <E>(
  requestLog: Partial<(typeof defaults)["requestLog"]>,
  body: (
    log: RequestLog["Service"],
    writes: ReadonlyArray<ReadonlyArray<LoggedHour>>,
    pass: (ms: number) => Effect.Effect<void>
  ) => Effect.Effect<void, E, RequestLog>,
  failures = 0
) => {
  const writes: Array<ReadonlyArray<LoggedHour>> = []
  let left = failures
  const store = Layer.mock(RequestLogStore, {
    add: (hours) => Effect.suspend(() => (left-- > 0 ? Effect.die("lost") : Effect.sync(() => void writes.push(hours))))
  })
  const settings = Layer.succeed(Settings, withSettings(defaults, { requestLog }))
  const pass = (ms: number) => Effect.andThen(TestClock.adjust(ms), Effect.repeat(Effect.yieldNow, { times: 20 }))
  return Effect.flatMap(RequestLog, (log) => body(log, writes, (ms) => Effect.asVoid(pass(ms)))).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.fresh(RequestLog.agent.pipe(Layer.provideMerge(RequestLog.layer), Layer.provide([store, settings])))
    )
  )
}

const hourMs = 3_600_000
const of = (organizationId: string, count: number, members = {}) =>
  Array.from({ length: count }, (_, index) => loggedRequestOf({ organizationId, at: hourMs + index, ...members }))
const countsOf = (writes: ReadonlyArray<ReadonlyArray<LoggedHour>>) =>
  writes.flat().map(({ organizationId, mode, hourAt, requests, refused, failed, kept }) => ({
    of: `${organizationId} ${mode} ${hourAt / hourMs}`,
    counts: [requests, refused, failed],
    kept: kept.length
  }))

describe("the request log", () => {
  it.effect("is written a while after a request, once for many, by organization, mode and hour", () =>
    withLog({}, (log, writes, pass) =>
      Effect.gen(function* () {
        yield* pass(60_000)
        assert.deepStrictEqual(writes, [])
        for (const request of of("org_a", 2)) log.note(request)
        log.note(loggedRequestOf({ organizationId: "org_a", status: 422 }))
        log.note(loggedRequestOf({ organizationId: "org_a", status: 503, mode: "live" }))
        log.note(loggedRequestOf({ organizationId: "org_a", at: 2 * hourMs }))
        yield* pass(900)
        assert.deepStrictEqual(writes, [], "no request waits for it")
        yield* pass(200)
        assert.deepStrictEqual(countsOf(writes), [
          { of: "org_a sandbox 1", counts: [3, 1, 0], kept: 3 },
          { of: "org_a live 1", counts: [1, 0, 1], kept: 1 },
          { of: "org_a sandbox 2", counts: [1, 0, 0], kept: 1 }
        ])
        yield* pass(60_000)
        assert.strictEqual(writes.length, 1, "nothing is written twice")
      })
    )
  )

  it.effect("sends of an hour what can be kept of it, and counts the others", () =>
    withLog({ perHour: 3 }, (log, writes, pass) =>
      Effect.gen(function* () {
        for (const request of [...of("org_a", 2, { status: 404 }), ...of("org_a", 9)]) log.note(request)
        yield* pass(2_000)
        assert.deepStrictEqual(countsOf(writes), [{ of: "org_a sandbox 1", counts: [11, 2, 0], kept: 5 }])
        assert.deepStrictEqual(
          writes.flat().flatMap(({ kept }) => kept.map(({ at }) => at - hourMs)),
          [6, 7, 8, 0, 1],
          "the last three, and those that were refused"
        )
      })
    )
  )

  it.effect("leaves room for other organizations, however much one asks", () =>
    withLog({ maxGathered: 100 }, (log, writes, pass) =>
      Effect.gen(function* () {
        for (const request of of("org_loud", 5_000)) log.note(request)
        for (const request of of("org_quiet", 20)) log.note(request)
        yield* pass(2_000)
        assert.deepStrictEqual(countsOf(writes), [
          { of: "org_loud sandbox 1", counts: [5_000, 0, 0], kept: 50 },
          { of: "org_quiet sandbox 1", counts: [20, 0, 0], kept: 20 }
        ])
      })
    )
  )

  it.effect("is written in portions, and bounded in what it counts", () =>
    withLog({ maxCounted: 600 }, (log, writes, pass) =>
      Effect.gen(function* () {
        for (let n = 0; n < 700; n++) log.note(loggedRequestOf({ organizationId: `org_${n}` }))
        yield* pass(2_000)
        assert.strictEqual(writes.flat().length, 600)
        assert.isAbove(writes.length, 3)
        assert.isBelow(Math.max(...writes.map(({ length }) => length)), 251)
      })
    )
  )

  it.effect("goes on after a write that failed, without what that one had", () =>
    withLog(
      {},
      (log, writes, pass) =>
        Effect.gen(function* () {
          log.note(loggedRequestOf({ organizationId: "org_a" }))
          yield* pass(2_000)
          assert.deepStrictEqual(writes, [])
          log.note(loggedRequestOf({ organizationId: "org_b" }))
          yield* pass(2_000)
          assert.deepStrictEqual(countsOf(writes), [{ of: "org_b sandbox 1", counts: [1, 0, 0], kept: 1 }])
        }),
      1
    )
  )

  it.effect("keeps nothing if it has no places", () =>
    withLog({ perHour: 0 }, (log, writes, pass) =>
      Effect.gen(function* () {
        log.note(loggedRequestOf())
        yield* pass(60_000)
        assert.deepStrictEqual(writes, [])
      })
    )
  )
})
