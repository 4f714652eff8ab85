/**
 * The clocks of sandboxes that were moved ahead. Real time is the default; the use-cases of what lives in a sandbox
 * (invoices, subscriptions, payment links, form hooks) enter its time themselves. What leaves it (webhooks, letters,
 * the audit log) is at real time.
 */
import { Clock, Context, Effect, Layer } from "effect"
import type { StorageError } from "../error/StorageError.ts"
import type { OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"
import { type Among, tenantKey } from "../value/Tenant.ts"
import { ClockStore } from "./ClockStore.ts"

/** How far the clock of the running fiber is ahead of the real one, in milliseconds. */
export const AheadMs = Context.Reference<number>("@tolem/core/AheadMs", { defaultValue: () => 0 })

/** The real time in milliseconds, for what is written within the time of a sandbox but belongs to the world outside. */
export const realNow: Effect.Effect<number> = Effect.gen(function* () {
  return (yield* Clock.currentTimeMillis) - (yield* AheadMs)
})

/** Runs an effect with the clock so many milliseconds ahead of the real one, whatever the fiber's clock. */
export const ahead =
  (aheadMs: number) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(AheadMs, (current) =>
      aheadMs === current
        ? self
        : Effect.flatMap(Clock.Clock, (clock) =>
            self.pipe(
              Effect.provideService(Clock.Clock, shifted(clock, aheadMs - current)),
              Effect.provideService(AheadMs, aheadMs)
            )
          )
    )

/** Runs an effect with the real clock, whatever the clock of the running fiber. */
export const inRealTime = ahead(0)

const shifted = (clock: Clock.Clock, aheadMs: number): Clock.Clock => {
  const millis = () => clock.currentTimeMillisUnsafe() + aheadMs
  const nanos = () => clock.currentTimeNanosUnsafe() + BigInt(aheadMs) * 1_000_000n
  return {
    // Copied member by member: a spread would drop the methods of a class-based clock.
    sleep: (duration) => clock.sleep(duration),
    monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
    monotonicTimeNanos: clock.monotonicTimeNanos,
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos)
  }
}

/** How long it may take until other servers act at a clock that was moved, in milliseconds. */
export const knownForMs = 500

/** Only what is due in this sandbox. */
export const sandboxOf = (organizationId: OrganizationId, each: number): Among => ({
  tenants: [{ organizationId, mode: "sandbox" }],
  each
})

/** Leases what is due at `now`, until `until`; see the stores. */
export type ClaimAhead<A> = (
  now: number,
  until: number,
  limit: number,
  among?: Among
) => Effect.Effect<ReadonlyArray<A>, StorageError>

/** Whose time it is. */
export interface TimeOwner {
  readonly organizationId: OrganizationId
  readonly mode: Mode
}

const make = Effect.gen(function* () {
  const store = yield* ClockStore
  let known: ReadonlyMap<string, number> = new Map()
  let knownUntil = Number.NEGATIVE_INFINITY

  const all = Effect.gen(function* () {
    const now = (yield* Clock.Clock).currentTimeMillisUnsafe() - (yield* AheadMs)
    // Also after a clock that was set back, as tests and administrators do.
    if (now < knownUntil && now > knownUntil - 2 * knownForMs) return known
    knownUntil = now + knownForMs
    known = yield* store.ahead
    return known
  })

  // Sandboxes first: what they lease is then too far ahead for the claim of everybody. Each has a share that leaves
  // as much to everybody; what is left in the end is for those who have more.
  const claiming =
    <A>(claim: ClaimAhead<A>): ClaimAhead<A> =>
    (now, until, limit, among) =>
      Effect.gen(function* () {
        const isFree = (organizationId: OrganizationId) =>
          !among?.busy?.has(tenantKey({ organizationId, mode: "sandbox" }))
        const clocks = rotated([...(yield* all)].filter(([organizationId]) => isFree(organizationId)))
        const taken: Array<A> = []
        const hungry: Array<(typeof clocks)[number]> = []
        const takeOf = Effect.fnUntraced(function* (clock: (typeof clocks)[number], most: number) {
          const [organizationId, aheadMs] = clock
          const of = sandboxOf(organizationId, most)
          const got = most > 0 ? yield* claim(now + aheadMs, until + aheadMs, most, of) : []
          taken.push(...got)
          if (most > 0 && got.length >= most) hungry.push(clock)
        })
        for (const [index, clock] of clocks.entries()) {
          const left = limit - taken.length
          yield* takeOf(clock, Math.min(left, Math.max(1, Math.floor(left / (clocks.length - index + 1)))))
        }
        if (taken.length < limit) taken.push(...(yield* claim(now, until, limit - taken.length, among)))
        for (const clock of hungry.splice(0)) yield* takeOf(clock, limit - taken.length)
        return taken
      })

  let turn = 0
  const rotated = <A>(list: ReadonlyArray<A>): ReadonlyArray<A> => {
    const first = list.length === 0 ? 0 : turn++ % list.length
    return [...list.slice(first), ...list.slice(0, first)]
  }

  const within =
    (organizationId: OrganizationId, mode: Mode) =>
    <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
      mode === "live" ? inRealTime(self) : Effect.flatMap(all, (clocks) => ahead(clocks.get(organizationId) ?? 0)(self))

  const entering =
    <C extends TimeOwner, Rest extends ReadonlyArray<unknown>, A, E, R>(
      verb: (caller: C, ...rest: Rest) => Effect.Effect<A, E, R>
    ) =>
    (caller: C, ...rest: Rest) =>
      within(caller.organizationId, caller.mode)(verb(caller, ...rest))

  return {
    /** Has this server look anew, as a clock was moved. */
    forget: Effect.sync(() => {
      knownUntil = Number.NEGATIVE_INFINITY
    }),
    /** The sandboxes whose clocks are ahead, and by how many milliseconds. At most half a second old. */
    all,
    /** A claim that first takes what is due in sandboxes that are ahead, and then what is due for everybody. */
    claiming,
    /**
     * Runs an effect at the clock of this organization and mode. Live ones have the real clock. An effect that is
     * within already stays there.
     */
    within,
    /** The verb, run within the time of its caller; see `within`. */
    entering
  }
})

/** How far each sandbox is ahead of real time. */
export class SandboxClocks extends Context.Service<SandboxClocks, Effect.Success<typeof make>>()(
  "@tolem/core/SandboxClocks"
) {
  /** The clocks as stored. */
  static readonly layer = Layer.effect(SandboxClocks, make)
}
