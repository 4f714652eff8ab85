/** Live invoices over HTTP: made at the provider, paid there, refunded there, and told truly whatever goes wrong. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Answer } from "../support/calls.ts"
import { type Live, live } from "./cashier.ts"

let shop: Live
beforeEach(async () => {
  shop = await live()
})
afterEach(() => shop.stop())

const code = ({ status, body }: Answer) => [status, body["error"]]
const status = ({ body }: Answer) => body["status"]
const types = ({ body }: Answer) => Array.from(body["events"] ?? [], (event) => event["type"])
const refundsOf = ({ body }: Answer) => Array.from(body["refunds"] ?? [], (refund) => refund["status"])
const paid = async (body: object = {}) => {
  const made = await shop.create(body)
  shop.pay(made)
  expect(status(await shop.look(made))).toBe("paid")
  return made
}
const onlyOne = async () => {
  const { body } = await shop.create()
  return body
}

describe("a live create", () => {
  it("answers with what the provider has made, after it was stored as new", async () => {
    const made = await shop.create()
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ status: "pending", mode: "live", providerStatus: "Waiting" })
    expect(made.body["qrUrl"]).toMatch(/^tolem-sandbox:\/\/qr\//)
    expect(Date.parse(String(made.body["expiresAt"]))).toBe(shop.service.time.now + 180_000)
    expect(types(await shop.read(made))).toEqual(["invoice.created", "invoice.pending"])
    expect(shop.payments().length).toBe(1)
  })

  it("pushes a phone invoice into the customer's app", async () => {
    const made = await shop.create({ kind: "phone", customer: { phone: "77001234567" } })
    expect(made.body).toMatchObject({ status: "pending", qrUrl: null, deepLink: null, qrImageUrl: null })
    expect(shop.payments()[0]).toMatchObject({ kind: "phone", phone: "77001234567" })
  })

  it("is failed where the provider refuses", async () => {
    shop.fault("createQr", { kind: "refuse", code: "invalid", retryable: false })
    expect(code(await shop.create())).toEqual([502, "invoice_create_failed"])
    const [first] = await listed()
    expect(first?.["status"]).toBe("failed")
  })

  it("stays new without an answer, and becomes what the provider says", async () => {
    shop.fault("createQr", { kind: "drop", done: true })
    expect(code(await shop.create())).toEqual([502, "provider_error"])
    const [first] = await listed()
    expect(first).toMatchObject({ status: "new", qrUrl: null })
    const found = await shop.look({ body: first } as Answer)
    expect(found.body).toMatchObject({ status: "pending" })
    expect(found.body["qrUrl"]).not.toBeNull()
    expect(shop.payments().length).toBe(1)
  })

  it("is failed where the provider has never heard of it, but not before that is certain", async () => {
    shop.fault("createQr", { kind: "silence", done: false })
    expect(code(await shop.create())).toEqual([502, "provider_error"])
    const [first] = await listed()
    shop.pass(20_000)
    expect(status(await shop.look({ body: first } as Answer))).toBe("new")
    shop.pass(60_000)
    expect(status(await shop.look({ body: first } as Answer))).toBe("failed")
  })

  it("says that the cashier must log in again, and works once they have", async () => {
    shop.bank.control.loseSessions(null)
    expect(code(await shop.create())).toEqual([409, "provider_session_expired"])
    expect(code(await shop.create())).toEqual([409, "provider_session_expired"])
    await shop.login()
    expect((await shop.create()).status).toBe(201)
  })

  it("makes one invoice of a key that comes many times at once", async () => {
    await shop.stop()
    shop = await live(30_000)
    shop.fault("createQr", { kind: "slow", delayMs: 30 })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => shop.create({}, { "idempotency-key": "order-1" }))
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array.from({ length: 9 }, () => 200), 201])
    expect(new Set(answers.map(({ body }) => body["id"])).size).toBe(1)
    expect(answers.every((answer) => status(answer) === "pending")).toBe(true)
    expect(shop.payments().length).toBe(1)
  })

  it("needs a cashier who works", async () => {
    const other = await shop.service.key({ mode: "live" })
    const { call } = await import("../support/calls.ts")
    const create = (key: typeof other) => call(shop.service, "POST", "/api/v1/invoices", { key, body: { amount: 1 } })
    expect(code(await create(other))).toEqual([400, "provider_session_not_configured"])
    await shop.service.run(shop.connections.change(shop.organizationId, shop.cashier.id, { _tag: "Disabled" }))
    expect(code(await shop.create())).toEqual([400, "connection_not_active"])
  })
})

const listed = async () => {
  const { call } = await import("../support/calls.ts")
  const { body } = await call(shop.service, "GET", "/api/v1/invoices", { key: shop.key })
  return Array.from(body["invoices"] ?? [])
}

describe("a live payment", () => {
  it("is seen by a read with live=1, once, also by reads of the same moment", async () => {
    const made = await shop.create()
    shop.pay(made)
    const before = await shop.read(made)
    expect(status(before)).toBe("pending")
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.look(made)))
    expect(answers.map(status)).toEqual(answers.map(() => "paid"))
    const read = await shop.read(made)
    expect(types(read)).toEqual(["invoice.created", "invoice.pending", "invoice.paid"])
    expect(read.body["receiptNumber"]).toMatch(/^R-/)
  })

  it("that comes after expiry or cancellation is late", async () => {
    for (const close of [() => shop.pass(200_000), null]) {
      const made = await shop.create()
      if (close === null) expect((await shop.cancel(made)).body["stillPayableUntil"]).not.toBeNull()
      else {
        close()
        expect(status(await shop.look(made))).toBe("expired")
      }
      shop.pay(made)
      expect(status(await shop.look(made))).toBe("paid")
      const detail = await shop.stored(String(made.body["id"]))
      expect(detail.events.at(-1)).toMatchObject({ type: "invoice.paid", late: true, source: "provider" })
      const shown = JSON.stringify((await shop.read(made)).body["events"])
      expect(shown.match(/"late":true/g)).toHaveLength(1)
    }
  })

  it("is not made up: what the payer refuses has failed", async () => {
    const made = await shop.create()
    shop.act(made, { does: "refuse" })
    expect(status(await shop.look(made))).toBe("failed")
  })

  it("is answered as stored while the provider is silent", async () => {
    const made = await shop.create()
    shop.fault("stateByReference", { kind: "silence", done: false })
    expect(status(await shop.look(made))).toBe("pending")
  })
})

describe("cancelling a phone invoice", () => {
  const push = () => shop.create({ kind: "phone", customer: { phone: "77001234567" } })

  it("withdraws it at the provider", async () => {
    const made = await push()
    expect(status(await shop.cancel(made))).toBe("cancelled")
    expect(shop.payments()[0]?.signal._tag).toBe("Cancelled")
  })

  it("fails where the provider does not do it, and leaves the invoice open", async () => {
    const made = await push()
    shop.fault("cancel", { kind: "refuse", code: "unavailable", retryable: true })
    expect(code(await shop.cancel(made))).toEqual([502, "cancel_failed"])
    expect(status(await shop.read(made))).toBe("pending")
  })

  it("finds that it was paid in time", async () => {
    const made = await push()
    shop.pay(made)
    expect(code(await shop.cancel(made))).toEqual([409, "invoice_not_open"])
    expect(status(await shop.read(made))).toBe("paid")
  })
})

describe("a live refund", () => {
  it("goes through the provider, once for one idempotency key", async () => {
    const made = await paid()
    const key = { "idempotency-key": "refund-1" }
    const answers = [
      await shop.refund(made, { amount: 500 }, key),
      await shop.refund(made, { amount: 500 }, key),
      await shop.refund(made, { amount: 700 }, key)
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200])
    expect(answers.map(({ body }) => body["idempotentReplay"])).toEqual([undefined, true, true])
    expect(answers.map(({ headers }) => headers.get("idempotency-mismatch"))).toEqual([null, null, "true"])
    const read = await shop.read(made)
    expect(read.body).toMatchObject({ status: "partially_refunded", refundedAmount: 500 })
    expect(refundsOf(read)).toEqual(["succeeded"])
    expect(status(await shop.refund(made))).toBe("refunded")
  })

  it("twice at once is made once", async () => {
    const made = await paid()
    const answers = await Promise.all(Array.from({ length: 6 }, () => shop.refund(made)))
    expect(answers.filter(({ status }) => status === 201).length).toBe(1)
    for (const { status, body } of answers) {
      if (status !== 201)
        expect(body["error"]).toMatch(/^(invoice_changed|refund_pending_unknown|invoice_not_refundable)$/)
    }
    expect((await shop.read(made)).body["refundedAmount"]).toBe(1500)
  })

  it("is failed where the provider refuses, and may be asked for again", async () => {
    const made = await paid()
    shop.fault("refund", { kind: "refuse", code: "other", retryable: false })
    expect(code(await shop.refund(made))).toEqual([502, "refund_failed"])
    expect((await shop.read(made)).body).toMatchObject({ status: "paid", refundedAmount: 0 })
    shop.pass(1)
    expect((await shop.refund(made)).status).toBe(201)
    expect(refundsOf(await shop.read(made))).toEqual(["failed", "succeeded"])
  })

  it("is unknown without an answer, holds up others, and is resolved by asking", async () => {
    for (const done of [true, false]) {
      const made = await paid()
      shop.fault("refund", { kind: "drop", done })
      expect(code(await shop.refund(made, { amount: 500 }))).toEqual([502, "refund_unknown"])
      expect(code(await shop.refund(made, { amount: 500 }))).toEqual([409, "refund_pending_unknown"])
      shop.pass(120_000)
      const read = await shop.look(made)
      expect(read.body["refundedAmount"]).toBe(done ? 500 : 0)
      expect(refundsOf(read)).toEqual([done ? "succeeded" : "failed"])
      expect((await shop.refund(made)).status).toBe(201)
    }
  })

  it("made in the provider's own app is brought in as a record", async () => {
    const made = await paid()
    shop.act(made, { does: "refund", amount: null, ours: null })
    const read = await shop.look(made)
    expect(read.body).toMatchObject({ status: "refunded", refundedAmount: 1500 })
    expect(refundsOf(read)).toEqual(["succeeded"])
    expect(refundsOf(await shop.look(made))).toEqual(["succeeded"])
  })

  it("conflicts with one that was made elsewhere meanwhile", async () => {
    const made = await paid()
    shop.act(made, { does: "refund", amount: null, ours: null })
    expect(code(await shop.refund(made))).toEqual([409, "refund_state_conflict"])
    expect((await shop.read(made)).body).toMatchObject({ status: "refunded", refundedAmount: 1500 })
  })

  it("needs a cashier", async () => {
    const made = await paid()
    shop.bank.control.loseSessions(null)
    expect(code(await shop.refund(made))).toEqual([409, "provider_session_expired"])
    expect((await onlyOne())["error"]).toBe("provider_session_expired")
    await shop.login()
    expect((await shop.refund(made)).status).toBe(201)
  })
})
