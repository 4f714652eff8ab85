/**
 * How often strangers may do something: visitors of pages by their addresses, what they make by links and hooks.
 * Counted in fixed windows of one UTC minute over all servers of the database.
 */
import { Clock, Context, Duration, Effect, Exit, Layer, Option } from "effect"
import { isOneItemsFault, overfull, type StorageError } from "../error/StorageError.ts"
import * as Batcher from "../work/Batcher.ts"
import { AccessSettings } from "./AccessSettings.ts"
import * as LocalCounts from "./LocalCounts.ts"
import { networkOf } from "./Network.ts"
import { type Hit, RateStore, type Take, type Taken } from "./RateStore.ts"
import { type RateStanding, standing, startOf } from "./RateWindow.ts"

/** Something that a stranger did. Acts of different kinds are counted apart. */
export interface Act {
  /** A short name of what is counted, as `page`. */
  readonly kind: string
  /** Whose acts are counted: a network of visitors (see `visitorOf`), or the id of a link or hook. */
  readonly subject: string
  /** How many are allowed in a minute. */
  readonly limit: number
}

/** An act out of a bucket that strangers share. */
export interface SharedAct extends Act {
  /** Which act of its visitor it is in this minute, from 1 on; those of unknown visitors are first ones. */
  readonly nth: number
  /** How many places have to be free for each that the visitor had before. */
  readonly freePerPlace: number
}

/**
 * Up to which count of its bucket an act finds room. So of visitors who want everything each gets the same share, and
 * what they leave free is there for the first acts of others.
 */
const roomOf = ({ limit, nth, freePerPlace }: Pick<SharedAct, "limit" | "nth" | "freePerPlace">): number =>
  Math.max(0, limit - freePerPlace * (nth - 1))

/** Who counts as one visitor; those of unknown address count as one together, with a limit of their own. */
export const visitorOf = (
  address: Option.Option<string>,
  limit: number,
  { visitors }: AccessSettings
): Pick<Act, "subject" | "limit"> =>
  Option.match(address, {
    onNone: () => ({ subject: "unknown", limit: Math.max(limit, visitors.unknownPerMinute) }),
    onSome: (address) => ({ subject: networkOf(address), limit })
  })

const make = Effect.gen(function* () {
  const store = yield* RateStore
  const settings = yield* AccessSettings
  const { maxCounted, waitMs } = settings.visitors
  const counts = LocalCounts.make(maxCounted)
  let toldAt = Number.NEGATIVE_INFINITY

  const hit = yield* Batcher.make({
    name: "visits",
    ...settings.batch,
    runAll: (hits: ReadonlyArray<Hit>): Effect.Effect<ReadonlyArray<Exit.Exit<number, StorageError>>, StorageError> =>
      Effect.map(store.hitMany(hits), (all) => all.map((count) => Exit.succeed(count))),
    lineOf: ({ subject }) => subject,
    full: () => overfull("RateStore.hitMany"),
    isolate: isOneItemsFault
  })

  const take = yield* Batcher.make({
    name: "visitor creates",
    ...settings.batch,
    runAll: (takes: ReadonlyArray<Take>): Effect.Effect<ReadonlyArray<Exit.Exit<Taken, StorageError>>, StorageError> =>
      Effect.map(store.takeMany(takes), (all) => all.map((taken) => Exit.succeed(taken))),
    lineOf: ({ subject }) => subject,
    full: () => overfull("RateStore.takeMany"),
    isolate: isOneItemsFault
  })

  /** Once in a window: every visitor would be a line otherwise. */
  const tellOnce = (windowAt: number, reason: unknown) =>
    Effect.suspend(() => {
      if (toldAt === windowAt) return Effect.void
      toldAt = windowAt
      return Effect.logWarning("Visitors: counted by this server alone", reason)
    })

  /** What the storage answers in time; none: this server counts by itself. */
  const shared = <A>(asked: Effect.Effect<A, StorageError>, now: number) =>
    asked.pipe(
      Effect.timeoutOption(Duration.millis(waitMs)),
      Effect.catch((error) => Effect.as(tellOnce(startOf(now), error), Option.none<A>()))
    )

  const countAt = (act: Act, here: number, now: number) =>
    shared(hit({ subject: act.subject, kind: act.kind, windowAt: startOf(now) }), now).pipe(
      Effect.map((shared) => {
        const count = Math.max(
          here,
          Option.getOrElse(shared, () => here)
        )
        counts.raise(act, now, count)
        return standing(count, act.limit, now)
      })
    )

  const takeHere = (act: Act, room: number, now: number): Taken => {
    const count = counts.countOf(act, now)
    return count < room ? { isTaken: true, count: counts.next(act, now) } : { isTaken: false, count }
  }

  const takeAt = Effect.fnUntraced(function* (act: Act, room: number, now: number) {
    const known = counts.countOf(act, now)
    // Counters only grow until the minute ends.
    if (known >= room) return { isTaken: false, count: known }
    if (counts.isCrowded(now)) return takeHere(act, room, now)
    const { subject, kind } = act
    const answer = yield* shared(take({ subject, kind, windowAt: startOf(now), room }), now)
    if (Option.isNone(answer)) return takeHere(act, room, now)
    counts.raise(act, now, answer.value.count)
    return answer.value
  })

  return {
    /**
     * Takes a place of a bucket that strangers share, if there is room for this visitor; see `roomOf`. What is refused
     * takes none. Answers where the bucket stands. Never fails, as `count` does not.
     */
    take: (act: SharedAct): Effect.Effect<RateStanding> =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const { isTaken, count } = yield* takeAt(act, roomOf(act), now)
        return { ...standing(count, act.limit, now), allowed: isTaken }
      }),
    /** The same, counted by this server alone: for what is asked often and costs little. */
    countHere: (act: Act) =>
      Effect.map(Clock.currentTimeMillis, (now) => standing(counts.next(act, now), act.limit, now)),
    /**
     * Counts an act and answers where its subject stands, this act included. Never fails: while the storage does not
     * answer, each server counts for itself, so that a limit is neither lifted nor closes the door. Acts of a subject
     * that has used up its minute reach no storage.
     */
    count: (act: Act) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const here = counts.next(act, now)
        // Who is over the limit stays so until the minute ends. Of more subjects than we keep, rows would have no end.
        const isSettled = here > act.limit || counts.isCrowded(now)
        return isSettled ? Effect.succeed(standing(here, act.limit, now)) : countAt(act, here, now)
      })
  }
})

/** Counts the requests of visitors against their limits. */
export class Visitors extends Context.Service<Visitors, Effect.Success<typeof make>>()("@tolem/core/Visitors") {
  /** Concurrent acts share statements. Memory and rows are bounded. */
  static readonly layer = Layer.effect(Visitors, make)
}
