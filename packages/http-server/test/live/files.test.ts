/** Files that accountants take along: workbooks, tables of movements and statements, and the exchange file of 1C. */
import { Engine } from "@tolem/core/engine/Engine"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Tiyn } from "@tolem/core/value/Money"
import { changeOf, creationOf, refundOf, startAt } from "@tolem/testing/fixtures"
import { Effect, Result } from "effect"
import { readXlsx } from "hucre/xlsx"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
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

const ask = (path: string, person = accountant) =>
  as(world.service, person, "GET", `/panel/orgs/${world.organizationId}${path}`)

const bytes = async (path: string) => {
  const answer = await fetch(`${world.service.url}/panel/orgs/${world.organizationId}${path}`, {
    headers: { authorization: `Bearer ${accountant.token}`, "accept-encoding": "identity" }
  })
  return { answer, body: new Uint8Array(await answer.arrayBuffer()) }
}

const sheetOf = async (path: string) => {
  const { answer, body } = await bytes(path)
  expect([path, answer.status]).toEqual([path, 200])
  const { sheets } = await readXlsx(body)
  return { answer, rows: sheets[0]?.rows ?? [] }
}

describe("a workbook", () => {
  it("has the invoices of a filter, amounts as numbers and formulas as texts", async () => {
    const { answer, rows } = await sheetOf("/invoices.xlsx?mode=live&lang=en")
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
    expect((await sheetOf("/invoices.xlsx?mode=live&minAmount=1000")).rows).toHaveLength(2)
    expect(outcomeOf(await ask("/invoices.xlsx?kind=cash"))).toBe("422 invalid_kind")
  })

  it("holds what XML does not, and more than one part of what is read at once", async () => {
    const odd = "a\u0000b\u000Bc\uD800d\uFFFEe _x0041_ <&>\"'\n\t"
    const made = Array.from({ length: 1001 }, (_, index) =>
      creationOf({ organizationId: world.organizationId, amount: Tiyn(100 + index), description: odd })
    )
    await world.service.run(InvoiceStore.use((store) => store.insertMany(made)))
    const { rows } = await sheetOf("/invoices.xlsx?mode=sandbox")
    expect(rows).toHaveLength(1002)
    expect(new Set(rows.slice(1).map(([id]) => id)).size).toBe(1001)
    expect(rows[1]?.[7]).toBe("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe _x0041_ <&>\"'\n\t")
  })

  it("has the statement, with its sums in the last row", async () => {
    const { rows } = await sheetOf("/statement.xlsx?mode=live&lang=en")
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

describe("a table of refunds", () => {
  const rowsOf = async (query: string) => (await sheetOf(`/refunds.xlsx?mode=live&lang=en${query}`)).rows

  it("has what the filter of their list lets through, amounts as numbers and formulas as texts", async () => {
    const { answer, rows } = await sheetOf("/refunds.xlsx?mode=live&lang=en")
    expect(answer.headers.get("content-disposition")).toMatch(/filename="tolem-org_\w+-refunds-live\.xlsx"$/)
    expect(rows[0]?.slice(0, 6)).toEqual([
      "Refund",
      "Asked for (Almaty)",
      "Ended (Almaty)",
      "Status",
      "Amount, KZT",
      "Reason of the refund"
    ])
    expect(rows.slice(1).map((row) => row.slice(3, 6))).toEqual([["succeeded", 500.25, "returned\nhalf"]])
    expect(rows[1]?.slice(9)).toEqual(["A-1", "'=1+1", "Till"])
    expect(await rowsOf("&status=succeeded,failed&from=2026-01-02&to=2026-01-02")).toHaveLength(2)
    expect(await rowsOf(`&connectionId=${world.cashier.id}`)).toHaveLength(2)
    for (const none of ["&status=failed", "&to=2026-01-01", "&from=2026-01-03", "&connectionId=conn_x"])
      expect([none, await rowsOf(none)]).toEqual([none, [rows[0]]])
  })

  it("is text too, in each language, as Excel reads it", async () => {
    const { answer, body } = await bytes("/refunds.csv?mode=live&lang=ru&bom=1")
    expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(answer.headers.get("content-disposition")).toMatch(/filename="tolem-org_\w+-refunds-live\.csv"$/)
    const [head, line, end] = new TextDecoder("utf-8", { ignoreBOM: true }).decode(body).split("\r\n")
    expect(head).toMatch(/^\uFEFFВозврат;Запрошен \(Алматы\);/)
    expect(line).toMatch(/^ref_\w+;2026-01-02 05:00:00;2026-01-02 05:00:00;succeeded;500,25;"returned\nhalf";/)
    expect(line).toMatch(/;inv_\w+;[\w.-]+;A-1;'=1\+1;Till$/)
    expect(end).toBe("")
    expect((await ask("/refunds.csv?mode=live")).text).toMatch(/^Қайтару,Сұралған \(Алматы\),/)
  })

  it("is refused with the codes of the list, and to those who may not take files along", async () => {
    expect(outcomeOf(await ask("/refunds.csv?status=lost"))).toBe("422 invalid_status")
    expect(outcomeOf(await ask("/refunds.xlsx?from=yesterday"))).toBe("422 invalid_from")
    expect(outcomeOf(await ask("/refunds.csv?connectionId=a&connectionId=b"))).toBe("422 invalid_connection_id")
    const [developer, till] = [await logIn(world.service, "77098000002"), await logIn(world.service, "77098000003")]
    await join(world.service, world.organizationId, developer, "developer")
    await join(world.service, world.organizationId, till, "cashier")
    expect(outcomeOf(await ask("/refunds.csv", developer))).toBe("403 insufficient_role")
    // No cashier is given to this one.
    expect((await ask("/refunds.csv?mode=live", till)).text.split("\r\n")).toHaveLength(2)
  })

  it("has each refund once, in however many parts, is noted at both ends, and one at a time", async () => {
    const { organizationId, service } = world
    const made = Array.from({ length: 501 }, (_, index) => creationOf({ organizationId, amount: Tiyn(1000 + index) }))
    await service.run(
      Effect.gen(function* () {
        const store = yield* InvoiceStore
        yield* store.insertMany(made)
        const paid = yield* store.commitMany(
          made.map(({ invoice }) => changeOf(invoice, InvoiceCommand.Pay({ paidAt: startAt })))
        )
        const back = paid.map(Result.getOrThrow).map((invoice) => {
          const refund = refundOf(invoice, invoice.amount)
          return changeOf(invoice, InvoiceCommand.Refund({ refund }))
        })
        for (const one of yield* store.commitMany(back)) Result.getOrThrow(one)
      })
    )
    const { rows } = await sheetOf("/refunds.xlsx?mode=sandbox")
    expect(new Set(rows.slice(1).map(([, , , , amount]) => amount)).size).toBe(501)
    expect(rows).toHaveLength(502)
    const { exports: exporting, members, audit } = await service.run(Engine)
    const part = await service.run(members.enter(accountant.accountId, organizationId))
    const desk = { ...part, accountId: accountant.accountId, mode: "live", reach: "all", isFresh: false } as const
    const beside = Effect.andThen(
      exporting.refunds(desk, {}),
      Effect.promise(() => ask("/refunds.csv?mode=live"))
    )
    expect(outcomeOf(await service.run(Effect.scoped(beside)))).toBe("429 too_many_exports")
    const records = await service.run(audit.list({ organizationId, before: null, limit: 100 }))
    const told = records
      .filter(({ action }) => action.startsWith("invoices.export"))
      .map(({ id, action, detail }) => ({ id, action, ...JSON.parse(detail ?? "{}") }))
    const begun = told.find(({ table, mode }) => table === "refunds" && mode === "sandbox")
    expect(begun?.action).toBe("invoices.exported")
    expect(told).toContainEqual(
      expect.objectContaining({ action: "invoices.export_ended", export: begun?.id, rows: 501, isWhole: true })
    )
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
      await expect.poll(async () => (await ask(path)).status, { timeout: 10_000 }).toBe(200)
    }
  })
})

describe("a table of what has moved", () => {
  it("has payments and refunds in the order in which money moved, and adds up to the net", async () => {
    const { rows } = await sheetOf("/movements.xlsx?mode=live&lang=en")
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
