/** Live invoices of one shop when much happens at once, or in an order that nobody wished for. */
import { Effect, Redacted } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Answer, call } from "../support/calls.ts"
import * as TestClock from "../support/clock.ts"
import { type Live, live } from "./cashier.ts"

let shop: Live
beforeEach(async () => {
  shop = await live()
})
afterEach(() => shop.stop())

const code = ({ status, body }: Answer) => [status, body["error"]]
const status = ({ body }: Answer) => body["status"]
const push = { kind: "phone", customer: { phone: "77001234567" } }
const listed = async () => {
  const { body } = await call(shop.service, "GET", "/api/v1/invoices", { key: shop.key })
  return Array.from(body["invoices"] ?? [], (invoice) => ({ body: invoice }) as Answer)
}
/** A create that nobody answers; the provider has it all the same. */
const unanswered = async (body: object = {}) => {
  shop.fault(body === push ? "createPush" : "createQr", { kind: "drop", done: true })
  expect(code(await shop.create(body))).toEqual([502, "provider_error"])
  return (await listed())[0]!
}

describe("an invoice whose create was not answered", () => {
  it("can be refunded where it is paid after it was cancelled", async () => {
    const made = await unanswered()
    expect(status(await shop.cancel(made))).toBe("cancelled")
    shop.pay(made)
    expect(status(await shop.look(made))).toBe("paid")
    expect((await shop.refund(made)).status).toBe(201)
    expect((await shop.read(made)).body).toMatchObject({ status: "refunded", refundedAmount: 1500 })
  })

  it("is withdrawn from the customer's app when it is cancelled", async () => {
    const made = await unanswered(push)
    expect(status(await shop.cancel(made))).toBe("cancelled")
    expect(shop.payments().map(({ signal }) => signal._tag)).toEqual(["Cancelled"])
  })

  it("is not cancelled while it is unknown whether the customer has it", async () => {
    const made = await unanswered(push)
    shop.fault("stateByOurs", { kind: "drop", done: false })
    expect(code(await shop.cancel(made))).toEqual([502, "cancel_failed"])
    expect(status(await shop.read(made))).toBe("new")
  })

  it("is not cancelled while the provider may yet take its create, though it knows nothing of it now", async () => {
    // The caller has given up long before the create arrives.
    shop.fault("createPush", { kind: "late", delayMs: 30_000 })
    expect(code(await shop.create(push))).toEqual([502, "provider_error"])
    const made = (await listed())[0]!
    expect(code(await shop.cancel(made))).toEqual([502, "cancel_failed"])
    shop.pass(29_000)
    expect(code(await shop.cancel(made))).toEqual([502, "cancel_failed"])
    expect(status(await shop.read(made))).toBe("new")
    shop.pass(2000)
    expect(status(await shop.cancel(made))).toBe("cancelled")
    expect(shop.payments().map(({ signal }) => signal._tag)).toEqual(["Cancelled"])
  })

  it("has ended by itself once its create can arrive no more", async () => {
    shop.fault("createPush", { kind: "drop", done: false })
    expect(code(await shop.create(push))).toEqual([502, "provider_error"])
    const made = (await listed())[0]!
    shop.pass(shop.service.settings.live.abandonedAfterMs)
    expect(code(await shop.cancel(made))).toEqual([409, "invoice_not_open"])
    expect(status(await shop.read(made))).toBe("expired")
    expect(shop.payments()).toEqual([])
  })

  it("turns out to be paid when it is cancelled too late", async () => {
    const made = await unanswered(push)
    shop.pay(made)
    expect(code(await shop.cancel(made))).toEqual([409, "invoice_not_open"])
    expect(status(await shop.read(made))).toBe("paid")
  })
})

describe("a bulk create", () => {
  const bulk = (invoices: ReadonlyArray<object>) =>
    call(shop.service, "POST", "/api/v1/invoices/bulk", { key: shop.key, body: { invoices } })

  it("tells of each element what became of it, in their order", async () => {
    shop.fault("createPush", { kind: "refuse", code: "invalid", retryable: false })
    const { body } = await bulk([
      { amount: 100, idempotencyKey: "one" },
      { amount: 0 },
      { amount: 200, ...push },
      { amount: 300 },
      { amount: 100, idempotencyKey: "one" }
    ])
    const results = Array.from(body["results"] ?? [])
    const ids = results.map((one) => one["invoice"]?.["id"])
    expect(results.map((one) => one["error"] ?? one["invoice"]?.["status"])).toEqual([
      "pending",
      "amount_too_small",
      "invoice_create_failed",
      "pending",
      "pending"
    ])
    expect(results.map((one) => one["invoice"]?.["amount"])).toEqual([100, undefined, undefined, 300, 100])
    expect(ids[4]).toBe(ids[0])
    expect(
      shop
        .payments()
        .map(({ amount }) => amount)
        .toSorted((a, b) => a - b)
    ).toEqual([10_000, 30_000])
  })

  it("fails element by element where the cashier's session ends meanwhile", async () => {
    shop.bank.control.loseSessions(null)
    const { body } = await bulk(Array.from({ length: 10 }, () => ({ amount: 100 })))
    const errors = Array.from(body["results"] ?? [], (one) => one["error"])
    expect(errors).toEqual(errors.map(() => "provider_session_expired"))
    expect(shop.payments()).toEqual([])
    expect((await listed()).map(status)).toEqual(errors.map(() => "failed"))
  })
})

describe("the default cashier", () => {
  const run = <A, E>(effect: Effect.Effect<A, E>) =>
    shop.service.run(Effect.provide(effect, TestClock.layer(shop.service.time)))
  const change = (id: string, _tag: "Disabled" | "Enabled" | "MadeDefault") =>
    run(shop.connections.change(shop.organizationId, id, { _tag }))
  const defaults = async () => {
    const all = await run(shop.connections.list(shop.organizationId))
    return all.filter(({ isDefault }) => isDefault).map(({ id }) => id)
  }
  const cashierOf = async (made: Answer) => (await shop.stored(String(made.body["id"]))).invoice.connectionId

  it("is the first who works, until another is chosen, and one at most", async () => {
    const first = shop.cashier.id
    const { id: second } = await run(shop.connections.create(shop.organizationId, { name: "Second till" }))
    expect(await defaults()).toEqual([first])
    await shop.login(second)
    expect(await cashierOf(await shop.create())).toBe(first)
    await change(second, "MadeDefault")
    expect(await defaults()).toEqual([second])
    expect(await cashierOf(await shop.create())).toBe(second)
  })

  it("is followed by another who works when they are disabled or deleted", async () => {
    const first = shop.cashier.id
    const { id: second } = await run(shop.connections.create(shop.organizationId, { name: "Second till" }))
    await shop.login(second)
    await change(first, "Disabled")
    expect(await cashierOf(await shop.create())).toBe(second)
    await change(first, "Enabled")
    await run(shop.connections.remove(shop.organizationId, second))
    expect(await cashierOf(await shop.create())).toBe(first)
  })

  it("holds up no one where they cannot work", async () => {
    const { id: idle } = await run(shop.connections.create(shop.organizationId, { name: "Never logged in" }))
    await change(idle, "MadeDefault")
    expect(await cashierOf(await shop.create())).toBe(shop.cashier.id)
  })
})

describe("a session", () => {
  it("that is lost late does not end the one that has taken its place", async () => {
    const { connections, organizationId, cashier } = shop
    const old = await shop.service.run(connections.forCreate(organizationId, cashier.id))
    await shop.login()
    await shop.service.run(connections.sessionLost(old))
    expect((await shop.service.run(connections.get(organizationId, cashier.id))).status).toBe("active")
    expect((await shop.create()).status).toBe(201)
  })

  it("and the code of its login are told to nobody, whatever fails", async () => {
    const { connections, organizationId, cashier } = shop
    const { session } = await shop.service.run(connections.forCreate(organizationId, cashier.id))
    const answers: Array<Answer> = []
    const faults = [
      { kind: "refuse", code: "other", retryable: false },
      { kind: "garbage", body: "{", done: true },
      { kind: "drop", done: true },
      { kind: "throttle", retryAfterMs: 1 },
      { kind: "lose_session" }
    ] as const
    for (const fault of faults) {
      shop.fault("createQr", fault)
      answers.push(await shop.create(), await shop.create())
    }
    const { id: processId } = await shop.service.run(connections.initLogin(organizationId, cashier.id))
    for (const otp of ["424242", "111111"]) {
      shop.fault("verifyOtp", { kind: "garbage", body: "{", done: true })
      const request = { processId, otp: Redacted.make(otp) }
      const refused = await shop.service.run(Effect.flip(connections.verifyOtp(organizationId, cashier.id, request)))
      expect(`${refused} ${JSON.stringify(refused)}`).not.toContain(otp)
    }
    expect(shop.service.logs.join("")).toContain("refused an invoice")
    const told = [...shop.service.logs, ...answers.map(({ text }) => text)].join("\n")
    expect(Redacted.value(session)).toMatch(/^session-/)
    for (const secret of [Redacted.value(session), "session-", "424242", "111111"]) expect(told).not.toContain(secret)
  })
})
