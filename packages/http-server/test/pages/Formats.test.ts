import { describe, expect, it } from "vitest"
import { ago, day, instant, isoDay, minute } from "../../src/pages/Formats.ts"
import { languages } from "../../src/pages/Language.ts"

const locales = { kk: "kk", ru: "ru", en: "en-GB" }
// The tenth of each month of a year, at a time whose day in UTC is the one before.
const instants = Array.from({ length: 12 }, (_, month) => Date.UTC(2026, month, 9, 19, 5))

describe.each(languages)("an instant in %s", (language) => {
  const reference = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locales[language], { ...options, hourCycle: "h23", timeZone: "Asia/Almaty" })

  it("reads as Node's own data say, which browsers do not have for Kazakh", () => {
    for (const at of instants) {
      expect(instant(at, language)).toBe(reference({ dateStyle: "long", timeStyle: "short" }).format(at))
      expect(day(at, language)).toBe(reference({ dateStyle: "long" }).format(at))
      expect(day(at, language, true)).toBe(reference({ day: "numeric", month: "short" }).format(at))
    }
  })

  it("that is less than a day old is told as how long ago it was", () => {
    const now = Date.UTC(2026, 10, 22, 12)
    const relative = new Intl.RelativeTimeFormat(locales[language], { numeric: "auto" })
    for (const count of [1, 2, 5, 11, 21, 44, 59]) {
      expect(ago(now - count * 60_000, now, language)).toBe(relative.format(-count, "minute"))
    }
    for (const count of [1, 2, 5, 11, 16]) {
      expect(ago(now - count * 3_600_000, now, language)).toBe(relative.format(-count, "hour"))
    }
    expect(ago(now - 86_400_000, now, language)).toBe(`${relative.format(-1, "day")}, 17:00`)
    expect(ago(now - 5 * 86_400_000, now, language)).toBe(`${relative.format(-5, "day")}, 17:00`)
    expect(ago(now - 8 * 86_400_000, now, language)).toBe(`${day(now - 8 * 86_400_000, language, true)}, 17:00`)
    expect(ago(now - 400 * 86_400_000, now, language)).toBe(`${day(now - 400 * 86_400_000, language)}, 17:00`)
    expect(ago(now + 5_000, now, language)).toBe(ago(now, now, language))
  })
})

it("counts days and minutes as Almaty does, before 2024-03-01 as well", () => {
  expect([isoDay(Date.UTC(2026, 0, 1, 18, 59)), isoDay(Date.UTC(2026, 0, 1, 19))]).toEqual(["2026-01-01", "2026-01-02"])
  expect([isoDay(Date.UTC(2024, 0, 1, 18, 0)), minute(Date.UTC(2024, 0, 1, 18, 0))]).toEqual(["2024-01-02", "00:00"])
})
