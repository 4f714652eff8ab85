/**
 * Hints that something may be due. They only shorten an agent's wait: its poll is the guarantee, so a hint may be lost,
 * doubled or ignored.
 */
import { Context, Deferred, Effect, Layer, Queue, Stream } from "effect"
import { type Tenant, tenantKey } from "../value/Tenant.ts"

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

/** Tenants that are remembered by name at once. Any others are found as if they had not been named. */
const maxNamed = 256

const make = Effect.gen(function* () {
  // Room for one: a hint says "look", not how often.
  const deliveries = yield* Queue.sliding<void>(1)
  const named = new Map<string, Tenant>()
  const names = yield* Queue.sliding<void>(1)
  const relay = yield* HintRelay
  let change = Deferred.makeUnsafe<void>()
  const changed = () => {
    Deferred.doneUnsafe(change, Effect.void)
    change = Deferred.makeUnsafe()
  }
  const look = () => void Queue.offerUnsafe(deliveries, undefined)
  const name = ({ organizationId, mode }: Tenant): void => {
    const key = tenantKey({ organizationId, mode })
    if (named.size >= maxNamed && !named.has(key)) look()
    else {
      named.set(key, { organizationId, mode })
      Queue.offerUnsafe(names, undefined)
    }
  }
  const received = Effect.sync(() => {
    look()
    changed()
  })
  yield* Effect.forkScoped(Stream.runForEach(relay.received, () => received))

  return {
    /** Says that deliveries of the tenant may have fallen due. Never waits, never fails. */
    deliveriesDue: (of: Tenant) =>
      Effect.suspend(() => {
        name(of)
        changed()
        return relay.publish
      }),
    /** The same for this process alone: the other servers have been told. */
    moreDue: (of: Tenant) => Effect.sync(() => name(of)),
    /** Waits for the next hint about deliveries of a tenant that is not named; hints in between are merged. */
    awaitDeliveries: Queue.take(deliveries),
    /** Waits until this process has been told of tenants by name, and takes their names. */
    awaitNamed: Effect.map(Queue.take(names), (): ReadonlyArray<Tenant> => {
      const taken = [...named.values()]
      named.clear()
      return taken
    }),
    /** Waits for the next hint that something was committed that makes deliveries due. Any number may wait. */
    awaitChange: Effect.suspend(() => Deferred.await(change))
  }
})

/** Hints to other servers, and from them, that something may be due. */
export class Hints extends Context.Service<Hints, Effect.Success<typeof make>>()("@tolem/core/Hints") {
  /** Hints within this process, and those of the relay. */
  static readonly layer = Layer.effect(Hints, make)
}
