import { DateTime } from "effect"
import { describe, expect, it } from "vitest"
import { toIso } from "../../src/value/Calendar.ts"

const dayMs = 86_400_000
const from = Date.UTC(1900, 0, 1)
const to = Date.UTC(2300, 0, 1)

describe("an instant in answers", () => {
  it("is as the library writes it, whatever was asked for before it", () => {
    let count = 0
    // Some days and a part of one between them, so that each is at another time of the day.
    for (let at = from; at < to; at += 97 * dayMs + 7_654_321) {
      const midnight = Math.floor(at / dayMs) * dayMs
      // Its neighbours with it: the day of the one before is kept.
      for (const each of [at, at + dayMs, at, midnight, midnight - 1, midnight + dayMs - 1, at + 0.5]) {
        expect(toIso(each)).toBe(DateTime.formatIso(DateTime.makeUnsafe(Math.floor(each))))
        count += 1
      }
    }
    expect(count).toBeGreaterThan(10_000)
  })
})
