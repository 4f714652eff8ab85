/** The lock of a database that the machines of a simulation share: one that crashes gives it back. */
import { Effect, type Scope, Semaphore } from "effect"
import { CurrentMachine, type Machine } from "./Simulation.ts"

/** What the lock has to do with its database. */
interface Locked {
  /** Undoes what is open. */
  readonly undo: () => void
  /** How many rows were written so far. */
  readonly changes: () => number
}

/** A semaphore of one permit. What is open is undone when a machine crashes that holds it. */
export const make = (
  onCrash: (listener: (machine: Machine) => void) => void,
  { undo, changes }: Locked
): Semaphore.Semaphore => {
  let holder: Machine | null = null
  let changesBefore = 0
  let waiters: ReadonlyArray<() => void> = []

  // All are woken, and the first to run takes it: so a wake is not lost with a fiber that is interrupted or crashed.
  const free = () => {
    const woken = waiters
    if (holder !== null) holder.hasLock = false
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
  /** The lock is free again. A machine may stand still before it knows what it has written. */
  const answered = (machine: Machine) => {
    free()
    if (machine.freezeAtAnswerMs === null || changes() === changesBefore) return Effect.void
    machine.freeze(machine.freezeAtAnswerMs)
    return Effect.yieldNow
  }
  const takeScoped = Effect.uninterruptibleMask((restore) => {
    const take: Effect.Effect<void, never, Scope.Scope> = Effect.flatMap(CurrentMachine, (machine) => {
      if (machine === null) return Effect.die(new Error("outside of a simulation"))
      if (holder !== null) return Effect.andThen(restore(waitIn(machine)), take)
      holder = machine
      machine.hasLock = true
      if (machine.freezeAtAnswerMs !== null) changesBefore = changes()
      return Effect.addFinalizer(() => Effect.suspend(() => answered(machine)))
    })
    return take
  })

  const withPermit = <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.scoped(Effect.andThen(takeScoped, self))
  return Object.assign(Semaphore.makeUnsafe(1), { takeScoped: () => takeScoped, withPermit })
}
