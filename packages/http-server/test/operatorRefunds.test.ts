/** Operators ask the provider again about refunds of which it has not told. */
import { Engine } from "@tolem/core/engine/Engine"
import { afterAll, beforeAll, expect, it } from "vitest"
import { type Live, live } from "./live/cashier.ts"
import { as, logIn, outcomeOf, type Person } from "./support/people.ts"

let world: Live
let operator: Person
let owner: Person
beforeAll(async () => {
  world = await live()
  const { service } = world
  operator = await logIn(service, "77096000031")
  // The first organization of a service is opened for this phone.
  owner = await logIn(service, "77000000001")
  const { operators } = await service.run(Engine)
  await service.run(operators.grant(operator.phone))
})
afterAll(() => world.stop())

const reason = "The merchant calls: their customer waits"
const ask = (id: string, body: object = { reason }, person = operator) =>
  as(world.service, person, "POST", `/panel/operator/refunds/${id}/ask`, body)

/** A refund of which the bank has not told whether it was made. */
const unclear = async (amount: number, done: boolean) => {
  const made = await world.create({ customer: { phone: "77770001122" } })
  world.pay(made)
  await world.look(made)
  world.fault("refund", { kind: "drop", done })
  await world.refund(made, { amount })
  const { body } = await world.read(made)
  const [refund]: ReadonlyArray<{ readonly id: string; readonly status: string }> = Object(body["refunds"])
  expect(refund?.status).toBe("unknown")
  return { id: refund!.id, invoiceId: String(made.body["id"]) }
}

const asked = async () => {
  const { audit } = await world.service.run(Engine)
  const log = await world.service.run(audit.list({ organizationId: world.organizationId, before: null, limit: 100 }))
  return log.filter(({ action }) => action === "refund.asked")
}

it("writes what the provider says, and the reason into the journal of the organization, once", async () => {
  const { id, invoiceId } = await unclear(400, true)
  const work = async () =>
    (await as(world.service, operator, "GET", "/panel/operator/work/refund_unknown")).body["items"]
  expect(await work()).toMatchObject([{ refundId: id, invoiceId, amount: 400 }])
  const answer = await ask(id)
  expect(answer.body).toEqual({ id, invoiceId, status: "succeeded", answered: true })
  expect(answer.text).not.toContain("77770001122")
  expect(await work()).toEqual([])
  // What is known is not asked about, nor written, another time.
  expect((await ask(id)).body).toEqual(answer.body)
  expect((await asked()).map(({ actor, subject, detail }) => [actor.kind, subject, JSON.parse(detail ?? "")])).toEqual([
    ["operator", invoiceId, { refundId: id, reason }]
  ])
  const journal = `/panel/orgs/${world.organizationId}/journal?kind=refunds&mode=live`
  const { body } = await as(world.service, owner, "GET", journal)
  expect(body["records"]).toContainEqual(
    expect.objectContaining({ action: "refund.asked", actor: expect.objectContaining({ kind: "operator", id: null }) })
  )
})

it("says so where the provider does not answer, or cannot find it yet", async () => {
  const { id } = await unclear(50, false)
  world.fault("stateByReference", { kind: "drop", done: false })
  expect((await ask(id)).body).toMatchObject({ status: "unknown", answered: false })
  // The call may still be on its way to the bank.
  expect((await ask(id)).body).toMatchObject({ status: "unknown", answered: true })
  const before = (await asked()).length
  const both = await Promise.all([ask(id), ask(id)])
  expect(both.map(outcomeOf)).toEqual(["200", "200"])
  expect((await asked()).length).toBe(before + 2)
  world.pass(world.service.settings.live.abandonedAfterMs)
  operator = await logIn(world.service, operator.phone)
  expect((await ask(id)).body).toMatchObject({ status: "failed", answered: true })
  const { integrity } = await world.service.run(Engine)
  expect(await world.service.run(integrity.findings)).toEqual([])
})

it("is refused without a reason, without a fresh code, to others, and of what there is not", async () => {
  const { id } = await unclear(60, true)
  const before = await asked()
  expect(outcomeOf(await ask(id, {}))).toBe("422 invalid_look_reason")
  expect(outcomeOf(await ask(id, { reason: "too short" }))).toBe("422 invalid_look_reason")
  expect(outcomeOf(await ask("ref_none"))).toBe("404 invoice_not_found")
  expect(outcomeOf(await ask("%00"))).toBe("404 invoice_not_found")
  expect(outcomeOf(await ask(id, { reason }, owner))).toBe("403 forbidden")
  world.service.time.now += world.service.settings.login.freshMs + 1
  expect(outcomeOf(await ask(id))).toBe("403 fresh_code_required")
  expect(await asked()).toEqual(before)
})
