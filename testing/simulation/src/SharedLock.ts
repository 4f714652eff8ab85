/** The lock of a database that the machines of a simulation share: one that crashes gives it back. */
import { Effect, type Scope, Semaphore } from "effect"
import { CurrentMachine, type Machine } from "./Simulation.ts"

/** A semaphore of one permit. `undo` is called when a machine crashes that holds it. */
export const make = (
  onCrash: (listener: (machine: Machine) => void) => void,
  undo: () => void
): Semaphore.Semaphore => {
  let holder: Machine | null = null
  let waiters: ReadonlyArray<() => void> = []

  // All are woken, and the first to run takes it: so a wake is not lost with a fiber that is interrupted or crashed.
  const free = () => {
    const woken = waiters
    holder = null
    waiters = []
    for (const wake of woken) wake()
  }
  onCrash((machine) => {
    if (holder !== machine) return
    undo()
    free()
  })

  const waitIn = (machine: Machine) =>
    Effect.callback<void>((resume) => {
      // In a turn of its own: resuming runs a fiber at once, also one of a machine that has crashed.
      const wake = () => machine.simulation.schedule(machine, () => resume(Effect.void))
      // It may have become free since it was looked at.
      if (holder === null) wake()
      else waiters = [...waiters, wake]
    })
  const takeScoped = Effect.uninterruptibleMask((restore) => {
    const take: Effect.Effect<void, never, Scope.Scope> = Effect.flatMap(CurrentMachine, (machine) => {
      if (machine === null) return Effect.die(new Error("outside of a simulation"))
      if (holder !== null) return Effect.andThen(restore(waitIn(machine)), take)
      holder = machine
      return Effect.addFinalizer(() => Effect.sync(free))
    })
    return take
  })

  const withPermit = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.scoped(Effect.andThen(takeScoped, self))
  return Object.assign(Semaphore.makeUnsafe(1), { takeScoped: () => takeScoped, withPermit })
}
