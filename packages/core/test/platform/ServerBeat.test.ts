/** A server tells of itself and of its agents, for as long as it runs, and of its end. */
import { describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { defaults, Settings, withSettings } from "../../src/engine/Settings.ts"
import * as AgentRuns from "../../src/measure/AgentRuns.ts"
import type { Server } from "../../src/platform/Server.ts"
import * as ServerBeat from "../../src/platform/ServerBeat.ts"
import { ServerStore } from "../../src/platform/ServerStore.ts"
import { Ids } from "../../src/value/Ids.ts"

/** A server over a store that remembers what it is told, and fails for `failures` of the first words. */
const given = Effect.fnUntraced(function* (isTold: boolean, failures = 0) {
  const told: Array<Server> = []
  let left = failures
  const store = Layer.mock(ServerStore, {
    tell: (server) =>
      Effect.suspend(() => (left-- > 0 ? Effect.die("lost") : Effect.sync(() => void told.push(server))))
  })
  const ids = Layer.mock(Ids, { next: (prefix) => Effect.succeed(`${prefix}_1`) })
  const settings = Layer.succeed(Settings, withSettings(defaults, { servers: { isTold, version: "1.2.3" } }))
  const scope = yield* Scope.make()
  yield* Layer.buildWithScope(Layer.fresh(ServerBeat.layer.pipe(Layer.provide([store, ids, settings]))), scope)
  const pass = (ms: number) => Effect.andThen(TestClock.adjust(ms), Effect.repeat(Effect.yieldNow, { times: 20 }))
  yield* pass(0)
  return { told, pass, end: Scope.close(scope, Exit.void) }
})

const own = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.provideService(self, AgentRuns.Book, new Map())

describe("the beat of a server", () => {
  it.effect("is one write at the start, one every 15 seconds, and one at the end", () =>
    own(
      Effect.gen(function* () {
        const { told, pass, end } = yield* given(true)
        yield* pass(14_999)
        assert.strictEqual(told.length, 1)
        yield* pass(1)
        const facts = told.map(({ id, version, startedAt, seenAt, endedAt }) => [
          id,
          version,
          startedAt,
          seenAt,
          endedAt
        ])
        assert.deepStrictEqual(facts, [
          ["srv_1", "1.2.3", 0, 0, null],
          ["srv_1", "1.2.3", 0, 15_000, null]
        ])
        yield* pass(5_000)
        yield* end
        assert.deepStrictEqual([told.length, told.at(-1)?.seenAt, told.at(-1)?.endedAt], [3, 20_000, 20_000])
        yield* pass(60_000)
        assert.strictEqual(told.length, 3, "nothing is told after the last word")
      })
    )
  )

  it.effect("goes on after a write that failed", () =>
    own(
      Effect.gen(function* () {
        const { told, pass, end } = yield* given(true, 2)
        yield* pass(15_000)
        assert.deepStrictEqual(told, [])
        yield* pass(15_000)
        assert.strictEqual(told.length, 1)
        const [beat] = told[0]!.agents
        assert.deepStrictEqual([beat?.agent, beat?.failedInRow, beat?.failedAt], ["ServerBeat", 2, 15_000])
        yield* end
      })
    )
  )

  it.effect("tells how each agent of the process fares: its last success, what it took, its failures in a row", () =>
    own(
      Effect.gen(function* () {
        const { told, pass, end } = yield* given(true)
        const sweep = AgentRuns.observed("Sweeper", "sweep", 60_000)
        yield* Effect.forkChild(sweep(Effect.sleep(40)))
        yield* pass(40)
        yield* Effect.exit(sweep(Effect.fail("no")))
        yield* Effect.exit(sweep(Effect.die("no")))
        yield* AgentRuns.failed("Sweeper", "job")
        yield* pass(14_960)
        const facts = () => told.at(-1)?.agents.find(({ agent }) => agent === "Sweeper")
        const failed = { agent: "Sweeper", everyMs: 60_000, succeededAt: 40, tookMs: 40, failedAt: 40, lag: null }
        assert.deepStrictEqual(facts(), { ...failed, failedInRow: 2 })
        yield* sweep(Effect.void)
        yield* end
        assert.deepStrictEqual(facts(), { ...failed, succeededAt: 15_000, tookMs: 0, failedInRow: 0 })
      })
    )
  )

  it.effect("is not there unless it is asked for", () =>
    own(
      Effect.gen(function* () {
        const { told, pass, end } = yield* given(false)
        yield* pass(60_000)
        yield* end
        assert.deepStrictEqual(told, [])
      })
    )
  )
})
