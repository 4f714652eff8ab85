/** How agents remove what is older than it need be: in small steps, with a rest between them, sweep after sweep. */
import { Duration, Effect, Schedule, type Scope } from "effect"
import * as AgentRuns from "../measure/AgentRuns.ts"

/** Between two steps, so that a sweep takes a small part of the database's time. */
const restMs = 50

/** Lets others at the database. */
const rest: Effect.Effect<void> = Effect.sleep(Duration.millis(restMs))

/** Repeats a step, which may remove `limit` rows and answers how many it has, until it finds less. */
export const exhaust = <E, R>(
  limit: number,
  step: (limit: number) => Effect.Effect<number, E, R>
): Effect.Effect<void, E, R> =>
  Effect.asVoid(
    Effect.repeat(
      Effect.tap(step(limit), (count) => (count > 0 ? rest : Effect.void)),
      { while: (count) => count >= limit }
    )
  )

/** Walks from place to place, which each step answers together with how many rows it has removed, to the end. */
export const walk = <Place, E, R>(
  step: (after: Place | null) => Effect.Effect<{ readonly removed: number; readonly next: Place | null }, E, R>
): Effect.Effect<void, E, R> =>
  Effect.gen(function* () {
    let after: Place | null = null
    do {
      const { removed, next }: { removed: number; next: Place | null } = yield* step(after)
      after = next
      if (removed > 0) yield* rest
    } while (after !== null)
  })

/**
 * Sweeps every so often, in the background of the scope. A failed sweep is logged; the next one does its work. Steps
 * leave what another server has locked, so any number of servers may sweep at once.
 */
export const sweepEvery = <E, R>(
  everyMs: number,
  name: string,
  sweep: Effect.Effect<void, E, R>
): Effect.Effect<void, never, R | Scope.Scope> =>
  sweep.pipe(
    AgentRuns.observed(name, "sweep", everyMs),
    Effect.catchCause((cause) => Effect.logError(`${name}: sweep failed`, cause)),
    Effect.repeat(Schedule.spaced(Duration.millis(everyMs))),
    Effect.forkScoped,
    Effect.asVoid
  )
