/** Spans of what happens so often that one which goes nowhere would cost more than it is worth. */
import { Effect, type Fiber, Tracer } from "effect"

/** What a span says of itself: values of a fixed set and numbers, never what people or strangers write. */
export type Facts = Readonly<Record<string, string | number | boolean>>

/** Whether the application has given a tracer: without one a span costs this look. */
export const isTraced = ({ cache: { tracer } }: Pick<Fiber.Fiber<unknown>, "cache">): boolean =>
  tracer !== undefined && tracer !== Tracer.nativeTracer

/** The same with a span of this name if the application has given a tracer. `options` are asked for only then. */
export const traced =
  (name: string, options?: () => Tracer.SpanOptionsNoTrace) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) =>
      isTraced(fiber)
        ? (Effect.withSpan(effect, name, { ...options?.(), captureStackTrace: false }) as Effect.Effect<A, E, R>)
        : effect
    )

/** Says this of the span under way, if the application has given a tracer. */
export const describe = (facts: () => Facts): Effect.Effect<void> =>
  Effect.withFiber((fiber) => {
    const { span } = fiber.cache
    if (!isTraced(fiber) || span?._tag !== "Span") return Effect.void
    for (const [name, value] of Object.entries(facts())) span.attribute(name, value)
    return Effect.void
  })
