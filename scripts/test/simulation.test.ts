/** Seeded histories of the whole engine: `npm run simulate` runs as many as one likes, and replays each. */
import { run } from "@tolem/core/testing/simulation/History"
import { describe, expect, it } from "vitest"
import { parts } from "../simulation/parts.ts"

const seeds = (first: number, count: number) => Array.from({ length: count }, (_, index) => first + index)

describe("the simulation", () => {
  it.each([1, 101])(
    "keeps every promise in 100 histories of trouble, from seed %i on",
    { timeout: 240_000 },
    (from) => {
      const outcomes = seeds(from, 100).map((seed) => run({ seed, parts }))
      expect(outcomes.filter(({ violations }) => violations.length > 0)).toEqual([])
      // Much has happened: a simulation in which nobody pays keeps its promises, too.
      const sum = (of: (outcome: (typeof outcomes)[number]) => number) =>
        outcomes.reduce((all, one) => all + of(one), 0)
      expect(sum(({ invoices }) => invoices)).toBeGreaterThan(500)
      expect(sum(({ payments }) => payments)).toBeGreaterThan(250)
      expect(sum(({ deliveries }) => deliveries)).toBeGreaterThan(500)
    }
  )

  it("replays a history exactly", () => {
    const replay = () => {
      const lines: Array<string> = []
      const outcome = run({ seed: 77, parts, tell: (line) => void lines.push(line) })
      return { outcome, lines }
    }
    expect(replay()).toEqual(replay())
  })
})
