/** A provider that finds nothing by our ids: what cannot be known is made once, and stays to be seen. */
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type Live, live } from "./cashier.ts"

const hour = 3_600_000

let shop: Live
beforeEach(async () => {
  shop = await live()
  // As such an adapter answers, whenever it is asked.
  for (const call of ["stateByOurs", "refundState"] as const) shop.fault(call, { kind: "drop", done: false }, null)
})
afterEach(() => shop.stop())

describe("a provider that finds nothing by our ids", () => {
  it("is not asked twice for a code whose first answer was lost", async () => {
    shop.fault("createQr", { kind: "drop", done: true })
    const create = () => shop.create({}, { "idempotency-key": "order-1" })
    const made = await create()
    expect(made.body["error"]).toBe("provider_error")
    for (let count = 0; count < 5; count++) {
      shop.pass(hour)
      expect((await create()).body["error"]).toBe("provider_error")
    }
    expect(shop.payments()).toHaveLength(1)
    expect((await shop.stored(String(made.headers.get("x-invoice-id")))).invoice.status).toBe("new")
  })

  it("makes no refund again that it may have made: it stays unknown until somebody resolves it", async () => {
    const made = await shop.create()
    shop.pay(made)
    await shop.look(made)
    shop.fault("refund", { kind: "drop", done: false })
    expect((await shop.refund(made, { amount: 600 })).body["error"]).toBe("refund_unknown")
    for (let count = 0; count < 5; count++) {
      shop.pass(30 * hour)
      await shop.look(made)
    }
    expect((await shop.read(made)).body["refunds"]).toMatchObject([{ status: "unknown" }])
    expect((await shop.refund(made, { amount: 600 })).body["error"]).toBe("refund_pending_unknown")
  })
})
