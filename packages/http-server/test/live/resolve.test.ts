/** Refunds of which the provider has not told what became, resolved by hand. */
import { Engine } from "@tolem/core/engine/Engine"
import type { RefundResolution } from "@tolem/core/invoice/InvoiceRequests"
import { Effect } from "effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Answer } from "../support/calls.ts"
import * as TestClock from "../support/clock.ts"
import { type Live, live } from "./cashier.ts"

let shop: Live
beforeEach(async () => {
  shop = await live()
})
afterEach(() => shop.stop())

/** A paid invoice, and the id of its refund that the provider has made or not, without telling. */
const unknownRefund = async (done: boolean) => {
  const made = await shop.create()
  shop.pay(made)
  await shop.look(made)
  shop.fault("refund", { kind: "drop", done })
  expect((await shop.refund(made, { amount: 600 })).body["error"]).toBe("refund_unknown")
  const [refund] = (await shop.read(made)).body["refunds"] ?? []
  expect(refund?.["status"]).toBe("unknown")
  return { made, id: String(refund?.["id"]) }
}

/** What a call of the use-case comes to: the statuses of the invoice and of its refunds, or a code. */
const resolve = (id: string, resolution: RefundResolution, organizationId = shop.organizationId) => {
  const caller = { organizationId, mode: "live", connectionId: null, source: "api" } as const
  const resolved = Effect.flatMap(Engine, ({ refunds }) => refunds.resolve(caller, id, resolution))
  const told = Effect.match(resolved, {
    onFailure: ({ code }) => code as string,
    onSuccess: ({ invoice, refunds }) => [invoice.status, ...refunds.map(({ status }) => status)].join(" ")
  })
  return shop.service.run(Effect.provide(told, TestClock.layer(shop.service.time)))
}
const shown = ({ body }: Answer) => [body["status"], body["refundedAmount"]]
const bankReference = () => {
  const [payment] = shop.payments()
  const refunds = payment?.signal._tag === "Paid" ? payment.signal.refunds : []
  return refunds[0]?.reference ?? ""
}
const findings = () => shop.service.run(Effect.flatMap(Engine, ({ integrity }) => integrity.findings))

describe("a refund that is unknown", () => {
  it("is resolved as made, once, and the provider who tells so later changes nothing", async () => {
    const { made, id } = await unknownRefund(true)
    expect(await resolve(id, { made: true, reference: bankReference() })).toBe("partially_refunded succeeded")
    expect(await resolve(id, { made: true, reference: bankReference() })).toBe("partially_refunded succeeded")
    expect(await resolve(id, { made: false })).toBe("refund_state_conflict")
    expect(shown(await shop.look(made))).toEqual(["partially_refunded", 600])
    expect((await shop.read(made)).body["refunds"]).toHaveLength(1)
    const { audit } = await shop.service.run(Engine)
    const log = await shop.service.run(audit.list({ organizationId: shop.organizationId, before: null, limit: 50 }))
    const resolved = log.filter(({ action }) => action === "refund.resolved")
    expect(resolved).toMatchObject([
      {
        subject: made.body["id"],
        detail: JSON.stringify({ refundId: id, made: true, reference: bankReference() })
      }
    ])
    expect(await findings()).toEqual([])
  })

  it("is resolved as not made, and another one may be made", async () => {
    const { made, id } = await unknownRefund(false)
    expect((await shop.refund(made)).body["error"]).toBe("refund_pending_unknown")
    expect(await resolve(id, { made: false })).toBe("paid failed")
    expect((await shop.refund(made)).status).toBe(201)
    expect(shown(await shop.look(made))).toEqual(["refunded", 1500])
    expect(await resolve(id, { made: true, reference: "late" })).toBe("refund_state_conflict")
    expect(await findings()).toEqual([])
  })

  it("that was resolved as not made, and was made after all, is believed of the provider", async () => {
    const { made, id } = await unknownRefund(true)
    expect(await resolve(id, { made: false })).toBe("paid failed")
    expect(shown(await shop.look(made))).toEqual(["partially_refunded", 600])
    expect((await shop.read(made)).body["refunds"]).toMatchObject([{ id, status: "succeeded" }])
    expect(await findings()).toEqual([])
  })

  it("is resolved by its own organization only, and by what says which it is", async () => {
    const { id } = await unknownRefund(false)
    const other = await shop.service.organization()
    expect(await resolve(id, { made: false }, other.id)).toBe("forbidden")
    expect(await resolve("ref_none", { made: false })).toBe("invoice_not_found")
    expect(await resolve("\u0000", { made: false })).toBe("invoice_not_found")
    expect(await resolve(id, { made: true, reference: "" })).toBe("invalid_request")
    expect(await resolve(id, { made: "yes" } as never)).toBe("invalid_request")
    expect(await resolve(id, { made: false, reference: "r-1" } as never)).toBe("invalid_request")
  })
})
