/** Quiet hours of Almaty, over midnight too. */

import { describe, expect, it } from "@effect/vitest"
import { quietUntil } from "@tolem/core/notice/QuietHours"
import { Schema } from "effect"

const at = (text: string) => Date.parse(`${text}+05:00`)
const all = [1, 2, 3, 4, 5, 6, 7]
const night = { from: 22 * 60, to: 8 * 60, days: all }
const minuteMs = 60_000

describe("quiet hours", () => {
  it("last over midnight, and belong to the day on which they begin", () => {
    expect(quietUntil(null, at("2026-03-02T23:00:00"))).toBe(null)
    expect(quietUntil(night, at("2026-03-02T21:59:59"))).toBe(null)
    expect(quietUntil(night, at("2026-03-02T22:00:00"))).toBe(at("2026-03-03T08:00:00"))
    expect(quietUntil(night, at("2026-03-03T07:59:59"))).toBe(at("2026-03-03T08:00:00"))
    expect(quietUntil(night, at("2026-03-03T08:00:00"))).toBe(null)
    // 2 March 2026 is a Monday.
    const monday = { ...night, days: [1] }
    expect(quietUntil(monday, at("2026-03-03T07:00:00"))).toBe(at("2026-03-03T08:00:00"))
    expect(quietUntil(monday, at("2026-03-03T23:00:00"))).toBe(null)
    expect(quietUntil({ ...night, from: 13 * 60, to: 14 * 60 }, at("2026-03-02T13:30:00"))).toBe(
      at("2026-03-02T14:00:00")
    )
  })

  it.prop(
    "end behind the instant, within a day, and where they say",
    {
      now: Schema.Int.check(
        Schema.isBetween({ minimum: at("2025-01-01T00:00:00"), maximum: at("2030-01-01T00:00:00") })
      ),
      from: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1439 })),
      to: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1439 }))
    },
    ({ now, from, to }) => {
      if (from === to) return
      const end = quietUntil({ from, to, days: all }, now)
      const minute = Math.floor(((now + 5 * 60 * minuteMs) % (24 * 60 * minuteMs)) / minuteMs)
      const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to
      expect(end !== null).toBe(isQuiet)
      if (end === null) return
      expect(end).toBeGreaterThan(now)
      expect(end - now).toBeLessThanOrEqual(24 * 60 * minuteMs)
      expect(((end + 5 * 60 * minuteMs) % (24 * 60 * minuteMs)) / minuteMs).toBe(to)
    }
  )
})
