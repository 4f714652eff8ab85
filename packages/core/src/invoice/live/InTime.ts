/** Calls that move money are made soon after they were written down, or not at all. */
import { Clock, Effect } from "effect"
import { Answer } from "../../provider/Answer.ts"
import { firstLookMs } from "./CreationStages.ts"

/**
 * Asks the provider only while others leave it to this call, which was written down at `since` (epoch milliseconds). A
 * server that stood still after that finds the time over, and answers `Unknown`: what it wanted may count as never
 * asked for by now, and have been asked for again.
 */
export const inTime = <A>(since: number, call: Effect.Effect<Answer<A>>): Effect.Effect<Answer<A>> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    now < since + firstLookMs
      ? call
      : Effect.as(
          Effect.logWarning("LivePayments: too late to ask the provider", { lateMs: now - since }),
          Answer.Unknown({ reason: "timeout" })
        )
  )
