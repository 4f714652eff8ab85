import { describe, expect, it } from "vitest"
import { localTime, members, placeOf, section, table } from "../../src/cli/kit/Tables.ts"

describe("table", () => {
  it("has heads, and numbers at the right", () => {
    const rows = [
      { name: "Кофе", amount: 5 },
      { name: "Two teas", amount: 1500 }
    ]
    const shown = table(rows, { NAME: ({ name }) => name, KZT: ({ amount }) => amount })
    expect(shown.split("\n")).toEqual(["NAME       KZT", "Кофе         5", "Two teas  1500"])
  })

  it("says if there is nothing", () => {
    expect(table([], { NAME: () => "" })).toBe("There are none.")
    expect(section("Refunds", [], { NAME: () => "" })).toBe("")
  })

  it("lets no text steer the terminal, and shortens what is long", () => {
    const shown = table([{ name: `\u001b[2J\u202eevil\n${"x".repeat(100)}` }], { NAME: ({ name }) => name })
    expect(["\u001b", "\u202e"].filter((each) => shown.includes(each))).toEqual([])
    expect(shown.split("\n")).toHaveLength(2)
    expect(Array.from(shown.split("\n")[1] ?? "")).toHaveLength(80)
    expect(members({ name: "a\u001bb" })).toBe("name  a\u{FFFD}b")
  })
})

describe("a page", () => {
  it.each([
    [{ total: 3, offset: 0 }, 3, ""],
    [{ total: 230, offset: 50 }, 50, "51 to 100 of 230. Go on with --offset 100."],
    [{ total: 230, offset: 200 }, 30, "201 to 230 of 230."],
    [{ total: 2, offset: 9 }, 0, "There are 2."],
    [{ total: 0, offset: 0 }, 0, ""]
  ])("%j with %i rows says where it is", (page, count, expected) => {
    expect(placeOf(page, count)).toBe(expected)
  })
})

describe("local time", () => {
  it("is that of the machine's zone, whatever form the instant has", () => {
    const before = process.env["TZ"]
    process.env["TZ"] = "Asia/Almaty"
    expect(localTime("2026-11-23T20:30:05.678Z")).toBe("2026-11-24 01:30:05")
    expect(localTime(0)).toBe("1970-01-01 06:00:00")
    process.env["TZ"] = "America/New_York"
    expect(localTime("2026-07-01T00:00:00.000Z")).toBe("2026-06-30 20:00:00")
    expect(localTime(null)).toBe("")
    if (before === undefined) delete process.env["TZ"]
    else process.env["TZ"] = before
  })
})
