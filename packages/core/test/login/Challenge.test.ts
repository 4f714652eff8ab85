import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert, describe, expect } from "vitest"
import { allowedAt } from "../../src/login/Challenge.ts"

const limits = { waitMs: 60, perPhone: 3, perAddress: 2, periodMs: 1000 }
const none: ReadonlyArray<number> = []

describe("another code", () => {
  it("may be asked for at once where there was none", () => {
    expect(allowedAt({ ofPhone: none, ofAddress: none }, limits)).toBeLessThan(0)
  })

  it("waits for a while after the last one, and for the oldest that counts to leave", () => {
    const at = (ofPhone: ReadonlyArray<number>, ofAddress = none) => allowedAt({ ofPhone, ofAddress }, limits)
    expect(at([500])).toBe(560)
    expect(at([500, 100])).toBe(560)
    expect(at([500, 300, 100])).toBe(1100)
    expect(at([1090, 300, 100])).toBe(1150)
    expect(at(none, [500])).toBeLessThan(0)
    expect(at(none, [500, 200])).toBe(1200)
    expect(at([500, 300, 100], [900, 800])).toBe(1800)
  })

  it("is never asked for where none may be", () => {
    expect(allowedAt({ ofPhone: none, ofAddress: none }, { ...limits, perPhone: 0 })).toBe(Number.POSITIVE_INFINITY)
  })

  const Times = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5000 })))
  it.prop("asked for as soon as allowed, never are more in a period than the limit", { waits: Times }, ({ waits }) => {
    const made: Array<number> = []
    for (const wait of waits) {
      const now = (made.at(-1) ?? 0) + (wait % 400)
      const counted = made.filter((at) => at > now - limits.periodMs).toReversed()
      const allowed = allowedAt({ ofPhone: counted.slice(0, limits.perPhone), ofAddress: none }, limits)
      if (allowed <= now) made.push(now)
    }
    for (const [index, at] of made.entries()) {
      const before = made[index - 1]
      if (before !== undefined) assert.isAtLeast(at - before, limits.waitMs)
      const first = made[index - limits.perPhone]
      if (first !== undefined) assert.isAtLeast(at - first, limits.periodMs)
    }
  })
})
