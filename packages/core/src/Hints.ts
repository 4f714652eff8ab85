/**
 * Hints that something may be due. They only shorten an agent's wait: its poll is the guarantee, so a hint may be lost,
 * doubled or ignored.
 */
import { Context, Effect, Layer, Queue } from "effect"

/** See the file's head. */
export class Hints extends Context.Service<
  Hints,
  {
    /** Says that deliveries may have fallen due. Never waits, never fails. */
    readonly deliveriesDue: Effect.Effect<void>
    /** Waits for the next hint about deliveries; hints in between are merged. */
    readonly awaitDeliveries: Effect.Effect<void>
  }
>()("@tolem/core/Hints") {
  /** Hints within this process. */
  static readonly layer: Layer.Layer<Hints> = Layer.effect(
    Hints,
    Effect.gen(function* () {
      // Room for one: a hint says "look", not how often.
      const deliveries = yield* Queue.sliding<void>(1)
      return {
        deliveriesDue: Effect.asVoid(Queue.offer(deliveries, undefined)),
        awaitDeliveries: Queue.take(deliveries)
      }
    })
  )
}
