/** Seeded histories of the whole engine: `npm run simulate` runs as many as one likes, and replays each. */
import { FeedStore } from "@tolem/core/feed/FeedStore"
import type { Job } from "@tolem/core/webhook/Webhook"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { run } from "@tolem/testing-simulation/History"
import type { MakeParts } from "@tolem/testing-simulation/Parts"
import { parts } from "@tolem/testing-simulation/SqliteParts"
import { Effect, Layer } from "effect"
import { describe, expect, inject, it } from "vitest"

const seeds = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

/** `npm run test:slow` plays more. */
const histories = inject("isWhole") ? 200 : 8

/** A bank that takes no create once, and an amount that would have every call carried out twice. */
const forgetful = 42_091

/** The same parts, but for verbs about deliveries that are not as they should be. */
const planted =
  (alter: (store: WebhookStore["Service"]) => Partial<WebhookStore["Service"]>): MakeParts =>
  (simulation) => {
    const made = parts(simulation)
    const altered = Layer.effect(
      WebhookStore,
      Effect.map(WebhookStore, (store) => ({ ...store, ...alter(store) }))
    )
    return { ...made, stores: (machine) => Layer.provideMerge(altered, made.stores(machine)) }
  }

/** The same parts, but for a feed that now and then has an event too little at the beginning of a page. */
const skipping: MakeParts = (simulation) => {
  const made = parts(simulation)
  const altered = Layer.effect(
    FeedStore,
    Effect.map(FeedStore, (store) => ({
      ...store,
      read: (query) =>
        Effect.map(store.read(query), (part) =>
          part.entries.length > 2 && query.limit < 50 ? { ...part, entries: part.entries.slice(1) } : part
        )
    }))
  )
  return { ...made, stores: (machine) => Layer.provideMerge(altered, made.stores(machine)) }
}

/** Whether one of the first histories breaks a promise in these words. */
const finds = (faulty: MakeParts, words: RegExp): boolean =>
  seeds(1, 20).some((seed) => run({ seed, parts: faulty }).violations.some((violation) => words.test(violation)))

const likeFirst = (jobs: ReadonlyArray<Job>) => jobs.map((job) => ({ ...job, starts: 1 }))

describe("the simulation", () => {
  it(`keeps every promise in ${histories + 1} histories of trouble`, { timeout: 900_000 }, () => {
    const outcomes = [...seeds(1, histories), forgetful].map((seed) => run({ seed, parts }))
    expect(outcomes.filter(({ violations }) => violations.length > 0)).toEqual([])
    // Much has happened: a simulation in which nobody pays keeps its promises, too.
    const sum = (of: (outcome: (typeof outcomes)[number]) => number) => outcomes.reduce((all, one) => all + of(one), 0)
    expect(sum(({ invoices }) => invoices)).toBeGreaterThan(7 * histories)
    expect(sum(({ payments }) => payments)).toBeGreaterThan(3 * histories)
    expect(sum(({ deliveries }) => deliveries)).toBeGreaterThan(7 * histories)
    expect(sum(({ ended }) => ended)).toBeGreaterThan(histories / 20)
  })

  it("replays a history exactly", () => {
    const replay = () => {
      const lines: Array<string> = []
      const outcome = run({ seed: 77, parts, tell: (line) => void lines.push(line) })
      return { outcome, lines }
    }
    expect(replay()).toEqual(replay())
  })

  it("finds it where starts of deliveries are not counted", { timeout: 240_000 }, () => {
    const forgetful = planted((store) => ({
      reclaim: (request) => Effect.map(store.reclaim(request), likeFirst)
    }))
    expect(finds(forgetful, /has ended 4 servers/)).toBe(true)
  })

  it("finds it where deliveries are given up for what others have done", { timeout: 240_000 }, () => {
    const hasty = planted((store) => ({
      reclaim: (request) =>
        Effect.map(store.reclaim(request), (jobs) => jobs.map((job) => ({ ...job, starts: job.starts + 2 })))
    }))
    expect(finds(hasty, /was given up for what it has not done/)).toBe(true)
  })

  it("finds a feed that leaves out what its readers then never see", () => {
    expect(finds(skipping, /who followed it has seen it differently/)).toBe(true)
  })
})
