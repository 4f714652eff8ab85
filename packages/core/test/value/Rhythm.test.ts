import { DateTime } from "luxon"
import { describe, expect, it } from "vitest"
import { isZoneCurrent } from "../../src/value/Calendar.ts"
import { dateOf, dayOfMonthFrom, indexAfter, type Rhythm } from "../../src/value/Rhythm.ts"

const zone = "Asia/Almaty"
const at = (text: string) => DateTime.fromISO(text, { zone }).toMillis()
const local = (ms: number) =>
  DateTime.fromMillis(ms, { zone }).toISO({ includeOffset: false, suppressMilliseconds: true })
const days = (rhythm: Rhythm, count: number) =>
  Array.from({ length: count }, (_, index) => local(dateOf(rhythm, index))?.slice(0, 10))

const monthly = (anchor: string, every = 1): Rhythm => ({
  interval: "month",
  every,
  dayOfMonth: null,
  anchorAt: at(anchor)
})

/** Random numbers that are the same in every run. */
const random = (() => {
  let state = 20_261_121
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 4_294_967_296) * below)
  }
})()

const rhythms = (count: number): ReadonlyArray<Rhythm> =>
  Array.from({ length: count }, () => ({
    interval: (["day", "week", "month"] as const)[random(3)]!,
    every: 1 + random(12),
    dayOfMonth: null,
    anchorAt: at("2020-01-01T00:00") + random(12 * 365 * 86_400) * 1000
  }))

/** The hour that Almaty had twice, when it went from UTC+6 to UTC+5. */
const isDoubled = (ms: number) => ms >= at("2024-02-29T22:59") - 3_600_000 && ms <= at("2024-03-01T00:01")

describe("the runtime", () => {
  it("knows Almaty's offset since 2024", () => {
    expect(isZoneCurrent()).toBe(true)
  })
})

describe("the dates of a rhythm", () => {
  it("return to the anchor's day after months that lack it", () => {
    expect(days(monthly("2026-01-31T09:00"), 13)).toEqual([
      "2026-01-31",
      "2026-02-28",
      "2026-03-31",
      "2026-04-30",
      "2026-05-31",
      "2026-06-30",
      "2026-07-31",
      "2026-08-31",
      "2026-09-30",
      "2026-10-31",
      "2026-11-30",
      "2026-12-31",
      "2027-01-31"
    ])
    expect(days(monthly("2026-12-30T09:00"), 4)).toEqual(["2026-12-30", "2027-01-30", "2027-02-28", "2027-03-30"])
    expect(days(monthly("2027-11-29T09:00"), 5)[3]).toBe("2028-02-29")
    expect(days(monthly("2026-11-29T09:00"), 5)[3]).toBe("2027-02-28")
  })

  it("keep the leap day for leap years", () => {
    expect(days(monthly("2024-02-29T12:00", 12), 5)).toEqual([
      "2024-02-29",
      "2025-02-28",
      "2026-02-28",
      "2027-02-28",
      "2028-02-29"
    ])
  })

  it("keep their time of day over the change of Almaty's offset", () => {
    for (const interval of ["day", "week", "month"] as const) {
      const rhythm: Rhythm = { interval, every: 1, dayOfMonth: null, anchorAt: at("2024-01-15T10:30") }
      for (let index = 0; index < 80; index++) expect(local(dateOf(rhythm, index))?.slice(11)).toBe("10:30:00")
    }
    const across: Rhythm = { interval: "day", every: 1, dayOfMonth: null, anchorAt: at("2024-02-29T10:00") }
    expect(dateOf(across, 1) - dateOf(across, 0)).toBe(25 * 3_600_000)
  })

  it("are those of another library, for 5,000 rhythms", () => {
    for (const rhythm of rhythms(5000)) {
      const index = random(60)
      const steps = index * rhythm.every
      const expected = DateTime.fromMillis(rhythm.anchorAt, { zone })
        .plus({ [`${rhythm.interval}s`]: steps })
        .toMillis()
      if (isDoubled(expected) || isDoubled(rhythm.anchorAt)) continue
      expect(dateOf(rhythm, index), JSON.stringify({ rhythm, index })).toBe(expected)
    }
  })

  it("increase strictly, and do not depend on the dates before them, for 3,000 rhythms", () => {
    for (const rhythm of rhythms(3000)) {
      const index = random(40)
      const [one, next] = [dateOf(rhythm, index), dateOf(rhythm, index + 1)]
      expect(next).toBeGreaterThan(one)
      const { day } = DateTime.fromMillis(rhythm.anchorAt, { zone })
      if (rhythm.interval === "month" && day > 28) continue
      if (isDoubled(one) || isDoubled(next)) continue
      // A rhythm that begins at one of the dates goes on in the same way.
      expect(dateOf({ ...rhythm, anchorAt: one }, 1)).toBe(next)
    }
  })

  it("are found again from any instant, for 3,000 rhythms", () => {
    for (const rhythm of rhythms(3000)) {
      const index = random(500)
      const date = dateOf(rhythm, index)
      expect(indexAfter(rhythm, date - 1)).toBe(index)
      expect(indexAfter(rhythm, date)).toBe(index + 1)
    }
    const rhythm = monthly("2026-01-31T09:00")
    expect(indexAfter(rhythm, 0)).toBe(0)
    expect(indexAfter(rhythm, at("2126-01-31T08:59"))).toBe(1200)
  })
})

describe("a day of the month", () => {
  it("is the first such day at 10:00 that is not before the instant", () => {
    expect(local(dayOfMonthFrom(15, at("2026-01-15T10:00")))).toBe("2026-01-15T10:00:00")
    expect(local(dayOfMonthFrom(15, at("2026-01-15T10:00") + 1))).toBe("2026-02-15T10:00:00")
    expect(local(dayOfMonthFrom(28, at("2026-12-31T23:00")))).toBe("2027-01-28T10:00:00")
    expect(local(dayOfMonthFrom(1, at("2026-12-31T23:59")))).toBe("2027-01-01T10:00:00")
  })
})
