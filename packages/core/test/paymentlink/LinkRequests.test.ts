/** What customers may send to a payment link, and what becomes of it. */
import { describe, it } from "@effect/vitest"
import { paymentLinkOf, startAt } from "@tolem/testing/fixtures"
import { assert } from "vitest"
import { holdsPlace, noTotals } from "../../src/invoice/changes/LinkShare.ts"
import { InvoiceStatus } from "../../src/invoice/Invoice.ts"
import { linkFaults, linkPaymentOf } from "../../src/paymentlink/LinkForm.ts"
import { linkInvoiceRequest } from "../../src/paymentlink/LinkRequests.ts"
import { isSlug, obstacleOf, slugBytes, slugOf } from "../../src/paymentlink/PaymentLink.ts"
import { paymentLinkDefaults } from "../../src/paymentlink/PaymentLinkSettings.ts"
import { Tiyn } from "../../src/value/Money.ts"

const fixed = paymentLinkOf({ amount: Tiyn(2025), successUrl: "https://shop.kz/yes" })

describe("an invoice of a link", () => {
  it("has what the link says, and of the customer's only who they are", () => {
    const customer = { name: "Әлия" }
    const request = linkInvoiceRequest(fixed, { customer, kind: "phone", metadata: { a: 1 } })
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
    const request = linkInvoiceRequest(paymentLinkOf({ description: "Екі кофе" }), { amount: 5, comment: "Сүтпен" })
    assert.strictEqual(request["description"], "Екі кофе")
    assert.strictEqual(request["amount"], 5)
    assert.deepStrictEqual(Object(request["metadata"])["comment"], "Сүтпен")
  })

  it("never has another amount than the link", () => {
    for (const amount of [20.26, 0, -20.25, "20.25", Number.NaN, [], {}]) {
      const faults = linkFaults(fixed, { amount }, paymentLinkDefaults)
      assert.deepStrictEqual(faults, [{ field: "amount", code: "invalid_amount" }], String(amount))
    }
  })
})

describe("what people send", () => {
  const asking = paymentLinkOf({
    minAmount: Tiyn(100_000),
    maxAmount: Tiyn(500_000),
    presets: [Tiyn(150_000), Tiyn(300_000)],
    fields: { name: "required", phone: "required", email: "optional", comment: "required" }
  })
  const empty = { amount: "", name: "", phone: "", email: "", comment: "" }
  const faultsOf = (typed: Partial<typeof empty>, preset = "") =>
    linkFaults(asking, linkPaymentOf(asking, { ...empty, ...typed }, preset), paymentLinkDefaults).map(
      ({ field, code }) => `${field}: ${code}`
    )

  it("is found wrong in every field at once", () => {
    assert.deepStrictEqual(faultsOf({ amount: "999,99", name: " ", email: "x", comment: "y".repeat(301) }), [
      "amount: amount_too_small",
      "name: name_required",
      "phone: phone_required",
      "email: invalid_email",
      "comment: invalid_comment"
    ])
    const rest = { name: "Әлия", phone: "8 (701) 123-45-67", comment: "Сүтпен" }
    assert.deepStrictEqual(faultsOf({ ...rest, amount: "5 000,01" }), ["amount: amount_too_large"])
    assert.deepStrictEqual(faultsOf({ ...rest, amount: "5 000 тг" }), [])
    assert.deepStrictEqual(faultsOf({ ...rest, amount: "nonsense" }, "150000"), [])
    // What was not offered is not taken.
    assert.deepStrictEqual(faultsOf(rest, "100"), ["amount: invalid_amount"])
  })

  it("leaves out what the link does not ask for", () => {
    const link = paymentLinkOf({ amount: Tiyn(500) })
    const body = linkPaymentOf(link, { ...empty, name: "x", phone: "y", email: "z", comment: "w" })
    assert.deepStrictEqual(body, { customer: { name: null, phone: null, email: null }, comment: null })
  })
})

describe("the places of a link", () => {
  it("are held by codes that can be paid, and by what is paid and not wholly refunded", () => {
    for (const status of InvoiceStatus.literals) {
      const isHeld = ["new", "pending", "paid", "partially_refunded"].includes(status)
      assert.strictEqual(holdsPlace({ status, stage: "made" }), isHeld, status)
    }
    // Its code was not asked for.
    assert.isFalse(holdsPlace({ status: "new", stage: "waits" }))
    assert.isTrue(holdsPlace({ status: "new", stage: "unanswered" }))
    assert.isTrue(holdsPlace({ status: "paid", stage: "waits" }))
    const link = paymentLinkOf({ maxPayments: 2, totals: { ...noTotals, held: 2 } })
    assert.strictEqual(obstacleOf(link, startAt), "link_sold_out")
    assert.strictEqual(obstacleOf({ ...link, maxPayments: 3 }, startAt), null)
  })

  it("cannot be had before the link opens, or once it has closed", () => {
    const link = paymentLinkOf({ opensAt: startAt, closesAt: startAt + 10 })
    const at = (ms: number) => obstacleOf(link, startAt + ms)
    assert.deepStrictEqual([at(-1), at(0), at(9), at(10)], ["link_not_open", null, null, "link_closed"])
  })
})

describe("a slug", () => {
  it("that is made up could have been given", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    for (let i = 0; i + slugBytes <= 256; i++) assert.isTrue(isSlug(slugOf(bytes.subarray(i, i + slugBytes))))
    assert.strictEqual(new Set(slugOf(bytes)).size, 32)
  })
})
