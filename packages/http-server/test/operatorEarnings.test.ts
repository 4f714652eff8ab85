/** Earnings and payouts in the console: what is still to be paid, and that it is paid once. */
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { Engine } from "@tolem/core/engine/Engine"
import { afterAll, beforeAll, expect, it } from "vitest"
import { earn } from "./support/earnings.ts"
import { as, logIn, organizationOf, outcomeOf, type Person } from "./support/people.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
let operator: Person
let shop: string
beforeAll(async () => {
  service = await start()
  operator = await logIn(service, "77096100011")
  const { operators } = await service.run(Engine)
  await service.run(operators.grant(operator.phone))
  shop = await organizationOf(service, await logIn(service, "77096100012"))
})
afterAll(() => service.stop())

const ask = (method: string, rest: string, body?: unknown) =>
  as(service, operator, method, `/panel/operator/earnings${rest}`, body)
const records = async () => {
  const audits = await service.run(AuditStore)
  const all = await service.run(audits.list({ organizationId: null, before: null, limit: 99 }))
  return all.filter(({ action }) => action === "earning.paid_out")
}

it("pays a referrer once, however often and by however many it is asked, with one record", async () => {
  const referrer = await logIn(service, "77096100013")
  const [, , last] = await earn(service, referrer, shop, [100_000, 25_050, 30])
  const { body: seen } = await ask("GET", `/${referrer.accountId}`)
  expect(seen).toMatchObject({
    account: { id: referrer.accountId, phone: referrer.phone },
    accrued: 1250.8,
    accruedCount: 3,
    paidOut: 0,
    payable: { amount: 1250.8, count: 3, upTo: last },
    payouts: []
  })
  expect(seen["earnings"]).toMatchObject([{ organization: { id: shop, name: "Shop" }, amount: 1000 }, {}, {}])
  const { amount, upTo } = Object(seen["payable"])
  const wanted = { amount, upTo, note: "Kaspi, document 17" }
  const answers = await Promise.all([1, 2, 3].map(() => ask("POST", `/${referrer.accountId}/payouts`, wanted)))
  answers.push(await ask("POST", `/${referrer.accountId}/payouts`, wanted))
  for (const { status, body } of answers) {
    expect(status).toBe(200)
    expect(body).toMatchObject({ accrued: 0, accruedCount: 0, paidOut: 1250.8, payable: null, earnings: [] })
    expect(body["payouts"]).toMatchObject([{ amount: 1250.8, count: 3, note: wanted.note }])
  }
  expect(await records()).toMatchObject([
    {
      subject: Object(answers[0]?.body["payouts"])[0].id,
      actor: { kind: "operator", id: operator.accountId },
      detail: JSON.stringify({ accountId: referrer.accountId, amount: 125_080 })
    }
  ])
})

it("pays what was seen alone: not more, not what came later, and not without a note", async () => {
  const referrer = await logIn(service, "77096100014")
  const before = (await records()).length
  const [first, second] = await earn(service, referrer, shop, [500, 700])
  const outcome = async (body: object) => outcomeOf(await ask("POST", `/${referrer.accountId}/payouts`, body))
  const wanted = { amount: 5, upTo: first, note: "Kaspi" }
  expect(await outcome({ ...wanted, amount: 12 })).toBe("409 earnings_changed")
  expect(await outcome({ ...wanted, amount: 4.99 })).toBe("409 earnings_changed")
  expect(await outcome({ ...wanted, upTo: second })).toBe("409 earnings_changed")
  expect(await outcome({ ...wanted, upTo: null })).toBe("409 earnings_changed")
  expect(await outcome({ ...wanted, amount: "5" })).toBe("422 invalid_amount")
  expect(await outcome({ ...wanted, note: " " })).toBe("422 invalid_payout_note")
  expect(await outcome({ ...wanted, note: "x".repeat(301) })).toBe("422 invalid_payout_note")
  expect(outcomeOf(await ask("POST", "/acc_none/payouts", wanted))).toBe("404 account_not_found")
  expect((await records()).length).toBe(before)
  expect(await outcome(wanted)).toBe("200")
  expect(await outcome({ ...wanted, note: "Cash" })).toBe("409 earnings_changed")
  expect((await ask("GET", `/${referrer.accountId}`)).body).toMatchObject({ accrued: 7, paidOut: 5 })
  expect((await records()).length).toBe(before + 1)
})

it("lists those who have something to be paid, with their sums, and no others", async () => {
  const referrer = await logIn(service, "77096100015")
  const idle = await logIn(service, "77096100016")
  await earn(service, referrer, shop, [300])
  const { body } = await ask("GET", "")
  const earners: ReadonlyArray<{ readonly account: { readonly id: string } }> = Object(body["earners"])
  const ids = earners.map(({ account }) => account.id)
  expect(body["earners"]).toContainEqual(
    expect.objectContaining({
      accrued: 3,
      accruedCount: 1,
      paidOut: 0,
      account: expect.objectContaining({ id: referrer.accountId })
    })
  )
  expect(ids).not.toContain(idle.accountId)
  expect((await ask("GET", `?after=${ids.at(-1)}`)).body).toEqual({ earners: [], next: null })
  expect((await ask("GET", `/${idle.accountId}`)).body).toMatchObject({ accrued: 0, payable: null, payouts: [] })
  expect(outcomeOf(await ask("GET", "?after=org_x"))).toBe("422 invalid_after")
  expect(outcomeOf(await ask("GET", "/acc_none"))).toBe("404 account_not_found")
})
