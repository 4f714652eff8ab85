/** Reads again and again while others write. */
import { Deferred, Effect, Fiber } from "effect"

/** Writers at once. */
export const writers = 20
/** How often each of them goes on. */
export const rounds = 4
const readers = 3

/**
 * Runs `write` for each of the writers at once, and `read` all the while. What is read once they are done is answered.
 */
export const during = Effect.fnUntraced(function* <A, E, R, E2, R2>(
  read: Effect.Effect<A, E, R>,
  write: (writer: number) => Effect.Effect<unknown, E2, R2>
) {
  const done = yield* Deferred.make<void>()
  // The clocks of tests stand still: readers let others have their turn by themselves.
  const reading = Effect.repeat(Effect.andThen(read, Effect.yieldNow), { until: () => Deferred.isDone(done) })
  const fibers = yield* Effect.forEach(Array.from({ length: readers }), () => Effect.forkChild(reading))
  const all = Array.from({ length: writers }, (_, writer) => write(writer))
  yield* Effect.ensuring(Effect.all(all, { concurrency: "unbounded" }), Deferred.succeed(done, undefined))
  yield* Effect.forEach(fibers, Fiber.join)
  return yield* read
})
