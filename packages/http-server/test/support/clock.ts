/** A clock whose time the test sets; waiting takes real time. */
import { Clock, Context, Effect, Layer } from "effect"

export interface TestTime {
  now: number
}

/** Everything under the layer sees `time.now`. */
export const layer = (time: TestTime): Layer.Layer<never> => {
  const real = Context.get(Context.empty(), Clock.Clock)
  return Layer.succeed(Clock.Clock, {
    currentTimeMillisUnsafe: () => time.now,
    currentTimeMillis: Effect.sync(() => time.now),
    currentTimeNanosUnsafe: () => BigInt(time.now) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(time.now) * 1_000_000n),
    monotonicTimeNanosUnsafe: () => real.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: real.monotonicTimeNanos,
    sleep: (duration) => real.sleep(duration)
  })
}
