/**
 * Waits for changes of single invoices, as their open pages do. One look serves all that wait on this server; without
 * one nothing is looked for. Places are few, and shared fairly between visitors.
 */
import { Context, Deferred, Duration, Effect, Layer, Queue } from "effect"
import type { InvoiceId } from "../../value/Ids.ts"
import { Hints } from "../../work/Hints.ts"
import { InvoiceSettings } from "../InvoiceSettings.ts"
import { InvoiceStore } from "../InvoiceStore.ts"

/** A place to wait at. */
export interface Seat {
  /** Waits until the invoice has another version, or is gone; false: the place is needed by others, and lost. */
  readonly changed: (id: InvoiceId, version: number) => Effect.Effect<boolean>
  /** Gives the place back. May be called again. */
  readonly leave: () => void
}

interface Waiting {
  readonly id: InvoiceId
  readonly version: number
  readonly woken: Deferred.Deferred<void>
}

interface Place {
  waiting: Waiting | null
  readonly lost: Deferred.Deferred<void>
}

const make = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const hints = yield* Hints
  const { watching: limits } = yield* InvoiceSettings
  // By visitor, the oldest first.
  const places = new Map<string, Set<Place>>()
  let taken = 0
  const nudges = yield* Queue.sliding<void>(1)

  const waitingNow = (): ReadonlyArray<Waiting> =>
    Array.from(places.values()).flatMap((own) => Array.from(own).flatMap(({ waiting }) => waiting ?? []))

  const look = Effect.gen(function* () {
    const all = waitingNow()
    const versions = yield* store.versions(Array.from(new Set(all.map(({ id }) => id))))
    for (const { id, version, woken } of all) {
      if (versions.get(id) !== version) Deferred.doneUnsafe(woken, Effect.void)
    }
  })
  const turn = Effect.gen(function* () {
    if (waitingNow().length === 0) yield* Queue.take(nudges)
    else {
      const due = Effect.sleep(Duration.millis(limits.pollMs))
      yield* Effect.raceFirst(Effect.raceFirst(hints.awaitChange, Queue.take(nudges)), due)
    }
    yield* Effect.catchCause(look, (cause) => Effect.logError("InvoiceChanges: look failed", cause))
    yield* Effect.sleep(Duration.millis(limits.restMs))
  })
  yield* Effect.forkScoped(Effect.forever(turn))

  const leave = (visitor: string, place: Place) => {
    const own = places.get(visitor)
    if (own?.delete(place) !== true) return
    taken -= 1
    if (own.size === 0) places.delete(visitor)
  }

  /** Whose places are most: the oldest of them goes where others have fewer. */
  const makeRoom = (visitor: string): boolean => {
    let most: readonly [string, Set<Place>] | undefined
    for (const one of places) if (most === undefined || one[1].size > most[1].size) most = one
    if (most === undefined || most[1].size <= (places.get(visitor)?.size ?? 0) + 1) return false
    const [oldest] = most[1]
    if (oldest === undefined) return false
    Deferred.doneUnsafe(oldest.lost, Effect.void)
    leave(most[0], oldest)
    return true
  }

  /** A place for the visitor; null: they have as many as they may, or all are taken by those who have no more. */
  const sit = (visitor: string, limit: number = limits.ofVisitor): Seat | null => {
    if ((places.get(visitor)?.size ?? 0) >= limit) return null
    if (taken >= limits.all && !makeRoom(visitor)) return null
    const place: Place = { waiting: null, lost: Deferred.makeUnsafe() }
    places.set(visitor, (places.get(visitor) ?? new Set()).add(place))
    taken += 1
    const changed = (id: InvoiceId, version: number) =>
      Effect.suspend(() => {
        const woken = Deferred.makeUnsafe<void>()
        place.waiting = { id, version, woken }
        // What was committed since it was read is seen at once.
        Queue.offerUnsafe(nudges, undefined)
        return Effect.raceFirst(
          Effect.as(Deferred.await(woken), true),
          Effect.as(Deferred.await(place.lost), false)
        ).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              place.waiting = null
            })
          )
        )
      })
    return { changed, leave: () => leave(visitor, place) }
  }

  return { sit, taken: () => taken }
})

/** Places to wait for changes of invoices at. */
export class InvoiceChanges extends Context.Service<InvoiceChanges, Effect.Success<typeof make>>()(
  "@tolem/core/InvoiceChanges"
) {
  /** Looks for changes while anyone waits, until it is closed. */
  static readonly layer = Layer.effect(InvoiceChanges, make)
}
