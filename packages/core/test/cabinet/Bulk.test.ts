/** Files of invoices: what is read of them, and what is said about rows that are wrong. */

import { maxCellLength } from "@tolem/core/cabinet/bulk/BulkFile"
import { checkSheet } from "@tolem/core/cabinet/bulk/BulkSheet"
import { cellsOf, textOfBytes } from "@tolem/core/cabinet/bulk/CsvText"
import { linkTable } from "@tolem/core/cabinet/bulk/LinkTable"
import { invoiceDefaults } from "@tolem/core/invoice/InvoiceSettings"
import { Result } from "effect"
import { describe, expect, it } from "vitest"

const bytes = (text: string) => new TextEncoder().encode(text)
const read = (given: Uint8Array) =>
  Result.flatMap(Result.flatMap(textOfBytes(given), cellsOf), (rows) => checkSheet(rows, "up", invoiceDefaults))
const good = (text: string | Uint8Array) => Result.getOrThrow(read(typeof text === "string" ? bytes(text) : text))
const refused = (text: string | Uint8Array) => {
  const found = read(typeof text === "string" ? bytes(text) : text)
  return Result.isFailure(found) ? `${found.failure.cause} ${found.failure.row}` : "read"
}

describe("texts of rows", () => {
  it.each([",", ";", "\t"])("reads cells between %j, with and without the mark, in three languages", (separator) => {
    const lines = [
      ["Amount, KZT", "Description"],
      ["Сумма, ₸", "Описание"],
      ["Сомасы, ₸", "Сипаттамасы"]
    ]
    for (const [amount, description] of lines) {
      for (const mark of ["", "\uFEFF"]) {
        const text = `${mark}"${amount}"${separator}${description}\r\n1500${separator}"a ""b""\n c"\r\n`
        expect(good(text).rows[0]?.invoice).toMatchObject({ amount: 1500, description: 'a "b"\n c' })
      }
    }
  })

  it("reads windows-1251, and refuses what is no text", () => {
    // «Сумма» and «Заказ» there.
    const cyrillic = [
      0xd1, 0xf3, 0xec, 0xec, 0xe0, 0x3b, 0xc7, 0xe0, 0xea, 0xe0, 0xe7, 0x0a, 0x35, 0x30, 0x30, 0x3b, 0x41
    ]
    expect(good(Uint8Array.from(cyrillic)).rows[0]?.invoice).toMatchObject({ amount: 500, externalOrderId: "A" })
    expect(refused(Uint8Array.from([0xff, 0xfe, 0x41, 0]))).toBe("encoding null")
    expect(refused(Uint8Array.from([0x41, 0, 0x42, 0]))).toBe("encoding null")
    expect(refused(Uint8Array.from([0xd0, 0x98, 0xff, 0x98]))).toBe("encoding null")
  })

  it("says why nothing of a file can be used", () => {
    expect(refused("")).toBe("empty null")
    expect(refused("amount\n\n , \n")).toBe("empty null")
    expect(refused("sum of it\n5\n")).toBe("no_amount 1")
    expect(refused("amount,Сумма\n5,6\n")).toBe("head_twice 1")
    expect(refused('amount\n5\n"6\n7\n')).toBe("quote 3")
    expect(refused(`amount\n${"5\n".repeat(1001)}`)).toBe("rows null")
    expect(refused(`amount\n5${",".repeat(64)}\n`)).toBe("columns 2")
    expect(good(`amount\n${"5\n".repeat(1000)}`).rows).toHaveLength(1000)
  })
})

describe("rows", () => {
  it("understands amounts and phones as people write them, and counts rows as spreadsheets do", () => {
    const text = "amount;phone;kind;x\n1 500,50 ₸;+7 (701) 123-45-67\n\n2\u00a0000;87011234567;Телефон;y\n"
    const { rows, total, ignored } = good(text)
    expect(rows.map(({ row, invoice }) => [row, invoice.amount, invoice.kind, invoice.customer.phone])).toEqual([
      [2, 1500.5, "qr", "77011234567"],
      [4, 2000, "phone", "77011234567"]
    ])
    expect([total, ignored]).toEqual([2, ["x"]])
    expect(rows.map(({ invoice }) => invoice.idempotencyKey)).toEqual(["file-up-2", "file-up-4"])
  })

  it.each<[string, number | null]>([
    ["1 500", 1500],
    ["1\u00a0500", 1500],
    ["1\u202f500,5", 1500.5],
    ["12 500 000", 12_500_000],
    ["1500.50 тг.", 1500.5],
    ["1 500 тенге", 1500],
    ["₸ 1 500", 1500],
    ["1500\n", 1500],
    ["007", 7],
    ["1500 50", null],
    ["15 00", null],
    ["1 5", null],
    ["100 200 3", null],
    ["1500 500 тг", null],
    ["01 500", null],
    ["1500\n2000", null],
    ["100\n200", null],
    ["100\r\n200", null],
    ["100\u2028200", null],
    ["1\t500", null],
    ["1,500.50", null],
    ["1.500,50", null],
    ["1.234", null],
    ["1,234", null],
    ["1.234.567", null],
    ["1'500", null],
    ["-5", null],
    ["+5", null]
  ])("reads %j as an amount, or refuses what could be another or two", (cell, amount) => {
    const { rows, faults } = good(`amount;x\n"${cell}";y\n`)
    expect(rows.map(({ invoice }) => invoice.amount)).toEqual(amount === null ? [] : [amount])
    expect(faults.map(({ code }) => code)).toEqual(amount === null ? ["invalid_amount"] : [])
  })

  it("names the column and the cause of each that is wrong, and makes nothing of it", () => {
    const head = "amount,description,order,name,phone,email,kind,successUrl,failUrl"
    const rows = [
      ["=1+1", "amount invalid_amount"],
      ["1.234", "amount invalid_amount"],
      ['"1,500.50"', "amount invalid_amount"],
      ["0", "amount amount_too_small"],
      ["99999999999", "amount amount_too_large"],
      ["1.5,,,,77011234567,,phone", "amount amount_must_be_whole_tenge"],
      ["5,,,,,,phone", "phone phone_required"],
      ["5,,,,7E10", "phone invalid_phone"],
      ["5,,,,,nowhere", "email invalid_email"],
      ["5,,,,,,card", "kind invalid_kind"],
      ["5,,,,,,,javascript:1", "successUrl invalid_url"],
      ["5,,,,,,,,ftp://x", "failUrl invalid_url"],
      [`5,${"x".repeat(101)}`, "description invalid_description"],
      [`5,,${"x".repeat(101)}`, "orderId invalid_external_order_id"],
      [`5,,,${"x".repeat(201)}`, "customerName invalid_customer"],
      [`5,${"x".repeat(100_000)}`, "description invalid_description"],
      [`${"5".repeat(maxCellLength + 5)}`, "amount invalid_amount"]
    ]
    const { faults, rows: made } = good(`${head}\n${rows.map(([row]) => row).join("\n")}\n`)
    expect(made).toEqual([])
    expect(faults.map(({ row, column, code }) => [row, `${column} ${code}`])).toEqual(
      rows.map(([, fault], at) => [at + 2, fault])
    )
    expect(Math.max(...faults.map(({ value }) => value.length))).toBeLessThanOrEqual(41)
  })

  it("takes nothing for a list of links that is none", () => {
    const row = { row: 2, amount: 5, id: "inv_1", payUrl: "https://pay/p/inv_1" }
    expect(linkTable([row], "en")?.columns.map(({ head }) => head)).toContain("Payment link")
    for (const wrong of [null, [], [null], [{ ...row, row: "2" }], [{ ...row, amount: 1.234 }], [{ ...row, id: 5 }]]) {
      expect(linkTable(wrong, "en")).toBeNull()
    }
    expect(linkTable(Array(1001).fill(row), "en")).toBeNull()
  })
})
