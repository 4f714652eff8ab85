/** Amounts that people type: what is understood, and what could mean two things. */
import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assert } from "vitest"
import { tengeOfText } from "../../src/value/AmountText.ts"
import { Tiyn, toTenge } from "../../src/value/Money.ts"
import { money } from "../../src/value/MoneyText.ts"

describe("an amount that a person types", () => {
  it.each<[string, number | undefined]>([
    ["3500", 3500],
    ["3 500", 3500],
    ["3\u00a0500", 3500],
    ["3\u202f500,50", 3500.5],
    ["3\u2009500 тг", 3500],
    ["3500тг", 3500],
    ["3500 тг.", 3500],
    ["3500 ТЕҢГЕ", 3500],
    ["3500 тенге", 3500],
    ["₸3 500,50", 3500.5],
    ["₸ 3500", 3500],
    ["3 500 KZT", 3500],
    ["kzt 3500.05", 3500.05],
    ["тг.1", 1],
    ["1'234'567.89", 1_234_567.89],
    ["3’500", 3500],
    ["3 500'000", 3_500_000],
    ["3.500,00", 3500],
    ["3,500.5", 3500.5],
    ["1.234.567", 1_234_567],
    ["12,345,678", 12_345_678],
    ["1.234.567,8", 1_234_567.8],
    ["\u200e3500\u200f", 3500],
    ["  +3 500  ", 3500],
    ["-5", -5],
    ["\u22125", -5],
    ["0", 0],
    ["007", 7],
    ["99999999999", 99_999_999_999],
    ["90 071 992 547 409,91", 90_071_992_547_409.91],
    // Would not be kept to the tiyn.
    ["90 071 992 547 409,92", undefined],
    ["50050055005500505", undefined],
    // May mean more than one amount.
    ["3.500", undefined],
    ["3,500", undefined],
    ["3 500.000", undefined],
    ["1.234,567", undefined],
    ["1.234.567.89", undefined],
    ["35 00", undefined],
    ["3 5 00", undefined],
    ["3500 50", undefined],
    ["0 500", undefined],
    ["012 345", undefined],
    ["1 234,567,890", undefined],
    ["1 234.567.890", undefined],
    ["3500 4000", undefined],
    ["3500-4000", undefined],
    ["1,234 567", undefined],
    // Two lines, or two cells.
    ["100\n200", undefined],
    ["100\r\n200", undefined],
    ["100\u2028200", undefined],
    ["100\t200", undefined],
    ["100 \n 200", undefined],
    // Other money, or none.
    ["₸ 3500 тг", undefined],
    ["$3500", undefined],
    ["3500 руб", undefined],
    ["3к", undefined],
    ["3500т", undefined],
    ["три тысячи", undefined],
    ["1e3", undefined],
    ["0x10", undefined],
    [".5", undefined],
    ["5.", undefined],
    ["5,", undefined],
    ["- - 5", undefined],
    ["Infinity", undefined],
    ["٣٥٠٠", undefined],
    ["3²", undefined],
    ["₸", undefined],
    ["", undefined],
    ["9".repeat(65), undefined]
  ])("%j", (text, expected) => assert.strictEqual(tengeOfText(text), expected))

  const amounts = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 9_999_999_999 }))
  const picks = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))
  const one = <A>(list: ReadonlyArray<A>, pick: number): A => list[pick % list.length] as A

  it.prop("is read back from every way to write it", [amounts, picks, picks, picks], ([tiyn, group, point, mark]) => {
    const separator = one(["", " ", "\u00a0", "\u202f", "'", ".", ","], group)
    const sign = one(
      [".", ","].filter((each) => each !== separator),
      point
    )
    const whole = String(Math.floor(tiyn / 100)).replace(/\B(?=(\d{3})+$)/g, separator)
    const number = `${whole}${sign}${String(tiyn % 100).padStart(2, "0")}`
    const text = one([number, `${number} ₸`, `₸${number}`, `${number}\u00a0тг`, `KZT ${number}`], mark)
    assert.strictEqual(tengeOfText(text), toTenge(Tiyn(tiyn)), text)
  })

  it.prop("is read back from what the pages show", [amounts], ([tiyn]) => {
    assert.strictEqual(tengeOfText(money(Tiyn(tiyn))), toTenge(Tiyn(tiyn)))
  })

  it.prop("is a number with two decimals at most, or none, whatever is typed", [Schema.String], ([text]) => {
    const tenge = tengeOfText(text)
    assert.isTrue(tenge === undefined || (Number.isFinite(tenge) && Math.round(tenge * 100) / 100 === tenge))
  })

  const characters = ["0", "1", "5", "00", "500", " ", "\u00a0", ".", ",", "'", "₸", "тг", "-"]
  it.prop("has all the digits that were typed, in their order", [Schema.Array(picks)], ([chosen]) => {
    const text = chosen
      .slice(0, 12)
      .map((pick) => one(characters, pick))
      .join("")
    const tenge = tengeOfText(text)
    if (tenge === undefined) return
    const digits = (what: string) => what.replace(/\D/g, "").replace(/^0+/, "")
    // A point after "тг" is of the abbreviation.
    const [, decimals = ""] = /\d[.,](\d{1,2})(?!.*\d)/.exec(text) ?? []
    assert.strictEqual(digits(Math.abs(tenge).toFixed(decimals.length)), digits(text), text)
  })
})
