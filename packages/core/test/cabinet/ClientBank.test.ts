import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { accountText, inWindows1251 } from "../../src/cabinet/export/ClientBank.ts"

const read = (text: string) => new TextDecoder("windows-1251").decode(inWindows1251(text))

describe("windows-1251", () => {
  it("has Russian as it is, Kazakh by near letters, and a question mark for each other character", () => {
    expect(read("Оплата №7 — «Ёлка» …")).toBe("Оплата №7 — «Ёлка» …")
    expect(read("Әсел Қасымқызы, Өтеген, ІНЖУ, Ұлы, 500 ₸")).toBe("Асел Касымкызы, Отеген, ІНЖУ, Улы, 500 тг")
    expect(read("Tölem 😀 漢\uD800x")).toBe("Tolem ? ??x")
  })

  it("has all of its own letters", () => {
    const own = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index)
    expect([...inWindows1251(new TextDecoder("windows-1251").decode(own))]).toEqual([...own])
  })

  it.prop("is never longer than two bytes a character, and never fails", [Schema.String], ([text]) => {
    expect(inWindows1251(text).length).toBeLessThanOrEqual(2 * text.length)
  })
})

describe("an account", () => {
  it("is its letters and digits", () => {
    expect(accountText(" KZ86 125K-ZT23\r\n00 ")).toBe("KZ86125KZT2300")
    expect(accountText(["a"])).toBe("")
    expect(accountText("1".repeat(99))).toHaveLength(34)
  })
})
