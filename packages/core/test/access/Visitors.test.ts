import { it } from "@effect/vitest"
import { Effect, Fiber, Layer, Logger, Option } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { type Hit, RateStore } from "../../src/access/RateStore.ts"
import { Visitors, visitorOf } from "../../src/access/Visitors.ts"
import { defaults, Settings } from "../../src/engine/Settings.ts"
import { StorageError } from "../../src/error/StorageError.ts"

/** Counters that servers share, and that can be away or silent. */
const makeStore = () => {
  const counts = new Map<string, number>()
  const asked: Array<Hit> = []
  const state = { answer: "counts" as "counts" | "fails" | "nothing" }
  const error = new StorageError({ operation: "hit", outcome: "nothing_written", retryable: true, cause: "away" })
  const layer = Layer.succeed(RateStore, {
    hitMany: (hits) =>
      Effect.suspend(() => {
        asked.push(...hits)
        if (state.answer === "nothing") return Effect.andThen(Effect.sleep("1 hour"), Effect.fail(error))
        if (state.answer === "fails") return Effect.fail(error)
        return Effect.succeed(
          hits.map(({ subject, kind, windowAt }) => {
            const name = [subject, kind, windowAt].join()
            counts.set(name, (counts.get(name) ?? 0) + 1)
            return counts.get(name)!
          })
        )
      }),
    takeMany: (takes) =>
      Effect.suspend(() => {
        asked.push(...takes)
        if (state.answer !== "counts") return Effect.fail(error)
        return Effect.succeed(
          takes.map(({ subject, kind, windowAt, room }) => {
            const name = [subject, kind, windowAt].join()
            const count = counts.get(name) ?? 0
            if (count >= room) return { isTaken: false, count }
            counts.set(name, count + 1)
            return { isTaken: true, count: count + 1 }
          })
        )
      }),
    forget: () => Effect.succeed(0)
  })
  return { asked, state, layer }
}

/** One more server on that store. */
const server = (store: ReturnType<typeof makeStore>, settings: Partial<Settings["visitors"]> = {}) =>
  Effect.map(
    Layer.build(
      Layer.fresh(Visitors.layer).pipe(
        Layer.provide(store.layer),
        Layer.provide(Layer.succeed(Settings, { ...defaults, visitors: { ...defaults.visitors, ...settings } }))
      )
    ),
    (context) => Effect.provide(Visitors, context)
  ).pipe(Effect.flatten)

const view = { kind: "page", subject: "198.51.100.7", limit: 3 }

describe("a visitor", () => {
  it.effect("has one minute over all servers", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const [one, two] = [yield* server(store), yield* server(store)]
      const allowed: Array<boolean> = []
      for (const server of [one, two, one, two, one, two]) allowed.push((yield* server.count(view)).allowed)
      assert.deepStrictEqual(allowed, [true, true, true, false, false, false])
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* two.count(view)).remaining, 2)
    })
  )

  it.effect("who is over the limit reaches no storage until the minute ends", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const visitors = yield* server(store)
      for (let i = 0; i < 50; i++) yield* visitors.count(view)
      assert.strictEqual(store.asked.length, 3)
      assert.strictEqual((yield* visitors.count({ ...view, subject: "198.51.100.8" })).allowed, true)
    })
  )

  it.effect("is counted by each server while the storage is away, and told of once in a minute", () => {
    const lines: Array<unknown> = []
    return Effect.gen(function* () {
      const store = makeStore()
      store.state.answer = "fails"
      const visitors = yield* server(store)
      const allowed: Array<boolean> = []
      for (let i = 0; i < 4; i++) allowed.push((yield* visitors.count(view)).allowed)
      assert.deepStrictEqual(allowed, [true, true, true, false])
      assert.strictEqual(lines.length, 1)
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void lines.push(message))])))
  })

  it.effect("does not wait for a storage that is silent", () =>
    Effect.gen(function* () {
      const store = makeStore()
      store.state.answer = "nothing"
      const visitors = yield* server(store, { waitMs: 1000 })
      const counted = yield* Effect.forkChild(visitors.count(view))
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(counted)).remaining, 2)
      yield* TestClock.adjust("1 hour")
    })
  )

  it.effect("adds no rows where there are more than are kept", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const visitors = yield* server(store, { maxCounted: 100 })
      for (let i = 0; i < 1000; i++) yield* visitors.count({ ...view, subject: String(i) })
      assert.isAtMost(store.asked.length, 101)
    })
  )

  it.effect("takes no more of what all share than leaves room for others", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const [one, two] = [yield* server(store), yield* server(store)]
      const shared = { kind: "invoice", subject: "visitors/live/org_1", limit: 60, freePerPlace: 4 }
      const takesOf = Effect.fnUntraced(function* (acts: number) {
        let taken = 0
        for (let nth = 1; nth <= acts; nth++) {
          if ((yield* (nth % 2 === 0 ? one : two).take({ ...shared, nth })).allowed) taken++
        }
        return taken
      })
      // Each asks for ten, one after another; who comes later finds less, and the last ones something still.
      const taken = []
      for (let visitor = 0; visitor < 14; visitor++) taken.push(yield* takesOf(10))
      assert.deepStrictEqual(taken, [10, 10, 8, 7, 5, 4, 4, 3, 2, 2, 1, 1, 1, 1])
      const refused = yield* one.take({ ...shared, nth: 2 })
      assert.deepStrictEqual([refused.allowed, refused.limit, refused.retryAfterSeconds], [false, 60, 60])
      assert.strictEqual((yield* two.take({ ...shared, nth: 1 })).allowed, true)
      assert.strictEqual((yield* two.take({ ...shared, nth: 1 })).allowed, false)
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* two.take({ ...shared, nth: 10 })).allowed, true)
    })
  )

  it.effect("takes what a server knows to be left while the storage is away, and asks no more of what is used up", () =>
    Effect.gen(function* () {
      const store = makeStore()
      store.state.answer = "fails"
      const visitors = yield* server(store)
      const act = { ...view, nth: 1, freePerPlace: 4 }
      const allowed: Array<boolean> = []
      for (let i = 0; i < 5; i++) allowed.push((yield* visitors.take(act)).allowed)
      assert.deepStrictEqual(allowed, [true, true, true, false, false])
      assert.strictEqual(store.asked.length, 3)
    })
  )

  it.effect("is counted here alone where that is enough", () =>
    Effect.gen(function* () {
      const store = makeStore()
      const visitors = yield* server(store)
      const allowed: Array<boolean> = []
      for (let i = 0; i < 4; i++) allowed.push((yield* visitors.countHere(view)).allowed)
      assert.deepStrictEqual(allowed, [true, true, true, false])
      assert.deepStrictEqual(store.asked, [])
    })
  )

  it("is a network; unknown ones are one, with a limit of their own", () => {
    const of = (address: string) => visitorOf(Option.some(address), 120, defaults)
    assert.deepStrictEqual(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"))
    assert.deepStrictEqual(of("198.51.100.7"), { subject: "198.51.100.7", limit: 120 })
    assert.deepStrictEqual(visitorOf(Option.none(), 120, defaults), { subject: "unknown", limit: 6_000 })
    assert.strictEqual(visitorOf(Option.none(), 1e9, defaults).limit, 1e9)
  })
})
