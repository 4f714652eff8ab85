/** One after another: what is done to one thing waits for its turn, what is done to different things does not. */
import { Effect, Semaphore } from "effect"

/** Gives an effect its turn among those with the same key, in the order in which they came. */
export type KeyedLock = (key: string) => <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

interface Line {
  readonly semaphore: Semaphore.Semaphore
  /** Who acts or waits. */
  length: number
}

/**
 * Makes a line for every key. Lines are of this process alone: they keep rivals from wasting each other's work, while
 * what must hold between servers too is for the storage to see to.
 */
export const make: Effect.Effect<KeyedLock> = Effect.sync(() => {
  const lines = new Map<string, Line>()
  const join = (key: string) =>
    Effect.sync(() => {
      const line = lines.get(key) ?? { semaphore: Semaphore.makeUnsafe(1), length: 0 }
      lines.set(key, line)
      line.length++
      return line
    })
  const leave = (key: string) => (line: Line) =>
    Effect.sync(() => {
      if (--line.length === 0) lines.delete(key)
    })
  return (key) => (effect) =>
    Effect.acquireUseRelease(join(key), ({ semaphore }) => semaphore.withPermit(effect), leave(key))
})
