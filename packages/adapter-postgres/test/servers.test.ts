/** Servers on one PostgreSQL, as any of them shows all: one that stands still, and one that has ended in order. */
import { describe, it } from "@effect/vitest"
import { defaults, Settings, withSettings } from "@tolem/core/engine/Settings"
import * as AgentRuns from "@tolem/core/measure/AgentRuns"
import { type Health, PlatformHealth } from "@tolem/core/platform/PlatformHealth"
import * as ServerBeat from "@tolem/core/platform/ServerBeat"
import { Ids } from "@tolem/core/value/Ids"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { ownDatabase, withFreshStores } from "./support/stores.ts"

ownDatabase()

const settings = Layer.succeed(Settings, withSettings(defaults, { servers: { isTold: true, version: "1.2.3" } }))

/** A server with agents of which it alone knows, on the clock that it is given. Answers what ends it in order. */
const started = Effect.fnUntraced(function* (id: string, clock: Clock.Clock) {
  const scope = yield* Scope.make()
  const ids = Layer.mock(Ids, { next: (prefix) => Effect.succeed(`${prefix}_${id}`) })
  const beat = Layer.fresh(ServerBeat.layer.pipe(Layer.provide([ids, settings])))
  const isolated = <A, E, R>(self: Effect.Effect<A, E, R>) =>
    self.pipe(Effect.provideService(AgentRuns.Book, new Map()), Effect.provideService(Clock.Clock, clock))
  yield* isolated(Layer.buildWithScope(beat, scope))
  const end = isolated(Scope.close(scope, Exit.void))
  yield* Effect.addFinalizer(() => end)
  return end
})

const look = Effect.flatMap(PlatformHealth, (health) => health.look()).pipe(
  Effect.provide(PlatformHealth.layer.pipe(Layer.provide(settings)))
)

/** What is seen as soon as it is so: writes take their time, whatever the clocks of the servers say. */
const seen = (isSo: (health: Health) => boolean) => Effect.repeat(look, { until: isSo })

const statesIn = ({ servers }: Health) => servers.map(({ id, state, version }) => `${id} ${state} ${version}`)

describe("servers on one database", () => {
  it.effect(
    "show one that stands still as silent, and one that ended as ended, with the agents of those that run",
    () =>
      withFreshStores(
        Effect.scoped(
          Effect.gen(function* () {
            const running = yield* Clock.Clock
            yield* started("running", running)
            yield* started("frozen", yield* TestClock.make())
            const end = yield* started("ended", running)
            const before = yield* seen(({ servers }) => servers.length === 3)
            assert.deepStrictEqual(
              new Set(before.servers.map(({ state }) => state)),
              new Set(["running"]),
              "all three have told of themselves"
            )
            yield* end
            yield* TestClock.adjust("15 seconds")
            yield* seen(({ servers }) => servers.some(({ id, seenAt }) => id === "srv_running" && seenAt === 15_000))
            assert.deepStrictEqual(statesIn(yield* look).toSorted(), [
              "srv_ended ended 1.2.3",
              "srv_frozen running 1.2.3",
              "srv_running running 1.2.3"
            ])
            // Step by step, as a server's own clock goes.
            for (const at of [30_000, 45_000, 60_000]) {
              yield* TestClock.setTime(at)
              yield* seen(({ servers }) => servers[0]?.seenAt === at)
            }
            const after = yield* look
            assert.deepStrictEqual(statesIn(after), [
              "srv_running running 1.2.3",
              "srv_frozen silent 1.2.3",
              "srv_ended ended 1.2.3"
            ])
            const [beat, ...others] = after.agents
            assert.deepStrictEqual([beat?.agent, beat?.servers, beat?.state, others], ["ServerBeat", 1, "working", []])
          })
        )
      )
  )
})
