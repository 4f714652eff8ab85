/** Kaspi POS as a provider, on a server that answers as its documentation says. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { createEngine } from "@tolem/core"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { providerTests } from "@tolem/testing"
import { Effect, Redacted } from "effect"
import { afterAll, describe, expect, it } from "vitest"
import { kaspiPos } from "../src/KaspiPos.ts"
import { instantOf, operationOf, referenceOf } from "../src/Operation.ts"
import { documented } from "./documented.ts"

const server = await documented()
afterAll(() => server.stop())

const { url, control, operations } = server
const tests = await providerTests({ provider: kaspiPos({ url, timeoutMs: 2000 }), control })

describe("the suite of providers", () => {
  for (const { name, skip, run } of tests) if (skip === null) it(name, run)

  it("leaves out what kaspi-pos-automation cannot do, and nothing for want of control", () => {
    const left = new Set(
      tests.map(({ skip }) => skip).filter((skip) => skip?.startsWith("the provider cannot") === true)
    )
    const cannot = [
      "endLogins",
      "createOnce",
      "refundOnce",
      "findRefunds",
      "findByOurs",
      "showRefunds",
      "listOperations"
    ]
    expect(left).toEqual(new Set(cannot.map((name) => `the provider cannot: ${name}`)))
    expect(tests.filter(({ skip }) => skip?.startsWith("the control") === true)).toEqual([])
  })
})

describe("a refund", () => {
  const reference = referenceOf({ kind: "qr", id: 1, amount: 50_000, expiresAt: 1_735_715_100_000 })
  const order = {
    session: Redacted.make(JSON.stringify({ tokenSN: "t", vtokenSecret: "v" })),
    reference,
    ours: "ref_1"
  }

  it.each([
    ["a code that is not documented", (answer: ServerResponse) => answer.end('{"StatusCode":-7}')],
    ["a way to another host", (answer: ServerResponse) => answer.writeHead(307, { location: "/elsewhere" }).end()],
    ["more than fits", (answer: ServerResponse) => answer.end(`${" ".repeat(300_000)}{"StatusCode":0,"Data":{}}`)]
  ])("is unknown, and asked for once, if the answer is %s", async (_, answerRefund) => {
    const asked: Array<string> = []
    const service = createServer((request, answer) => {
      asked.push(request.url ?? "")
      if (request.method === "POST") answerRefund(answer)
      else answer.end('{"StatusCode":0,"Data":{"Status":"Processed"}}')
    }).listen(0, "127.0.0.1")
    await once(service, "listening")
    try {
      const { port } = service.address() as AddressInfo
      const provider = await Effect.runPromise(
        Effect.provide(PaymentProvider, kaspiPos({ url: `http://127.0.0.1:${port}`, timeoutMs: 20_000 }))
      )
      const answer = await Effect.runPromise(provider.refund({ ...order, amount: Tiyn(50_000) }))
      expect(answer._tag).toBe("Unknown")
      expect(asked).toEqual(["/api/qr/status?qrOperationId=1", "/api/refund/create"])
    } finally {
      service.closeAllConnections()
      service.close()
    }
  })
})

describe("an operation", () => {
  it("is its reference, and nothing else is one", () => {
    const operation = { kind: "push", id: 789_012, amount: 50_000, expiresAt: 1_735_715_100_000 } as const
    expect(operationOf(referenceOf(operation))).toEqual(operation)
    for (const text of ["", "none", "qr:1:2", "qr:1:2:3:4", "qr:-1:2:3", "QR:1:2:3"]) {
      expect(operationOf(text)).toBeUndefined()
    }
  })

  it("ends by Kazakhstan's clock, unless its time has a zone", () => {
    expect(instantOf("2025-01-01T12:05:00")).toBe(Date.parse("2025-01-01T07:05:00Z"))
    expect(instantOf("2025-01-01T12:05:00Z")).toBe(Date.parse("2025-01-01T12:05:00Z"))
  })
})

describe("an engine over it", () => {
  it("makes nothing twice: what is not known is to be seen, and resolved by hand", async () => {
    const engine = await createEngine({
      database: sqlite({ filename: ":memory:" }),
      platform: nodePlatform(),
      provider: kaspiPos({ url, timeoutMs: 2000 }),
      secretKeys: ["kW7pLq2vXz9RtYb4NcMd8HfGs1JaEu6o"],
      logger: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
    })
    try {
      const shop = await engine.merchant({ key: "shop", name: "Dastarkhan", mode: "live" })
      const { organizationId } = shop
      const till = await engine.connections.create(organizationId, { name: "Till" })
      const { processId } = await engine.connections.initLogin(organizationId, till.id)
      await engine.connections.sendPhone(organizationId, till.id, { processId, phone: control.cashiers[0] })
      await engine.connections.verifyOtp(organizationId, till.id, { processId, otp: control.codes.right })
      await engine.organizations.switchMode(organizationId, "live")

      const before = operations.length
      await control.trouble("createQr", "lost_answer")
      const order = { amount: 1500, kind: "qr", idempotencyKey: "order-1" } as const
      for (let tries = 0; tries < 3; tries++) {
        await expect(shop.invoices.create(order)).rejects.toMatchObject({ code: "provider_error" })
      }
      expect(operations.length - before).toBe(1)

      const invoice = await shop.invoices.create({ amount: 1500, kind: "qr" })
      const paid = operations.at(-1)
      if (paid !== undefined) paid.status = "Processed"
      expect((await shop.invoices.get(invoice.id, { live: true })).status).toBe("paid")

      await control.trouble("refund", "lost_answer")
      const refund = { amount: 600, idempotencyKey: "back-1" }
      await expect(shop.invoices.refund(invoice.id, refund)).rejects.toMatchObject({ code: "refund_unknown" })
      await shop.invoices.get(invoice.id, { live: true })
      await expect(shop.invoices.refund(invoice.id, refund)).rejects.toMatchObject({ code: "refund_pending_unknown" })
      expect(paid?.refunds).toEqual([600])
      const [unknown] = (await shop.invoices.get(invoice.id)).refunds ?? []
      expect(unknown?.status).toBe("unknown")
      await shop.refunds.resolve(unknown?.id ?? "", { made: true, reference: "seen in Kaspi Pay" })
      expect((await shop.invoices.get(invoice.id)).status).toBe("partially_refunded")
    } finally {
      await engine.close()
    }
  })
})
