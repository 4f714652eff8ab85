/** Lets others have the event loop in the midst of large work. */
import { Effect } from "effect"

/** What is run before each step, with the bytes of the step: it lets others run whenever so many have been done. */
export const make = (everyBytes: number): ((bytes: number) => Effect.Effect<void>) => {
  let done = 0
  return (bytes) =>
    Effect.suspend(() => {
      const isDue = done >= everyBytes
      done = isDue ? bytes : done + bytes
      return isDue ? Effect.yieldNow : Effect.void
    })
}
