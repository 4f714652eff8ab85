/** A live create that was answered with an error, sent again with the same idempotency key. */
import { Engine } from "@tolem/core/engine/Engine"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Answer, call } from "../support/calls.ts"
import { type Live, live } from "./cashier.ts"

let shop: Live
beforeEach(async () => {
  shop = await live()
})
afterEach(() => shop.stop())

const key = { "idempotency-key": "order-1" }
const push = { kind: "phone", customer: { phone: "77001234567" } }
const code = ({ status, body }: Answer) => [status, body["error"]]
const idOf = ({ headers }: Answer) => headers.get("x-invoice-id")
const stored = async (id: unknown) => (await shop.stored(String(id))).invoice
const used = async () => (await call(shop.service, "GET", "/api/v1/account", { key: shop.key })).body["tariff"]
const sound = async () => expect(await shop.service.run(Engine.use(({ integrity }) => integrity.findings))).toEqual([])

describe.each([
  ["qr", {}, "createQr"],
  ["phone", push, "createPush"]
] as const)("a %s create that nobody has answered", (_, body, create) => {
  it.each([true, false])("is asked about and answered when it is sent again (made: %s)", async (done) => {
    shop.fault(create, { kind: "drop", done })
    const first = await shop.create(body, key)
    expect(code(first)).toEqual([502, "provider_error"])
    const again = await shop.create(body, key)
    expect(again.status).toBe(200)
    expect(again.body).toMatchObject({ id: idOf(first), status: "pending", idempotentReplay: true })
    expect(shop.payments().map(({ ours }) => ours)).toEqual([idOf(first)])
    expect(await used()).toMatchObject({ monthlyUsed: 1, dailyUsed: 1 })
    await sound()
  })

  it("is 502 again for as long as the provider does not say, and then payable", async () => {
    shop.fault(create, { kind: "silence", done: false })
    shop.fault("stateByOurs", { kind: "error", status: 500, done: false }, 2)
    const answers = [await shop.create(body, key), await shop.create(body, key), await shop.create(body, key)]
    expect(answers.map(code)).toEqual(answers.map(() => [502, "provider_error"]))
    expect(new Set(answers.map(idOf)).size).toBe(1)
    const last = await shop.create(body, key)
    expect([last.status, last.body["id"]]).toEqual([200, idOf(answers[0]!)])
    expect(shop.payments()).toHaveLength(1)
  })

  it("becomes one invoice with one code where it is sent again many times at once", async () => {
    shop.fault(create, { kind: "drop", done: false })
    const first = await shop.create(body, key)
    shop.fault(create, { kind: "slow", delayMs: 30 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.create(body, key)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(new Set(answers.map(({ body }) => body["id"]))).toEqual(new Set([idOf(first)]))
    expect(shop.payments()).toHaveLength(1)
  })

  it("waits for its last word while the first call may be on its way, though the next one is refused", async () => {
    shop.fault(create, { kind: "drop", done: false })
    const first = await shop.create(body, key)
    shop.fault(create, { kind: "refuse", code: "other", retryable: false })
    expect(code(await shop.create(body, key))).toEqual([502, "provider_error"])
    expect((await stored(idOf(first))).status).toBe("new")
    const last = await shop.create(body, key)
    expect([last.status, last.body["id"]]).toEqual([200, idOf(first)])
  })
})

describe("a create that is sent again and again", () => {
  it("has its last word a minute after the last unanswered call, and looks unchanged until then", async () => {
    shop.fault("createQr", { kind: "drop", done: false })
    const first = await shop.create({}, key)
    shop.fault("createQr", { kind: "refuse", code: "unavailable", retryable: true }, 2)
    for (let count = 0; count < 2; count++) {
      shop.pass(25_000)
      expect(code(await shop.create({}, key))).toEqual([502, "provider_error"])
      const { body } = await call(shop.service, "GET", `/api/v1/invoices/${idOf(first)}`, { key: shop.key })
      expect(body).toMatchObject({ status: "new", updatedAt: body["createdAt"] })
    }
    shop.pass(15_000)
    const last = await shop.create({}, key)
    expect(last.status).toBe(201)
    expect(last.body["id"]).not.toBe(idOf(first))
    expect((await stored(idOf(first))).status).toBe("failed")
    expect(shop.payments()).toHaveLength(1)
    await sound()
  })

  it("is not given up while the last of the calls that nobody has answered may be on its way", async () => {
    shop.fault("createQr", { kind: "drop", done: false }, 2)
    const first = await shop.create({}, key)
    shop.pass(50_000)
    expect(code(await shop.create({}, key))).toEqual([502, "provider_error"])
    shop.pass(50_000)
    const last = await shop.create({}, key)
    expect([last.status, last.body["id"]]).toEqual([200, idOf(first)])
  })
})

describe("a create that the provider has refused", () => {
  const endpoint = () =>
    call(shop.service, "POST", "/api/v1/webhook-endpoints", {
      key: shop.key,
      body: { url: "https://shop.example.kz/h" }
    })
  const deliveries = async (made: Answer) => {
    const path = `/api/v1/webhook-endpoints/${made.body["id"]}/deliveries`
    return (await call(shop.service, "GET", path, { key: shop.key })).body["total"]
  }

  it.each([
    { kind: "refuse", code: "invalid", retryable: false },
    { kind: "refuse", code: "unavailable", retryable: true },
    { kind: "throttle", retryAfterMs: 1 }
  ] as const)("gives back its key and its place, and is not announced (%o)", async (fault) => {
    const hook = await endpoint()
    expect(hook.status).toBe(201)
    shop.fault("createQr", fault)
    const first = await shop.create({}, key)
    expect(first.status).toBe(502)
    expect(await stored(idOf(first))).toMatchObject({ status: "failed", idempotencyKey: null, countedOn: null })
    expect(await used()).toMatchObject({ monthlyUsed: 0, dailyUsed: 0 })
    expect(await deliveries(hook)).toBe(0)
    const again = await shop.create({}, key)
    expect(again.status).toBe(201)
    expect(again.body["id"]).not.toBe(idOf(first))
    expect((await shop.create({}, key)).body).toMatchObject({ id: again.body["id"], idempotentReplay: true })
    expect(await used()).toMatchObject({ monthlyUsed: 1 })
    await sound()
  })

  it("does so after its cashier's session was lost as well", async () => {
    shop.bank.control.loseSessions(null)
    expect(code(await shop.create({}, key))).toEqual([409, "provider_session_expired"])
    await shop.login()
    expect((await shop.create({}, key)).status).toBe(201)
    expect(await used()).toMatchObject({ monthlyUsed: 1 })
  })

  it("is made once by those who send it again at once", async () => {
    shop.fault("createQr", { kind: "refuse", code: "invalid", retryable: false })
    await shop.create({}, key)
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.create({}, key)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(7).fill(200), 201])
    expect(new Set(answers.map(({ body }) => body["id"])).size).toBe(1)
    expect(shop.payments()).toHaveLength(1)
  })

  it("names itself in no place of a bulk answer, and is free for the next one", async () => {
    shop.fault("createQr", { kind: "refuse", code: "invalid", retryable: false })
    const invoices = [{ amount: 1, idempotencyKey: "a" }, { amount: 1, idempotencyKey: "a" }, { amount: 2 }]
    const { body } = await call(shop.service, "POST", "/api/v1/invoices/bulk", { key: shop.key, body: { invoices } })
    const [refused, second] = body["results"]!
    expect(Object.keys(refused!)).toEqual(["index", "ok", "error", "message"])
    // The second element has the key of the first, which has given it back.
    expect(second).toMatchObject({ ok: true, invoice: { status: "pending" } })
    expect(shop.payments()).toHaveLength(2)
  })
})

describe("a refund that ends with an error", () => {
  it.each([
    [{ kind: "refuse", code: "other", retryable: false }, "refund_failed", "failed"],
    [{ kind: "drop", done: true }, "refund_unknown", "unknown"]
  ] as const)("names its record (%o)", async (fault, error, status) => {
    const made = await shop.create()
    shop.pay(made)
    await shop.look(made)
    shop.fault("refund", fault)
    const answer = await shop.refund(made)
    expect(code(answer)).toEqual([502, error])
    const { refunds } = await shop.stored(String(made.body["id"]))
    expect(refunds.map(({ id, status }) => [id, status])).toEqual([[answer.headers.get("x-refund-id"), status]])
  })

  it("made at the provider by another was created no later than completed", async () => {
    const made = await shop.create()
    shop.pay(made)
    await shop.look(made)
    shop.act(made, { does: "refund", amount: null, ours: null })
    shop.pass(5000)
    await shop.look(made)
    const { refunds } = await shop.stored(String(made.body["id"]))
    expect(refunds).toMatchObject([{ status: "succeeded" }])
    for (const { createdAt, completedAt } of refunds) expect(createdAt).toBeLessThanOrEqual(completedAt!)
  })
})

describe("a refund with an idempotency key", () => {
  const key = { "idempotency-key": "refund-1" }
  const paid = async () => {
    const made = await shop.create()
    shop.pay(made)
    await shop.look(made)
    return made
  }
  const refundsOf = ({ body }: Answer) => Array.from(body["refunds"] ?? [], (refund) => refund["status"])

  it("gives its idempotency key back where the provider has refused it for good", async () => {
    const made = await paid()
    shop.fault("refund", { kind: "refuse", code: "other", retryable: false }, 2)
    const ask = () => shop.refund(made, { amount: 500 }, key)
    const failed = [await ask(), await ask()]
    expect(failed.map(code)).toEqual(failed.map(() => [502, "refund_failed"]))
    shop.pass(1)
    const again = await ask()
    expect([again.status, again.body["refundedAmount"]]).toEqual([201, 500])
    const replay = await shop.refund(made, { amount: 700 }, key)
    expect([replay.status, replay.body["idempotentReplay"], replay.body["refundedAmount"]]).toEqual([200, true, 500])
    expect(replay.headers.get("idempotency-mismatch")).toBe("true")
    expect(refundsOf(await shop.read(made))).toEqual(["failed", "failed", "succeeded"])
    await sound()
  })

  it.each([true, false])("keeps its key while its outcome is unknown (made: %s)", async (done) => {
    const made = await paid()
    shop.fault("refund", { kind: "drop", done })
    const ask = () => shop.refund(made, { amount: 500 }, key)
    expect(code(await ask())).toEqual([502, "refund_unknown"])
    expect(code(await ask())).toEqual([409, "refund_pending_unknown"])
    shop.pass(120_000)
    await shop.look(made)
    expect((await ask()).status).toBe(done ? 200 : 201)
    expect((await ask()).status).toBe(200)
    expect((await shop.read(made)).body["refundedAmount"]).toBe(500)
    expect(shop.payments().flatMap(({ signal }) => (signal._tag === "Paid" ? signal.refunds : []))).toHaveLength(1)
    await sound()
  })

  it("waits for the first one, and is made once, where it is sent many times at once", async () => {
    const click = async (made: Answer) => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => shop.refund(made, { amount: 500 }, key)))
      return answers.map(({ status }) => status).toSorted()
    }
    const slow = await paid()
    shop.fault("refund", { kind: "slow", delayMs: 40 })
    expect(await click(slow)).toEqual([...Array(7).fill(200), 201])
    const refused = await paid()
    shop.fault("refund", { kind: "refuse", code: "other", retryable: false })
    expect(await click(refused)).toEqual([...Array(6).fill(200), 201, 502])
    const silent = await paid()
    shop.fault("refund", { kind: "silence", done: true })
    expect(await click(silent)).toEqual([...Array(7).fill(409), 502])
    for (const made of [slow, refused]) expect((await shop.read(made)).body["refundedAmount"]).toBe(500)
    await sound()
  })
})
