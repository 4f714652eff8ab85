/** Refunds over all invoices in the cabinet, and what members say of those of which the provider does not tell. */
import { Engine } from "@tolem/core/engine/Engine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../support/calls.ts"
import { as, join, logIn, outcomeOf, type Person } from "../support/people.ts"
import { type Live, live } from "./cashier.ts"

let world: Live
let manager: Person
let accountant: Person
let till: Person
let stranger: Person

beforeAll(async () => {
  world = await live()
  const { service, organizationId } = world
  manager = await logIn(service, "77096000001")
  accountant = await logIn(service, "77096000002")
  till = await logIn(service, "77096000003")
  stranger = await logIn(service, "77096000004")
  await join(service, organizationId, manager, "manager")
  await join(service, organizationId, accountant, "accountant")
  await join(service, organizationId, till, "cashier")
})
afterAll(() => world.stop())

const base = () => `/panel/orgs/${world.organizationId}/refunds`
const list = (person: Person, query = "") => as(world.service, person, "GET", `${base()}?mode=live${query}`)
const resolve = (person: Person, id: unknown, body: object, mode = "live") =>
  as(world.service, person, "POST", `${base()}/${id}/resolve?mode=${mode}`, body)
const shownIn = ({ body }: Answer): ReadonlyArray<Record<string, unknown>> => Object(body["refunds"])
const idsOf = (answer: Answer) => shownIn(answer).map(({ id }) => String(id))

/** A paid invoice with a refund: made, or of which the bank does not tell. */
const refunded = async (outcome: "made" | "unknown", amount: number, done = true) => {
  const made = await world.create({ externalOrderId: `order ${amount}` })
  world.pay(made)
  await world.look(made)
  if (outcome === "unknown") world.fault("refund", { kind: "drop", done })
  await world.refund(made, { amount, reason: "Sold out" })
  const [id = ""] = idsOf(await world.read(made))
  world.pass(1000)
  return { made, id }
}

const made = { made: true, reference: "bank-1", note: "Seen in the bank's app" }

describe("refunds in the cabinet", () => {
  it("are listed over all invoices, page by page, with what is known of each", async () => {
    const first = await refunded("made", 100)
    const second = await refunded("unknown", 200)
    const third = await refunded("made", 300)
    const whole = await list(accountant)
    expect(idsOf(whole)).toEqual([third.id, second.id, first.id])
    expect(shownIn(whole)[1]).toMatchObject({
      amount: 200,
      status: "unknown",
      reason: "Sold out",
      invoiceId: second.made.body["id"],
      externalOrderId: "order 200",
      connectionId: world.cashier.id,
      checks: { asked: 0, nextAt: expect.any(String) }
    })
    const page = await list(accountant, "&limit=2")
    expect(idsOf(page)).toEqual([third.id, second.id])
    const rest = await list(accountant, `&limit=2&after=${page.body["next"]}`)
    expect([idsOf(rest), rest.body["next"]]).toEqual([[first.id], null])
    expect(idsOf(await list(accountant, "&status=unknown"))).toEqual([second.id])
    const sums = await as(world.service, accountant, "GET", `${base()}/sums?mode=live`)
    expect(sums.body).toEqual({
      isExact: true,
      sums: [
        { status: "succeeded", count: 2, amount: 400 },
        { status: "unknown", count: 1, amount: 200 }
      ]
    })
    // Cashiers see those of the cashiers given to them: none.
    expect(idsOf(await list(till))).toEqual([])
    expect(outcomeOf(await list(stranger))).toBe("403 forbidden")
    expect(idsOf(await as(world.service, accountant, "GET", `${base()}?mode=sandbox`))).toEqual([])
  })

  it("refuses what cannot be understood", async () => {
    for (const [query, code] of [
      ["&status=lost", "invalid_status"],
      ["&from=yesterday", "invalid_from"],
      ["&to=1&to=2", "invalid_to"],
      ["&limit=many", "invalid_limit"],
      ["&after=1", "invalid_after"],
      ["&connectionId=a&connectionId=b", "invalid_connection_id"]
    ] as const) {
      expect(outcomeOf(await list(accountant, query)), query).toBe(`422 ${code}`)
    }
  })

  it("of which the bank does not tell are resolved by managers, once, with what they found out", async () => {
    const { service, organizationId } = world
    const { id, made: invoice } = await refunded("unknown", 250, false)
    expect(outcomeOf(await resolve(accountant, id, made))).toBe("403 insufficient_role")
    expect(outcomeOf(await resolve(manager, id, { ...made, note: "?" }))).toBe("422 invalid_note")
    expect(outcomeOf(await resolve(manager, id, { ...made, reference: " " }))).toBe("400 invalid_request")
    expect(outcomeOf(await resolve(manager, id, { ...made, made: "yes" }))).toBe("400 invalid_request")
    expect(outcomeOf(await resolve(manager, "ref_none", made))).toBe("404 invoice_not_found")
    expect(outcomeOf(await resolve(manager, id, made, "sandbox"))).toBe("404 invoice_not_found")
    // Two at once, who say the same and then something else.
    const both = await Promise.all([resolve(manager, id, made), resolve(manager, id, made)])
    expect(both.map(outcomeOf)).toEqual(["200", "200"])
    expect(both[0]?.body).toMatchObject({ invoiceId: invoice.body["id"], status: "partially_refunded" })
    expect(outcomeOf(await resolve(manager, id, { made: false, note: "Not there" }))).toBe("409 refund_state_conflict")
    const { audit, integrity } = await service.run(Engine)
    const log = await service.run(audit.list({ organizationId, before: null, limit: 50 }))
    const resolved = log.filter(({ action }) => action === "refund.resolved")
    expect(resolved.map(({ actor, detail }) => [actor.id, JSON.parse(detail ?? "")])).toEqual([
      [manager.accountId, { refundId: id, made: true, reference: "bank-1", note: "Seen in the bank's app" }]
    ])
    expect(await service.run(integrity.findings)).toEqual([])
  })

  it("are what the first of several members says who say different things at once", async () => {
    const said = [
      { made: false, note: "Not in the list" },
      { made: true, reference: "bank-7", note: "In the list" },
      { made: true, reference: "bank-8", note: "In the list" }
    ]
    for (let round = 0; round < 3; round++) {
      const { id } = await refunded("unknown", 30 + round, false)
      const answers = await Promise.all(said.map((each) => resolve(manager, id, each)))
      expect(answers.map(outcomeOf).toSorted()).toEqual([
        "200",
        "409 refund_state_conflict",
        "409 refund_state_conflict"
      ])
    }
    const { integrity } = await world.service.run(Engine)
    expect(await world.service.run(integrity.findings)).toEqual([])
  })

  it("that were not made are failed, and need a fresh code", async () => {
    const { service } = world
    const { id } = await refunded("unknown", 50, false)
    expect(outcomeOf(await resolve(manager, id, { made: false, note: "Not in the list" }))).toBe("200")
    expect(idsOf(await list(manager, "&status=failed"))[0]).toBe(id)
    const { id: last } = await refunded("unknown", 60, false)
    service.time.now += 11 * 60_000
    expect(outcomeOf(await resolve(manager, last, { made: false, note: "Not in the list" }))).toBe(
      "403 fresh_code_required"
    )
  })

  it("are asked about for five days, which the list says", async () => {
    const { id } = await refunded("unknown", 70, false)
    const checksOf = async () => {
      const shown = shownIn(await list(accountant, "&status=unknown&limit=1"))
      expect(shown).toMatchObject([{ id }])
      return Object(shown[0])["checks"]
    }
    expect(await checksOf()).toMatchObject({ asked: 0 })
    world.pass(6 * 24 * 3_600_000)
    accountant = await logIn(world.service, accountant.phone)
    expect(await checksOf()).toEqual({ asked: 7, nextAt: null })
  })
})
