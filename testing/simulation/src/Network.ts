/** What lies between the machines of a simulation: it delays, and it loses. */
import { Effect, type Exit } from "effect"
import { CurrentMachine, type Machine } from "./Simulation.ts"

/** How long the two ways of a call take; null: what is on that way is lost. Milliseconds. */
export interface Travel {
  readonly requestMs: number | null
  readonly answerMs: number | null
}

/** Has `effect` done on another machine. Nothing ever comes back where the network loses it or that machine crashes. */
export const remotely = <A, E>(to: Machine, travel: Travel, effect: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.flatMap(CurrentMachine, (from) =>
    Effect.callback<A, E>((resume) => {
      const { simulation } = to
      const { requestMs, answerMs } = travel
      if (requestMs === null || from === null) return
      const ended = (exit: Exit.Exit<A, E>) => {
        if (answerMs !== null) simulation.at(answerMs, from, () => resume(exit))
      }
      simulation.at(requestMs, to, () => to.fork(effect, ended))
    })
  )
