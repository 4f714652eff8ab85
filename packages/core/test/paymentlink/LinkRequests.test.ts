/** What customers may send to a payment link, and what becomes of it. */
import { describe, it } from "@effect/vitest"
import { paymentLinkOf } from "@tolem/testing/fixtures"
import { Result } from "effect"
import { assert } from "vitest"
import { linkInvoiceRequest } from "../../src/paymentlink/LinkRequests.ts"
import { isSlug, slugBytes, slugOf } from "../../src/paymentlink/PaymentLink.ts"
import { Tiyn } from "../../src/value/Money.ts"

const fixed = paymentLinkOf({ amount: Tiyn(2025), successUrl: "https://shop.kz/yes" })

describe("an invoice of a link", () => {
  it("has what the link says, and of the customer's only who they are", () => {
    const customer = { name: "Әлия" }
    const request = Result.getOrThrow(linkInvoiceRequest(fixed, { customer, kind: "phone", metadata: { a: 1 } }))
    assert.deepStrictEqual(request, {
      kind: "qr",
      amount: 20.25,
      description: fixed.title,
      customer,
      successUrl: "https://shop.kz/yes",
      failUrl: null,
      metadata: { paymentLinkId: fixed.id }
    })
  })

  it("is described by the link's description where it has one", () => {
    const request = Result.getOrThrow(linkInvoiceRequest(paymentLinkOf({ description: "Екі кофе" }), { amount: 5 }))
    assert.strictEqual(request["description"], "Екі кофе")
    assert.strictEqual(request["amount"], 5)
  })

  it("never has another amount than the link", () => {
    for (const amount of [20.26, 0, -20.25, "20.25", Number.NaN, [], {}]) {
      assert.isTrue(Result.isFailure(linkInvoiceRequest(fixed, { amount })), String(amount))
    }
    for (const body of [null, [], "x", 5, undefined]) assert.isTrue(Result.isFailure(linkInvoiceRequest(fixed, body)))
  })
})

describe("a slug", () => {
  it("that is made up could have been given", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    for (let i = 0; i + slugBytes <= 256; i++) assert.isTrue(isSlug(slugOf(bytes.subarray(i, i + slugBytes))))
    assert.strictEqual(new Set(slugOf(bytes)).size, 32)
  })
})
