/** Who listens is told each change once, as long as they are who they were, and leaves room for others. */
import { it } from "@effect/vitest"
import { accountOf, creationOf, organizationOf } from "@tolem/testing/fixtures"
import { Context, Effect, Exit, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { ChangeStore, standingOf } from "../../src/attention/ChangeStore.ts"
import { DeskChanges, type Listener } from "../../src/attention/DeskChanges.ts"
import type { Desk } from "../../src/cabinet/Desks.ts"
import type { Cursor } from "../../src/feed/Cursor.ts"
import { type FeedLimits, feedDefaults } from "../../src/feed/FeedSettings.ts"
import { type FeedEntry, FeedStore } from "../../src/feed/FeedStore.ts"
import { settingsKey } from "../../src/value/CommonSettings.ts"
import { Hints } from "../../src/work/Hints.ts"

const shop = organizationOf(accountOf())
const desk: Desk = {
  accountId: "acc_1",
  organization: shop,
  role: "owner",
  mode: "sandbox",
  reach: "all",
  isFresh: false,
  connectionIds: [],
  refundLimit: null
}

/** A feed in memory, of one shop; `blind` keeps the watcher from seeing that there is something new. */
const world = (limits: Partial<FeedLimits> = {}) => {
  const entries: Array<FeedEntry> = []
  const state = { isBlind: false, standings: new Map<string, string | null>(), asked: 0 }
  const placeOf = (index: number): Cursor =>
    index === 0 ? { position: 0, eventId: null } : { position: index, eventId: entries[index - 1]!.event.id }
  const feed = FeedStore.of({
    read: ({ start, limit }) =>
      Effect.sync(() => {
        const from = "after" in start ? start.after.position : entries.length
        const found = entries.slice(from, from + limit)
        return { entries: found, cursor: placeOf(from + found.length), more: from + found.length < entries.length }
      }),
    arrived: () => Effect.succeed([]),
    place: () => Effect.succeed(false),
    ready: (waits) =>
      Effect.sync(() => {
        state.asked++
        return state.isBlind ? [] : waits.filter(({ position }) => position < entries.length)
      })
  })
  const changes = ChangeStore.of({
    standing: (presences) =>
      Effect.sync(() =>
        presences.map(({ sessionId }) =>
          state.standings.has(sessionId) ? state.standings.get(sessionId)! : standingOf(desk)
        )
      ),
    things: () => Effect.succeed([])
  })
  const happen = () => {
    const { invoice, event } = creationOf({ organizationId: shop.id, mode: "sandbox" })
    entries.push({ invoice, event, cursor: { position: entries.length + 1, eventId: event.id } })
    return invoice.id
  }
  const settings = Context.Reference<object>(settingsKey, { defaultValue: () => feedDefaults })
  const layer = DeskChanges.layer.pipe(
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(FeedStore, feed),
        Layer.succeed(ChangeStore, changes),
        Layer.succeed(
          Hints,
          Hints.of({
            deliveriesDue: () => Effect.void,
            moreDue: () => Effect.void,
            awaitDeliveries: Effect.never,
            awaitNamed: Effect.never,
            awaitChange: Effect.never
          })
        ),
        Layer.succeed(settings, { ...feedDefaults, feed: { ...feedDefaults.feed, ...limits } })
      )
    )
  )
  const run = <A, E>(use: (changes: DeskChanges["Service"]) => Effect.Effect<A, E>) =>
    DeskChanges.use(use).pipe(Effect.provide(layer), Effect.scoped)
  return { run, happen, state, placeOf, entries }
}

const pass = (ms: number) => Effect.repeat(TestClock.adjust(10), { times: ms / 10 })

/** What they are told by now, one id after the other. */
const told = ({ next }: Listener) =>
  Effect.gen(function* () {
    const ids: Array<string | null> = []
    for (;;) {
      const waiting = yield* Effect.forkChild(Effect.timeoutOption(next, 1_000))
      yield* pass(1_500)
      const found = yield* Fiber.join(waiting)
      if (found._tag === "None") return ids
      if (found.value === null) return [...ids, "ended"]
      ids.push(...found.value.filter(({ type }) => type === "invoice").map(({ id }) => id))
    }
  })

describe("who listens for changes", () => {
  it.effect("is told each once, wherever the look of the server stands when they come back", () => {
    const { run, happen, state, placeOf } = world()
    return run(({ listen }) =>
      Effect.gen(function* () {
        const first = yield* listen(desk, "ses_1")
        state.isBlind = true
        yield* pass(500)
        const [one, two] = [happen(), happen()]
        // The look stands before both; these two come behind the first and behind both.
        const again = yield* listen(desk, "ses_2", placeOf(1))
        const fresh = yield* listen(desk, "ses_3")
        state.isBlind = false
        const three = happen()
        assert.deepStrictEqual(yield* told(again), [two, three])
        assert.deepStrictEqual(yield* told(fresh), [three])
        assert.deepStrictEqual(yield* told(first), [one, two, three])
      })
    )
  })

  it.effect("is no one else by the time they listen than when they were let in", () => {
    const { run, state } = world()
    return run(({ listen }) =>
      Effect.gen(function* () {
        const cashier = { ...desk, role: "cashier", connectionIds: ["con_1", "con_2"] } as const
        state.standings.set("ses_1", standingOf(cashier))
        state.standings.set("ses_2", standingOf({ ...cashier, connectionIds: ["con_1"] }))
        assert.deepStrictEqual(yield* told(yield* listen(cashier, "ses_1")), [])
        assert.deepStrictEqual(yield* told(yield* listen(cashier, "ses_2")), ["ended"])
      })
    )
  })

  it.effect("gives the place back once they have ended, whether or not the answer is taken", () => {
    const { run, state } = world({ streamsOfSession: 1 })
    return run(({ listen, isFull }) =>
      Effect.gen(function* () {
        yield* listen(desk, "ses_1")
        yield* pass(500)
        assert.isTrue(isFull(desk, "ses_1"))
        state.standings.set("ses_1", null)
        yield* pass(500)
        assert.isFalse(isFull(desk, "ses_1"))
      })
    )
  })

  it.effect("has a bound over all sessions, and leaves room for other members", () => {
    const { run } = world({ streamsOfAccount: 3, streamsOfOrganization: 4 })
    return run(({ listen }) =>
      Effect.gen(function* () {
        const other = { ...desk, accountId: "acc_2" }
        const own: Array<Listener> = []
        for (const session of ["ses_1", "ses_2", "ses_3"]) own.push(yield* listen(desk, session))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(listen(desk, "ses_4"))), "of an account")
        yield* listen(other, "ses_5")
        yield* listen(other, "ses_5")
        assert.deepStrictEqual(yield* told(own[0]!), ["ended"], "the oldest of who has most made room")
        assert.isTrue(Exit.isFailure(yield* Effect.exit(listen(other, "ses_5"))), "and no more than that")
      })
    )
  })

  it.effect("costs no look of their own while nothing changes", () => {
    const { run, state } = world()
    return run(({ listen }) =>
      Effect.gen(function* () {
        const looks = Effect.gen(function* () {
          const before = state.asked
          yield* pass(2_000)
          return state.asked - before
        })
        yield* listen(desk, "ses_0")
        const alone = yield* looks
        for (let n = 1; n < 8; n++) yield* listen(desk, `ses_${n}`)
        assert.isAtMost(yield* looks, alone + 1)
      })
    )
  })
})
