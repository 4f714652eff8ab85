/** Statements of money that has moved, and reports of a till: by the day of the movement, and each adds up. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"
import { type Live, live } from "./cashier.ts"

const dayMs = 86_400_000

let world: Live
let accountant: Person
let till: Person

beforeAll(async () => {
  world = await live()
  accountant = await logIn(world.service, "77097000001")
  till = await logIn(world.service, "77097000002")
  await join(world.service, world.organizationId, accountant, "accountant")
  await join(world.service, world.organizationId, till, "cashier")
  // Made on the first of January in Almaty; paid then, and a day later; two cancelled before the money comes.
  const [one, two, three] = [
    await world.create({ amount: 1500 }),
    await world.create({ amount: 700.5 }),
    await world.create({ amount: 99 })
  ]
  world.pay(one)
  await world.look(one)
  world.pass(dayMs)
  world.pay(two)
  await world.look(two)
  await world.refund(one, { amount: 500.25 })
  await world.cancel(three)
  world.pay(three)
  await world.look(three)
})
afterAll(() => world.stop())

const read = async (path: string, person = accountant) => {
  const answer = await as(world.service, person, "GET", `/panel/orgs/${world.organizationId}${path}`)
  return answer.status === 200 ? JSON.parse(answer.text) : outcomeOf(answer)
}

const nothing = { payments: 0, paid: 0, latePayments: 0, late: 0, refunds: 0, refunded: 0, net: 0 }
const first = { ...nothing, payments: 1, paid: 1500, net: 1500 }
const second = { payments: 2, paid: 799.5, latePayments: 1, late: 99, refunds: 1, refunded: 500.25, net: 299.25 }
const both = { payments: 3, paid: 2299.5, latePayments: 1, late: 99, refunds: 1, refunded: 500.25, net: 1799.25 }

describe("a statement", () => {
  it("is of the days on which money moved, and each of its parts adds up to the sums", async () => {
    const statement = await read("/statement?mode=live")
    expect(statement).toEqual({
      from: "2026-01-01",
      to: "2026-01-02",
      ...both,
      days: [
        { day: "2026-01-01", ...first },
        { day: "2026-01-02", ...second }
      ],
      months: [{ month: "2026-01", ...both }],
      cashiers: [{ connectionId: world.cashier.id, ...both }],
      sources: [{ source: "request", ...both }]
    })
  })

  it("is of a period, a cashier and a mode", async () => {
    const day = await read("/statement?mode=live&from=2026-01-02&to=2026-01-02")
    expect(day).toMatchObject({ from: "2026-01-02", to: "2026-01-02", ...second, days: [second] })
    expect(await read(`/statement?mode=live&connectionId=${world.cashier.id}`)).toMatchObject(both)
    expect(await read("/statement?mode=live&connectionId=con_none")).toMatchObject({ ...nothing, days: [] })
    expect(await read("/statement?mode=sandbox")).toMatchObject({ ...nothing, cashiers: [], sources: [] })
    expect(await read("/statement?mode=live&from=2025-03-01&to=2025-12-31")).toMatchObject(nothing)
  })

  it("refuses what is no period", async () => {
    expect(await read("/statement?from=2024-12-31&to=2026-01-01")).toBe("422 invalid_from")
    expect(await read("/statement?from=2026-01-02&to=2026-01-01")).toBe("422 invalid_from")
    expect(await read("/statement?to=2026-01-01T00:00:00Z")).toBe("422 invalid_to")
    expect(await read("/statement?connectionId=a&connectionId=b")).toBe("422 invalid_connection_id")
    expect(await read("/shift?from=2026-02-30")).toBe("422 invalid_from")
    expect(await read("/shift?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z")).toBe("422 invalid_from")
    expect(await read("/shift?to=x")).toBe("422 invalid_to")
  })
})

describe("the report of a till", () => {
  it("is of today, or between two instants, with the first and the last payment", async () => {
    const shift = await read(`/shift?mode=live&connectionId=${world.cashier.id}`)
    expect(shift).toMatchObject({
      from: "2026-01-01T19:00:00.000Z",
      to: "2026-01-02T18:59:59.999Z",
      connectionId: world.cashier.id,
      ...second,
      first: { late: expect.any(Boolean), receiptNumber: expect.any(String) },
      last: { paidAt: expect.stringMatching(/^2026-01-02T/) }
    })
    expect(new Set([shift.first.amount, shift.last.amount])).toEqual(new Set([700.5, 99]))
    const before = await read("/shift?mode=live&from=2026-01-01T00:00:00Z&to=2026-01-01T12:00:00Z")
    expect(before).toMatchObject({ ...first, connectionId: null, first: { amount: 1500 }, last: { amount: 1500 } })
    const none = await read("/shift?mode=live&from=2026-01-05")
    expect(none).toMatchObject({ ...nothing, first: null, last: null })
  })

  it("shows cashiers what belongs to the tills given to them, and nothing else", async () => {
    for (const path of ["/statement?mode=live", "/shift?mode=live"])
      expect(await read(path, till)).toMatchObject({ ...nothing, cashiers: [], sources: [] })
    const owner = await logIn(world.service, "77000000001")
    const path = `/panel/orgs/${world.organizationId}/members/${till.accountId}`
    expect(outcomeOf(await as(world.service, owner, "PATCH", path, { connectionIds: [world.cashier.id] }))).toBe("200")
    expect(await read("/statement?mode=live", till)).toMatchObject(both)
    expect(await read("/statement?mode=live&connectionId=con_none", till)).toMatchObject(nothing)
    expect(await read("/shift?mode=live", till)).toMatchObject({ ...second, first: { late: expect.any(Boolean) } })
  })
})
