import { describe, expect, it } from "@effect/vitest"
import { invoiceOf, startAt } from "@tolem/testing/fixtures"
import { Schema } from "effect"
import { csvForms, csvHead, csvLine } from "../../src/cabinet/export/Csv.ts"
import { invoiceColumns, invoiceRow } from "../../src/cabinet/export/InvoiceTable.ts"
import { Tiyn } from "../../src/value/Money.ts"

const lineOf = (description: string, form = csvForms.plain) =>
  csvLine(
    invoiceRow(invoiceOf({ description, amount: Tiyn(150_005), refunded: Tiyn(100), createdAt: startAt }), new Map()),
    form
  )

/** What programs take for formulas that split a line at any separator, whatever is quoted. */
const formulasIn = (line: string) =>
  line
    .split(/[;,|\t\r\n]/)
    .filter((piece) => /^["'\s]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/.test(piece.replace(/^["\s]*'/, "x")))

describe("a cell that holds what people have written", () => {
  it.each(["=", "+", "-", "@", "\uFF1D"])(
    "is no formula where it begins with %s, or goes on with it behind a separator",
    (sign) => {
      for (const before of ["", "a;", "a,", "a|", "a\t", "a\n", "a\r\n", 'a;"', 'a, "', "a; ", 'a";""']) {
        const line = lineOf(`${before}${sign}HYPERLINK(1)`)
        expect(line).toContain(`'${sign}HYPERLINK(1)`)
        expect(formulasIn(line)).toEqual([])
      }
    }
  )

  it("begins with no tab or end of a line, and no part of it does", () => {
    expect(lineOf("\tone")).toContain(`"'\tone"`)
    expect(lineOf("a;\rone")).toContain(`"a;'\rone"`)
    expect(lineOf("two\r\nlines")).toContain('"two\r\nlines"')
  })

  it("is left as it is where it only holds such a sign", () => {
    expect(lineOf("a - b = c@d.kz + 1")).toContain(",a - b = c@d.kz + 1,")
  })

  it("stands in quotes where any program may split it", () => {
    for (const text of ["a;b", "a,b", "a|b", "a\tb", 'a"b']) {
      expect(lineOf(text)).toContain(`,"${text.replaceAll('"', '""')}",`)
      expect(lineOf(text, csvForms.excel)).toContain(`;"${text.replaceAll('"', '""')}";`)
    }
  })

  it.prop(
    "is no formula, whatever it holds",
    [Schema.Array(Schema.Literals(["=", "+", "-", "@", ";", ",", "|", "\t", "\r", "\n", '"', "'", " ", "a"]))],
    ([parts]) => {
      for (const form of [csvForms.plain, csvForms.excel]) expect(formulasIn(lineOf(parts.join(""), form))).toEqual([])
    }
  )
})

describe("a line", () => {
  it("has commas and points, or what Excel reads in Kazakh and in Russian: semicolons and decimal commas", () => {
    expect(lineOf("a")).toMatch(/^inv_\w+,2026-01-01 05:00:00,,\w+,qr,1500\.05,1\.00,a,/)
    expect(lineOf("a", csvForms.excel)).toMatch(/^inv_\w+;2026-01-01 05:00:00;;\w+;qr;1500,05;1,00;a;/)
    expect(csvHead(invoiceColumns("ru"), csvForms.excel)).toContain('Вид;"Сумма, ₸";')
    for (const form of [csvForms.plain, csvForms.excel]) {
      expect(lineOf("a", form).split(form.separator)).toHaveLength(15)
    }
  })
})
