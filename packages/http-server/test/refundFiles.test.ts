/** Refunds over all invoices as files, on each database: what the filter of their list lets through, once. */
import { Engine } from "@tolem/core/engine/Engine"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { Tiyn } from "@tolem/core/value/Money"
import { changeOf, creationOf, refundOf, startAt } from "@tolem/testing/fixtures"
import { Effect, Result } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Live, live } from "./live/cashier.ts"
import { bytesOf, sheetOf } from "./support/files.ts"
import { as, join, logIn, outcomeOf, type Person } from "./support/people.ts"

let world: Live
let accountant: Person

beforeAll(async () => {
  world = await live()
  accountant = await logIn(world.service, "77098000001")
  await join(world.service, world.organizationId, accountant, "accountant")
  const made = await world.create({ amount: 1500.5, description: "=1+1", externalOrderId: "A-1" })
  world.pass(86_400_000)
  world.pay(made)
  await world.look(made)
  await world.refund(made, { amount: 500.25, reason: "returned\nhalf" })
})
afterAll(() => world.stop())

const at = (path: string) => `/panel/orgs/${world.organizationId}${path}`
const ask = (path: string, person = accountant) => as(world.service, person, "GET", at(path))
const bytes = (path: string) => bytesOf(world.service, accountant, at(path))
const sheet = (path: string) => sheetOf(world.service, accountant, at(path))

describe("a table of refunds", () => {
  const rowsOf = async (query: string) => (await sheet(`/refunds.xlsx?mode=live&lang=en${query}`)).rows

  it("has what the filter of their list lets through, amounts as numbers and formulas as texts", async () => {
    const { answer, rows } = await sheet("/refunds.xlsx?mode=live&lang=en")
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
    const { rows } = await sheet("/refunds.xlsx?mode=sandbox")
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
