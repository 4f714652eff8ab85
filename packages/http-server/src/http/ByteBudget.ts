/** A number of bytes that requests share, so that no crowd of them takes more memory than there is. */
import { Deferred, Duration, Effect, Exit, Option } from "effect"

/** Bytes that were taken. */
export interface Hold {
  /** Takes more at once, or gives some back, so that it holds as many. */
  readonly resize: (bytes: number) => void
  /** Gives everything back. May be called twice. */
  readonly release: () => void
}

/** How much there is, and how long one waits for it. */
export interface BudgetLimits {
  readonly bytes: number
  readonly waitMs: number
  /** Requests that may wait; the next one gets nothing at once. */
  readonly maxWaiting: number
}

interface Waiter {
  readonly owner: string
  readonly bytes: number
  readonly granted: Deferred.Deferred<Hold>
}

/** Makes a budget. */
export const make = (limits: BudgetLimits) => {
  const owners = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let free = limits.bytes

  const charge = (owner: string, bytes: number) => {
    free -= bytes
    const held = (owners.get(owner) ?? 0) + bytes
    if (held === 0) owners.delete(owner)
    else owners.set(owner, held)
  }
  const fits = (owner: string, bytes: number) => (owners.get(owner) ?? 0) + bytes <= free - bytes

  const serve = () => {
    for (const waiter of waiters) {
      if (!fits(waiter.owner, waiter.bytes)) continue
      waiters.delete(waiter)
      Deferred.doneUnsafe(waiter.granted, Exit.succeed(hold(waiter.owner, waiter.bytes)))
    }
  }
  const hold = (owner: string, bytes: number): Hold => {
    let held = bytes
    charge(owner, bytes)
    const resize = (bytes: number) => {
      const more = bytes - held
      held = bytes
      charge(owner, more)
      if (more < 0) serve()
    }
    let isReleased = false
    return {
      resize: (bytes) => {
        if (!isReleased) resize(bytes)
      },
      release: () => {
        if (isReleased) return
        isReleased = true
        resize(0)
      }
    }
  }

  const wait = (owner: string, bytes: number) => {
    const waiter: Waiter = { owner, bytes, granted: Deferred.makeUnsafe() }
    waiters.add(waiter)
    return Deferred.await(waiter.granted).pipe(
      Effect.timeoutOption(Duration.millis(limits.waitMs)),
      Effect.onExit((exit) => {
        waiters.delete(waiter)
        if (Exit.isSuccess(exit) && Option.isSome(exit.value)) return Effect.void
        // It may have been granted in the moment in which the waiting ended.
        return Deferred.isDoneUnsafe(waiter.granted)
          ? Effect.map(Deferred.await(waiter.granted), (hold) => hold.release())
          : Effect.void
      })
    )
  }

  return {
    /**
     * Takes bytes for an owner. Where there is no room it waits for others to give back, first come first served among
     * those that fit; none, when that takes too long or too many wait. Interrupted, it takes nothing.
     *
     * No owner ever holds more than is left for all others: with n greedy ones each holds at most 1/(n+1), and as much
     * is free for the next who comes.
     */
    take: (owner: string, bytes: number): Effect.Effect<Option.Option<Hold>> =>
      Effect.suspend(() => {
        if (fits(owner, bytes)) return Effect.succeed(Option.some(hold(owner, bytes)))
        // What could not be had of an empty budget is not worth waiting for.
        if (2 * bytes > limits.bytes || waiters.size >= limits.maxWaiting) return Effect.succeed(Option.none())
        return wait(owner, bytes)
      }),
    /** Bytes that are held now. */
    held: () => limits.bytes - free
  }
}

/** A number of bytes that requests share. */
export interface ByteBudget extends ReturnType<typeof make> {}
