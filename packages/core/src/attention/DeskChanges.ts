/**
 * Tells members at work what changes: ids and types, of what their role sees. One look serves all who listen on this
 * server; without one nothing is looked for.
 */
import { Clock, Context, Deferred, Duration, Effect, Layer, Queue } from "effect"
import type { Desk } from "../cabinet/Desks.ts"
import type { Cursor } from "../feed/Cursor.ts"
import { FeedSettings } from "../feed/FeedSettings.ts"
import { FeedStore } from "../feed/FeedStore.ts"
import { TooManyWaiting } from "../feed/FeedWatch.ts"
import type { SessionId } from "../value/Ids.ts"
import { type Tenant, tenantKey } from "../value/Tenant.ts"
import { Hints } from "../work/Hints.ts"
import { ChangeStore, standingOf, type WatchedThing } from "./ChangeStore.ts"
import { byId, changed, type DeskChange, ofEntry, seenAs, seesEntry, seesThing } from "./DeskChange.ts"

/** Who listens. */
export interface Listener {
  /** What has changed since the last call, one at least; null: the session has ended, or is another member now. */
  readonly next: Effect.Effect<ReadonlyArray<DeskChange> | null>
  /** Where in the feed it began. */
  readonly from: Cursor
  readonly leave: () => void
}

interface Seat {
  readonly desk: Desk
  readonly sessionId: SessionId
  readonly tenant: Tenant
  standing: string | null | undefined
  /** How far in the feed they were told of when they came, while the look of the server stands before it. */
  known: number
  pending: ReadonlyArray<DeskChange>
  isEnded: boolean
  woken: Deferred.Deferred<void>
}

/** Changes that are kept for one who does not take them; behind them all is to be read again. */
const maxPending = 500

/** Events that are read at once, and that one who comes back is told. */
const readAtOnce = 200

const reset: DeskChange = { type: "reset", id: null, event: null, cursor: null }

const make = Effect.gen(function* () {
  const feed = yield* FeedStore
  const store = yield* ChangeStore
  const hints = yield* Hints
  const { feed: limits } = yield* FeedSettings
  const seats = new Set<Seat>()
  const heads = new Map<string, Cursor>()
  const states = new Map<string, ReadonlyMap<string, WatchedThing>>()
  const [arrivals, visits] = [yield* Queue.sliding<void>(1), yield* Queue.sliding<void>(1)]

  const organizations = () => [...new Set(Array.from(seats, ({ desk }) => desk.organization.id))]

  const readBehind = (tenant: Tenant, after: Cursor) =>
    feed.read({ ...tenant, connectionId: null, start: { after }, types: [], limit: readAtOnce, lookAt: readAtOnce })

  const readTenant = Effect.fnUntraced(function* (tenant: Tenant, head: Cursor) {
    const { entries, cursor } = yield* readBehind(tenant, head)
    const key = tenantKey(tenant)
    if (heads.has(key)) heads.set(key, cursor)
    for (const seat of seats) {
      if (tenantKey(seat.tenant) !== key) continue
      const news = entries.filter(({ cursor }) => cursor.position > seat.known)
      // From here on the look itself tells each once, also when the database was put back to an earlier state.
      if (cursor.position >= seat.known) seat.known = 0
      give(seat, news.filter((entry) => seesEntry(seat.desk, entry)).map(ofEntry))
    }
  })

  const lookAtFeed = Effect.gen(function* () {
    const tenants = new Map(Array.from(seats, ({ tenant }) => [tenantKey(tenant), tenant] as const))
    for (const key of heads.keys()) if (!tenants.has(key)) heads.delete(key)
    const place = (organizationId: string) =>
      Effect.catchCause(feed.place(organizationId, limits.placedAtOnce), (cause) =>
        Effect.logError("DeskChanges: events without a place", cause)
      )
    yield* Effect.forEach(yield* feed.arrived(organizations()), place, { discard: true })
    const waits = Array.from(tenants.values(), (tenant) => {
      const head = heads.get(tenantKey(tenant))
      return head === undefined ? [] : [{ ...tenant, connectionId: null, types: [], position: head.position, head }]
    }).flat()
    for (const { organizationId, mode, head } of yield* feed.ready(waits)) {
      yield* readTenant({ organizationId, mode }, head)
    }
  })

  const lookAtThings = Effect.gen(function* () {
    const wanted = organizations()
    for (const id of states.keys()) if (!wanted.includes(id)) states.delete(id)
    const found = Map.groupBy(yield* store.things(wanted), ({ organizationId }) => organizationId)
    for (const id of wanted) {
      const [before, now] = [states.get(id), byId(found.get(id) ?? [])]
      states.set(id, now)
      if (before !== undefined) tellOf(seats, id, changed(before, now))
    }
  })

  const lookAtSessions = Effect.gen(function* () {
    const all = [...seats]
    const presences = all.map(({ sessionId, desk }) => ({ sessionId, organizationId: desk.organization.id }))
    const found = yield* store.standing(presences, yield* Clock.currentTimeMillis)
    for (const [index, seat] of all.entries()) {
      const standing = found[index] ?? null
      // One that has just come has none yet.
      if (seat.standing !== undefined && standing !== seat.standing) end(seat)
    }
  })

  const safely = <E, R>(look: Effect.Effect<void, E, R>) =>
    Effect.catchCause(look, (cause) => Effect.logError("DeskChanges: look failed", cause))

  const feedTurn = Effect.gen(function* () {
    if (seats.size === 0) return yield* Queue.take(arrivals)
    yield* Effect.raceFirst(hints.awaitChange, Effect.sleep(Duration.millis(limits.pollMs)))
    yield* safely(lookAtFeed)
    yield* Effect.sleep(Duration.millis(limits.restMs))
  })
  const thingsTurn = Effect.gen(function* () {
    if (seats.size === 0) {
      states.clear()
      return yield* Queue.take(visits)
    }
    yield* Effect.sleep(Duration.millis(limits.thingsMs))
    yield* safely(lookAtThings)
    yield* safely(lookAtSessions)
  })
  yield* Effect.forkScoped(Effect.forever(feedTurn))
  yield* Effect.forkScoped(Effect.forever(thingsTurn))

  /** Has a stream end, whether or not it is taken from: its place is free at once. */
  const end = (seat: Seat): void => {
    seat.isEnded = true
    seats.delete(seat)
    Deferred.doneUnsafe(seat.woken, Effect.void)
  }

  /**
   * One more of a session or an account, or of an organization, or of all is too many. Where an organization, or the
   * server, is full, the account or organization that has most gives way to one with fewer.
   */
  const isFull = ({ accountId, organization }: Desk, sessionId: SessionId): boolean => {
    const all = [...seats]
    const ofAccount = all.filter(({ desk }) => desk.accountId === accountId)
    const own = all.filter(({ desk }) => desk.organization.id === organization.id)
    const ofBoth = ofAccount.filter((seat) => own.includes(seat))
    if (ofAccount.filter((seat) => seat.sessionId === sessionId).length >= limits.streamsOfSession) return true
    if (ofAccount.length >= limits.streamsOfAccount) return true
    const [byAccount, byOrganization] = [({ desk }: Seat) => desk.accountId, ({ desk }: Seat) => desk.organization.id]
    if (own.length >= limits.streamsOfOrganization) return !makeRoom(own, byAccount, ofBoth.length)
    return all.length >= limits.streams && !makeRoom(all, byOrganization, own.length)
  }

  const makeRoom = (among: ReadonlyArray<Seat>, by: (seat: Seat) => string, count: number): boolean => {
    const groups = Map.groupBy(among, by)
    const most = [...groups.values()].reduce((a, b) => (b.length > a.length ? b : a), [])
    const [oldest] = most
    if (oldest === undefined || most.length <= count + 1) return false
    end(oldest)
    return true
  }

  const sit = (desk: Desk, sessionId: SessionId): Seat | null => {
    if (isFull(desk, sessionId)) return null
    const tenant = { organizationId: desk.organization.id, mode: desk.mode }
    const woken = Deferred.makeUnsafe<void>()
    const seat: Seat = { desk, sessionId, tenant, standing: undefined, known: 0, pending: [], isEnded: false, woken }
    seats.add(seat)
    Queue.offerUnsafe(arrivals, undefined)
    Queue.offerUnsafe(visits, undefined)
    return seat
  }

  const begin = Effect.fnUntraced(function* (seat: Seat, after: Cursor | undefined) {
    const { tenant, desk } = seat
    const key = tenantKey(tenant)
    const start = { since: Number.MAX_SAFE_INTEGER }
    const { cursor: newest } = yield* feed.read({
      ...tenant,
      connectionId: null,
      start,
      types: [],
      limit: 1,
      lookAt: 1
    })
    if (!heads.has(key)) heads.set(key, newest)
    if (after === undefined) {
      seat.known = newest.position
      seat.pending = seat.pending.filter((change) => isBehind(change, seat.known))
    }
    const { id } = desk.organization
    const [standing = null] = yield* store.standing(
      [{ sessionId: seat.sessionId, organizationId: id }],
      yield* Clock.currentTimeMillis
    )
    seat.standing = standing
    // They may have become another one since they were let in.
    if (standing !== standingOf(desk)) end(seat)
    const things = yield* store.things([id])
    if (!states.has(id)) states.set(id, byId(things))
    if (after === undefined) return newest
    yield* feed.place(id, limits.placedAtOnce)
    const { entries, more, cursor } = yield* readBehind(tenant, after)
    const told = entries.filter((entry) => seesEntry(desk, entry)).map(ofEntry)
    // What was heard meanwhile, or is heard later, is told where it stands behind what was read now.
    seat.known = cursor.position
    const since = seat.pending.filter((change) => isBehind(change, cursor.position))
    const any = (type: "connection" | "endpoint"): DeskChange => ({ type, id: null, event: null, cursor: null })
    const others = (["connection", "endpoint"] as const).filter((type) => seenAs(desk, type) !== null).map(any)
    seat.pending = []
    give(seat, [...told, ...others, ...(more ? [reset] : []), ...since])
    return cursor
  })

  const listen = Effect.fnUntraced(function* (desk: Desk, sessionId: SessionId, after?: Cursor) {
    const seat = sit(desk, sessionId)
    if (seat === null) return yield* new TooManyWaiting()
    const leave = () => void seats.delete(seat)
    const from = yield* Effect.onError(begin(seat, after), () => Effect.sync(leave))
    const next = Effect.gen(function* () {
      yield* Deferred.await(seat.woken)
      const { pending } = seat
      seat.pending = []
      if (!seat.isEnded) seat.woken = Deferred.makeUnsafe()
      return seat.isEnded ? null : pending
    })
    return { next, from, leave } satisfies Listener
  })

  return {
    /** Whether there is no place for one more of this session. */
    isFull,
    /** Takes a place, until `leave`. `after`: where an earlier one ended; what changed since is told first. */
    listen
  }
})

/** Who listens for changes on this server. */
export class DeskChanges extends Context.Service<DeskChanges, Effect.Success<typeof make>>()(
  "@tolem/core/DeskChanges"
) {
  /** Looks for changes while anyone listens, until it is closed. */
  static readonly layer = Layer.effect(DeskChanges, make)
}

const give = (seat: Seat, changes: ReadonlyArray<DeskChange>): void => {
  if (changes.length === 0) return
  const all = [...seat.pending, ...changes]
  const last = all.at(-1)
  seat.pending = all.length <= maxPending ? all : [{ ...reset, cursor: last?.cursor ?? null }]
  Deferred.doneUnsafe(seat.woken, Effect.void)
}

const isBehind = ({ cursor }: DeskChange, position: number): boolean =>
  (cursor?.position ?? Number.POSITIVE_INFINITY) > position

const tellOf = (seats: Iterable<Seat>, organizationId: string, things: ReadonlyArray<WatchedThing>): void => {
  for (const seat of seats) {
    if (seat.desk.organization.id !== organizationId) continue
    const seen = things.filter((thing) => seesThing(seat.desk, thing))
    give(
      seat,
      seen.map(({ type, id }) => ({ type, id, event: null, cursor: null }))
    )
  }
}
