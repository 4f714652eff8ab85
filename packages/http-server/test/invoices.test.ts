import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, call, type Json } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const start0 = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
let service: Service
let key: Key

beforeAll(async () => {
  service = await start({ now: start0 })
  key = await service.key()
})
afterAll(() => service.stop())

const invoices = "/api/v1/invoices"
const create = (body: object, headers?: Record<string, string>) =>
  call(service, "POST", invoices, { key, body, ...(headers && { headers }) })
const idOf = (answer: Answer) => String(answer.body["id"])
const simulate = (id: string, status: string) =>
  call(service, "POST", `${invoices}/${id}/simulate`, { key, body: { status } })
const refund = (id: string, body?: object, headers?: Record<string, string>) =>
  call(service, "POST", `${invoices}/${id}/refund`, { key, body, ...(headers && { headers }) })
const read = (id: string) => call(service, "GET", `${invoices}/${id}`, { key })
const paid = async (amount = 1500) => {
  const id = idOf(await create({ amount }))
  await simulate(id, "paid")
  return id
}
const texts = (items: Json | undefined, member: string) => Array.from(items ?? []).map((item) => item[member])

const order = [
  ...["id", "status", "mode", "kind", "amount", "currency", "description", "externalOrderId", "providerStatus"],
  ...["refundedAmount", "receiptNumber", "receiptUrl", "providerReceiptUrl", "customer", "metadata", "payUrl", "qrUrl"],
  ...["deepLink", "qrImageUrl", "expiresAt", "paidAt", "createdAt", "updatedAt"]
]

describe("the members of an answer", () => {
  it("stand in the order of the specification, what it adds behind them", async () => {
    const metadata = { b: 1, a: 2 }
    const made = await create({ amount: 100, metadata, idempotencyKey: "ordered" })
    const replayed = await create({ amount: 100, metadata, idempotencyKey: "ordered" })
    const members = (body: Json | undefined) => Object.keys(body ?? {})
    expect(members(made.body)).toEqual(order)
    expect(members(replayed.body)).toEqual([...order, "idempotentReplay"])
    expect(members((await read(idOf(made))).body)).toEqual([...order, "events", "refunds"])
    expect(members((await call(service, "GET", invoices, { key })).body["invoices"]?.[0])).toEqual(order)
    const cancelled = await call(service, "POST", `${invoices}/${idOf(made)}/cancel`, { key })
    expect(members(cancelled.body)).toEqual([...order, "stillPayableUntil"])
  })
})

describe("creating", () => {
  it("answers 201 with every member of the specification, and no other", async () => {
    const { status, body } = await create({
      amount: 1500.5,
      description: "Чай",
      externalOrderId: "A-17",
      customer: { name: "Айгүл", phone: "77001234567", email: "a@example.kz" },
      successUrl: "https://shop.kz/ok",
      failUrl: "http://shop.kz/no",
      metadata: { cart: [1, 2] },
      unknown: "ignored"
    })
    expect(status).toBe(201)
    const base = service.settings.baseUrl
    expect(body).toEqual({
      id: expect.stringMatching(/^inv_[0-9a-z]{26}$/),
      status: "pending",
      mode: "sandbox",
      kind: "qr",
      amount: 1500.5,
      currency: "KZT",
      description: "Чай",
      externalOrderId: "A-17",
      providerStatus: null,
      refundedAmount: 0,
      receiptNumber: null,
      receiptUrl: null,
      providerReceiptUrl: null,
      customer: { name: "Айгүл", phone: "77001234567", email: "a@example.kz" },
      payUrl: `${base}/pay/${body["id"]}`,
      qrUrl: `${base}/pay/${body["id"]}/bank`,
      deepLink: `${base}/pay/${body["id"]}/bank`,
      qrImageUrl: `${base}/pay/${body["id"]}/qr.svg`,
      expiresAt: "2026-01-02T03:07:05.678Z",
      paidAt: null,
      createdAt: "2026-01-02T03:04:05.678Z",
      updatedAt: "2026-01-02T03:04:05.678Z",
      metadata: { cart: [1, 2] }
    })
  })

  it("of kind phone has no code to scan and waits a day", async () => {
    const asked = { amount: 1500, customer: { phone: "77001234567" } }
    for (const kind of [{ kind: "phone" }, { method: "invoice" }]) {
      const { body } = await create({ ...asked, ...kind })
      expect(body).toMatchObject({ kind: "phone", qrUrl: null, deepLink: null, qrImageUrl: null })
      expect(body["expiresAt"]).toBe("2026-01-03T03:04:05.678Z")
    }
  })

  it("never lets a Host header into an address", async () => {
    const { body } = await create({ amount: 1 }, { "x-forwarded-host": "evil.example" })
    expect(String(body["payUrl"])).toMatch(/^http:\/\/localhost:3000\//)
  })
})

describe("reading", () => {
  it("shows the events in order and the refunds", async () => {
    const id = await paid()
    await refund(id, { amount: 500, reason: "Суық" })
    const { body } = await read(id)
    expect(body).toMatchObject({ id, status: "partially_refunded", refundedAmount: 500, receiptNumber: "00000001" })
    expect(body["receiptUrl"]).toBe(`http://localhost:3000/receipts/${id}`)
    expect(texts(body["events"], "type")).toEqual(["invoice.created", "invoice.paid", "invoice.partially_refunded"])
    expect(body["events"]![1]).toEqual({
      id: expect.stringMatching(/^evt_/),
      sequence: 2,
      type: "invoice.paid",
      from: "pending",
      to: "paid",
      source: "api",
      createdAt: "2026-01-02T03:04:05.678Z"
    })
    expect(body["refunds"]).toEqual([
      {
        id: expect.stringMatching(/^ref_/),
        amount: 500,
        status: "succeeded",
        reason: "Суық",
        createdAt: "2026-01-02T03:04:05.678Z",
        completedAt: "2026-01-02T03:04:05.678Z"
      }
    ])
  })

  it("live asks right now, and anything but 1 changes nothing", async () => {
    const id = idOf(await create({ amount: 1 }))
    for (const query of ["?live=1", "?live=0", "?live=", "?live[]=1"]) {
      const answer = await call(service, "GET", `${invoices}/${id}${query}`, { key })
      expect(answer.body["status"], query).toBe("pending")
    }
    const twice = await call(service, "GET", `${invoices}/${id}?live=1&live=1`, { key })
    expect([twice.status, twice.body["error"]]).toEqual([422, "invalid_live"])
  })
})

describe("cancelling", () => {
  it("closes an open invoice, and tells until when a scanned code can still be paid", async () => {
    const id = idOf(await create({ amount: 1 }))
    const { status, body } = await call(service, "POST", `${invoices}/${id}/cancel`, { key })
    expect(status).toBe(200)
    expect(body).toMatchObject({ id, status: "cancelled", stillPayableUntil: "2026-01-02T03:07:05.678Z" })
    const again = await call(service, "POST", `${invoices}/${id}/cancel`, { key })
    expect(again.body["error"]).toBe("invoice_not_open")
  })

  it("says null once that time has passed, and nothing for kind phone", async () => {
    const late = idOf(await create({ amount: 1 }))
    service.time.now = start0 + 3 * 60_000
    const { body } = await call(service, "POST", `${invoices}/${late}/cancel`, { key })
    service.time.now = start0
    expect(body["stillPayableUntil"]).toBeNull()
    const phone = idOf(await create({ amount: 1, kind: "phone", customer: { phone: "77001234567" } }))
    const closed = await call(service, "POST", `${invoices}/${phone}/cancel`, { key, body: {} })
    expect(closed.body["status"]).toBe("cancelled")
    expect("stillPayableUntil" in closed.body).toBe(false)
  })
})

describe("simulating", () => {
  it("pays, fails and expires what is pending; pays what is expired or cancelled; nothing else", async () => {
    for (const status of ["paid", "failed", "expired"]) {
      expect((await simulate(idOf(await create({ amount: 1 })), status)).body["status"]).toBe(status)
    }
    const id = idOf(await create({ amount: 1 }))
    await simulate(id, "expired")
    expect((await simulate(id, "failed")).body["error"]).toBe("invoice_not_open")
    const late = await simulate(id, "paid")
    expect(late.body).toMatchObject({ status: "paid", paidAt: "2026-01-02T03:04:05.678Z" })
    expect((await simulate(id, "paid")).body["error"]).toBe("invoice_not_open")
    const failed = idOf(await create({ amount: 1 }))
    await simulate(failed, "failed")
    expect((await simulate(failed, "paid")).body["error"]).toBe("invoice_not_open")
  })
})

describe("refunding", () => {
  it("gives back the whole remainder where no amount is given, with or without a body", async () => {
    for (const body of [undefined, {}, { amount: null }]) {
      const answer = await refund(await paid(), body)
      expect(answer.status).toBe(201)
      expect(answer.body).toMatchObject({ status: "refunded", refundedAmount: 1500 })
    }
  })

  it("adds up to the payment and never over it", async () => {
    const id = await paid(100.1)
    expect((await refund(id, { amount: 100.11 })).body["error"]).toBe("invalid_refund_amount")
    expect((await refund(id, { amount: 0.1 })).body).toMatchObject({
      status: "partially_refunded",
      refundedAmount: 0.1
    })
    expect((await refund(id, { amount: 100.01 })).body["error"]).toBe("invalid_refund_amount")
    expect((await refund(id)).body).toMatchObject({ status: "refunded", refundedAmount: 100.1 })
    expect((await refund(id)).body["error"]).toBe("invoice_not_refundable")
  })

  it("happens once for a double click, and for every repetition under the same key", async () => {
    const id = await paid()
    const click = () => refund(id, { amount: 400 }, { "idempotency-key": "click-1" })
    const answers = await Promise.all(Array.from({ length: 10 }, click))
    expect(answers.map((answer) => answer.status).toSorted()).toEqual([...Array(9).fill(200), 201])
    const again = await click()
    expect([again.status, again.body["idempotentReplay"]]).toEqual([200, true])
    expect(again.headers.get("idempotency-mismatch")).toBeNull()
    const other = await refund(id, { amount: 300 }, { "idempotency-key": "click-1" })
    expect([other.status, other.headers.get("idempotency-mismatch")]).toEqual([200, "true"])
    const { body } = await read(id)
    expect(body["refundedAmount"]).toBe(400)
    expect(body["refunds"]).toHaveLength(1)
    await refund(id, { amount: 400 }, { "idempotency-key": "click-2" })
    expect((await read(id)).body["refundedAmount"]).toBe(800)
  })

  it("in parallel without a key never gives back more than was paid", async () => {
    const id = await paid(1000)
    const answers = await Promise.all(Array.from({ length: 20 }, () => refund(id, { amount: 300 })))
    const made = answers.filter((answer) => answer.status === 201).length
    const codes = new Set(answers.filter((answer) => answer.status !== 201).map((answer) => answer.body["error"]))
    expect(made).toBeGreaterThanOrEqual(1)
    expect(made).toBeLessThanOrEqual(3)
    expect([...codes].every((code) => ["invoice_changed", "invalid_refund_amount"].includes(String(code)))).toBe(true)
    expect((await read(id)).body["refundedAmount"]).toBe(made * 300)
  })
})

describe("idempotency", () => {
  const keyed = (idempotencyKey: string, body: object) => create(body, { "idempotency-key": idempotencyKey })

  it("makes one invoice of a hundred parallel requests", async () => {
    const answers = await Promise.all(Array.from({ length: 100 }, () => keyed("parallel", { amount: 7 })))
    expect(new Set(answers.map(idOf)).size).toBe(1)
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1)
    const replays = answers.filter((answer) => answer.status === 200)
    expect(replays).toHaveLength(99)
    expect(replays.every((answer) => (answer.body["idempotentReplay"] as unknown) === true)).toBe(true)
    expect(replays.every((answer) => answer.headers.get("idempotency-mismatch") === null)).toBe(true)
  })

  it("answers the earlier invoice to another request, and says so in a header", async () => {
    const first = await keyed("mismatch", { amount: 7, description: "one" })
    const other = await keyed("mismatch", { amount: 8 })
    expect(other.status).toBe(200)
    expect(idOf(other)).toBe(idOf(first))
    expect(other.body["amount"]).toBe(7)
    expect(other.headers.get("idempotency-mismatch")).toBe("true")
  })

  it("shows the invoice as it is now, and works through the body too, where the header wins", async () => {
    const first = await create({ amount: 9, idempotencyKey: "body-key" })
    await simulate(idOf(first), "paid")
    const replay = await create({ amount: 9, idempotencyKey: "body-key" })
    expect(replay.body).toMatchObject({ id: idOf(first), status: "paid", idempotentReplay: true })
    const header = await create({ amount: 9, idempotencyKey: "body-key" }, { "idempotency-key": "header-key" })
    expect(header.status).toBe(201)
  })

  it("burns no key on a request that is refused, and keeps organizations and modes apart", async () => {
    expect((await keyed("burnt", { amount: "x" })).status).toBe(422)
    expect((await keyed("burnt", { amount: 1 })).status).toBe(201)
    const stranger = await service.key()
    const answer = await call(service, "POST", invoices, {
      key: stranger,
      body: { amount: 1 },
      headers: { "idempotency-key": "burnt" }
    })
    expect(answer.status).toBe(201)
  })

  it("takes keys of 1 to 255 characters", async () => {
    expect((await keyed("k".repeat(255), { amount: 1 })).status).toBe(201)
    expect((await keyed("k".repeat(256), { amount: 1 })).body["error"]).toBe("invalid_idempotency_key")
    expect((await keyed("", { amount: 1 })).body["error"]).toBe("invalid_idempotency_key")
  })
})

describe("bulk requests", () => {
  const bulk = (list: unknown) => call(service, "POST", `${invoices}/bulk`, { key, body: { invoices: list } })

  it("judge each element by itself and keep their order", async () => {
    const { status, body } = await bulk([
      { amount: 1, externalOrderId: "first" },
      { amount: "1" },
      { amount: 2, idempotencyKey: "bulk-key", metadata: { a: 1 } },
      5,
      { amount: 2, idempotencyKey: "bulk-key" },
      { amount: 3, successUrl: "ftp://x" }
    ])
    expect(status).toBe(207)
    expect(body).toMatchObject({ total: 6, created: 2 })
    const results = Array.from(body["results"]!)
    expect(texts(body["results"], "index")).toEqual([0, 1, 2, 3, 4, 5])
    expect(texts(body["results"], "ok")).toEqual([true, false, true, false, true, false])
    expect(results[0]!["invoice"]).toMatchObject({ externalOrderId: "first", status: "pending" })
    expect(results[1]).toEqual({ index: 1, ok: false, error: "invalid_amount", message: expect.any(String) })
    expect(results[3]!["error"]).toBe("invalid_invoices")
    expect(results[4]!["invoice"]).toMatchObject({ id: results[2]!["invoice"]!["id"], idempotentReplay: true })
    expect(results[5]!["error"]).toBe("invalid_url")
  })

  it("take 1 to 100 elements, else nothing is created", async () => {
    const total = async () => Number((await call(service, "GET", invoices, { key })).body["total"])
    const before = await total()
    const many = Array.from({ length: 101 }, () => ({ amount: 1 }))
    for (const list of [[], many, {}, null, "x", undefined])
      expect((await bulk(list)).body["error"]).toBe("invalid_invoices")
    expect(await total()).toBe(before)
    expect((await bulk(many.slice(1))).body["created"]).toBe(100)
    expect((await bulk([1, null, "x"])).body).toMatchObject({ total: 3, created: 0 })
  })
})
