/**
 * Hints that something may be due. They only shorten an agent's wait: its poll is the guarantee, so a hint may be lost,
 * doubled or ignored.
 */
import { Context, Deferred, Effect, Layer, Queue, Stream } from "effect"

/**
 * Carries hints about deliveries between the servers on one database, if the storage can do so. By default no other
 * server is told, and none tells us. Losing a hint is no harm.
 */
export const HintRelay = Context.Reference<{
  /** Tells the others. Never waits, never fails. */
  readonly publish: Effect.Effect<void>
  /** What the others tell, for ever. */
  readonly received: Stream.Stream<void>
}>("@tolem/core/HintRelay", { defaultValue: () => ({ publish: Effect.void, received: Stream.never }) })

const make = Effect.gen(function* () {
  // Room for one: a hint says "look", not how often.
  const deliveries = yield* Queue.sliding<void>(1)
  const relay = yield* HintRelay
  let change = Deferred.makeUnsafe<void>()
  const look = Effect.sync(() => {
    Queue.offerUnsafe(deliveries, undefined)
    Deferred.doneUnsafe(change, Effect.void)
    change = Deferred.makeUnsafe()
  })
  yield* Effect.forkScoped(Stream.runForEach(relay.received, () => look))

  return {
    /** Says that deliveries may have fallen due. Never waits, never fails. */
    deliveriesDue: Effect.andThen(look, relay.publish),
    /** Waits for the next hint about deliveries; hints in between are merged. */
    awaitDeliveries: Queue.take(deliveries),
    /** Waits for the next hint that something was committed that makes deliveries due. Any number may wait. */
    awaitChange: Effect.suspend(() => Deferred.await(change))
  }
})

/** Hints to other servers, and from them, that something may be due. */
export class Hints extends Context.Service<Hints, Effect.Success<typeof make>>()("@tolem/core/Hints") {
  /** Hints within this process, and those of the relay. */
  static readonly layer = Layer.effect(Hints, make)
}
