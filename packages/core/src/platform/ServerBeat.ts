/** Agent: tells of this server in the database, if the settings want that. */
import { Clock, Duration, Effect, Layer, Schedule } from "effect"
import * as AgentRuns from "../measure/AgentRuns.ts"
import { Ids } from "../value/Ids.ts"
import { maxAgents } from "./Server.ts"
import { ServerSettings } from "./ServerSettings.ts"
import { ServerStore } from "./ServerStore.ts"

/** How long a closing layer waits for its last word. */
const stopGraceMs = 1_000

/** Longest name of an agent that is told. */
const maxName = 60

/**
 * One small write every so often, for as long as the layer is open, and one at its end, which says that the server has
 * ended in order. A write that fails is logged, and made again at the next turn.
 */
export const layer: Layer.Layer<never, never, ServerStore | Ids> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { isTold, everyMs, version } = (yield* ServerSettings).servers
    if (!isTold) return
    const store = yield* ServerStore
    const book = yield* AgentRuns.Book
    const id = yield* Ids.use((ids) => ids.next("srv"))
    const startedAt = yield* Clock.currentTimeMillis
    const tell = (isEnd: boolean) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const agents = Array.from(book.values()).filter(({ agent }) => agent.length <= maxName)
        const endedAt = isEnd ? now : null
        return store.tell({ id, version, startedAt, seenAt: now, endedAt, agents: agents.slice(0, maxAgents) })
      })
    yield* Effect.logDebug("ServerBeat: begins").pipe(Effect.annotateLogs({ server: id }))
    // Registered before the fork, so it runs after that has ended: nothing is told after the last word.
    yield* Effect.addFinalizer(() => Effect.ignore(Effect.timeout(tell(true), Duration.millis(stopGraceMs))))
    yield* tell(false).pipe(
      AgentRuns.observed("ServerBeat", "sweep", everyMs),
      Effect.catchCause((cause) => Effect.logWarning("ServerBeat: not told", cause)),
      Effect.repeat(Schedule.spaced(Duration.millis(everyMs))),
      Effect.forkScoped
    )
  })
)
