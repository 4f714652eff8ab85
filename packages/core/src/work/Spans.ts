/** Spans of what happens so often that one which goes nowhere would cost more than it is worth. */
import { Effect, Tracer } from "effect"

/** The same with a span of this name, if the application has given a tracer: without one it costs a look. */
export const traced =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => {
      const isTraced = fiber.getRef(Tracer.Tracer) !== Tracer.nativeTracer
      return isTraced ? (Effect.withSpan(effect, name) as Effect.Effect<A, E, R>) : effect
    })
