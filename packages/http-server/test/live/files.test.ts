/** Files that accountants take along: workbooks, tables of movements and statements, and the exchange file of 1C. */
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Tiyn } from "@tolem/core/value/Money"
import { creationOf } from "@tolem/testing/fixtures"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { bytesOf, sheetOf } from "../support/files.ts"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"
import { type Live, live } from "./cashier.ts"

const dayMs = 86_400_000

let world: Live
let accountant: Person

beforeAll(async () => {
  world = await live()
  accountant = await logIn(world.service, "77098000001")
  await join(world.service, world.organizationId, accountant, "accountant")
  const customer = { name: "Әсел Қасым", phone: null, email: null }
  const one = await world.create({ amount: 1500.5, description: "=1+1", externalOrderId: "A-1", customer })
  const two = await world.create({ amount: 700 })
  world.pay(one)
  await world.look(one)
  world.pass(dayMs)
  world.pay(two)
  await world.look(two)
  await world.refund(one, { amount: 500.25, reason: "returned\nhalf" })
})
afterAll(() => world.stop())

const at = (path: string) => `/panel/orgs/${world.organizationId}${path}`
const ask = (path: string, person = accountant) => as(world.service, person, "GET", at(path))
const bytes = (path: string) => bytesOf(world.service, accountant, at(path))
const sheet = (path: string) => sheetOf(world.service, accountant, at(path))

describe("a workbook", () => {
  it("has the invoices of a filter, amounts as numbers and formulas as texts", async () => {
    const { answer, rows } = await sheet("/invoices.xlsx?mode=live&lang=en")
    expect(answer.headers.get("content-type")).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")
    expect(answer.headers.get("content-disposition")).toMatch(/filename="tolem-org_\w+-invoices-live\.xlsx"$/)
    expect(rows[0]?.slice(0, 6)).toEqual([
      "Invoice",
      "Created (Almaty)",
      "Paid (Almaty)",
      "Status",
      "Kind",
      "Amount, KZT"
    ])
    expect(rows).toHaveLength(3)
    const first = rows.find((row) => row[5] === 1500.5)
    expect(first?.slice(3, 9)).toEqual(["partially_refunded", "qr", 1500.5, 500.25, "'=1+1", "A-1"])
    expect((await sheet("/invoices.xlsx?mode=live&minAmount=1000")).rows).toHaveLength(2)
    expect(outcomeOf(await ask("/invoices.xlsx?kind=cash"))).toBe("422 invalid_kind")
  })

  it("holds what XML does not, and more than one part of what is read at once", async () => {
    const odd = "a\u0000b\u000Bc\uD800d\uFFFEe _x0041_ <&>\"'\n\t"
    const made = Array.from({ length: 1001 }, (_, index) =>
      creationOf({ organizationId: world.organizationId, amount: Tiyn(100 + index), description: odd })
    )
    await world.service.run(InvoiceStore.use((store) => store.insertMany(made)))
    const { rows } = await sheet("/invoices.xlsx?mode=sandbox")
    expect(rows).toHaveLength(1002)
    expect(new Set(rows.slice(1).map(([id]) => id)).size).toBe(1001)
    expect(rows[1]?.[7]).toBe("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe _x0041_ <&>\"'\n\t")
  })

  it("has the statement, with its sums in the last row", async () => {
    const { rows } = await sheet("/statement.xlsx?mode=live&lang=en")
    expect(rows[0]).toEqual([
      "Day",
      "Payments",
      "Paid, KZT",
      "Late payments",
      "Of that late, KZT",
      "Refunds",
      "Given back, KZT",
      "Net, KZT"
    ])
    expect(rows.slice(1)).toEqual([
      ["2026-01-01", 1, 1500.5, 0, 0, 0, 0, 1500.5],
      ["2026-01-02", 1, 700, 0, 0, 1, 500.25, 199.75],
      ["In all", 2, 2200.5, 0, 0, 1, 500.25, 1700.25]
    ])
  })
})

describe("a file that the client does not take to its end", () => {
  it("gives its place back", async () => {
    for (const path of [
      "/invoices.xlsx?mode=sandbox",
      "/refunds.csv?mode=live",
      "/movements.xlsx?mode=live",
      "/1c.txt?mode=live"
    ]) {
      const leaving = new AbortController()
      const address = `${world.service.url}/panel/orgs/${world.organizationId}${path}`
      const headers = { authorization: `Bearer ${accountant.token}` }
      const answer = await fetch(address, { headers, signal: leaving.signal })
      expect(answer.status).toBe(200)
      leaving.abort()
      await expect.poll(async () => (await ask(path)).status).toBe(200)
    }
  })
})

describe("a table of what has moved", () => {
  it("has payments and refunds in the order in which money moved, and adds up to the net", async () => {
    const { rows } = await sheet("/movements.xlsx?mode=live&lang=en")
    expect(rows.slice(1).map(([, kind, amount]) => [kind, amount])).toEqual([
      ["payment", 1500.5],
      ["payment", 700],
      ["refund", -500.25]
    ])
    const { text } = await ask("/movements.csv?mode=live&lang=en&from=2026-01-02")
    const lines = text.split("\r\n")
    expect(lines[0]).toMatch(/^Moved at \(Almaty\),Movement,"Amount, KZT",Late,Invoice,/)
    expect(text).toMatch(/\r\n2026-01-02 05:00:00,refund,-500\.25,,inv_\w+,ref_\w+,[\w.-]+,A-1,'=1\+1,Әсел Қасым,Till,/)
    expect((await ask("/movements.csv?mode=live&from=2025-12-01&to=2025-12-31")).text.split("\r\n")).toHaveLength(2)
    expect(outcomeOf(await ask("/movements.csv?from=x"))).toBe("422 invalid_from")
  })

  it("is a statement by cashier or origin too", async () => {
    const { text } = await ask("/statement.csv?mode=live&lang=ru&bom=1&by=cashier")
    expect(text.split("\r\n").slice(1)).toEqual([
      "Till;2;2200,50;0;0,00;1;500,25;1700,25",
      "Всего;2;2200,50;0;0,00;1;500,25;1700,25",
      ""
    ])
    for (const by of ["month", "source"]) expect((await ask(`/statement.csv?mode=live&by=${by}`)).status).toBe(200)
  })
})

describe("the exchange file of 1C", () => {
  it("has the account with its sums, and a document for each movement, to the end", async () => {
    const { answer, body } = await bytes("/1c.txt?mode=live&account=KZ 86-125KZT2300000001")
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=windows-1251")
    const text = new TextDecoder("windows-1251").decode(body)
    const lines = text.split("\r\n")
    expect(lines.slice(0, 3)).toEqual(["1CClientBankExchange", "ВерсияФормата=1.03", "Кодировка=Windows"])
    expect(text).toContain(
      [
        "СекцияРасчСчет",
        "ДатаНачала=01.01.2026",
        "ДатаКонца=02.01.2026",
        "РасчСчет=KZ86125KZT2300000001",
        "НачальныйОстаток=0.00",
        "ВсегоПоступило=2200.50",
        "ВсегоСписано=500.25",
        "КонечныйОстаток=1700.25",
        "КонецРасчСчет"
      ].join("\r\n")
    )
    const documents = text.split("СекцияДокумент=Платежное поручение\r\n").slice(1)
    expect(documents).toHaveLength(3)
    expect(documents[0]).toMatch(/^Номер=1\r\nДата=01\.01\.2026\r\nСумма=1500\.50\r\nПлательщикСчет=\r\n/)
    expect(documents[0]).toContain("Плательщик=Асел Касым\r\n")
    expect(documents[0]).toContain("ПолучательСчет=KZ86125KZT2300000001\r\n")
    expect(documents[2]).toMatch(/Сумма=500\.25\r\nПлательщикСчет=KZ86125KZT2300000001\r\nПлательщик=/)
    // What people have written ends no line.
    expect(documents[2]).toMatch(/НазначениеПлатежа=Возврат оплаты, .*, returned half\r\nКонецДокумента\r\n/)
    expect(text.endsWith("\r\nКонецФайла\r\n")).toBe(true)
  })

  it("is in UTF-8 where that is asked for, and of a period that there is", async () => {
    const { body } = await bytes("/1c.txt?mode=live&encoding=utf-8&from=2026-01-01&to=2026-01-01")
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body)
    expect(text).toContain("Плательщик=Әсел Қасым\r\n")
    expect(text.split("СекцияДокумент")).toHaveLength(2)
    expect(outcomeOf(await ask("/1c.txt?from=2020-01-01&to=2026-01-01"))).toBe("422 invalid_from")
  })
})
