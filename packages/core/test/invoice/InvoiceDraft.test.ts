import { describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { assert } from "vitest"
import { defaults } from "../../src/engine/Settings.ts"
import { checkInvoice } from "../../src/invoice/InvoiceDraft.ts"
import type { JsonObject } from "../../src/value/Checks.ts"

const draftOf = (body: JsonObject) => Result.getOrThrow(checkInvoice(body, {}, defaults))

const codeOf = (body: JsonObject, headerKey?: string): string => {
  const checked = checkInvoice(body, { headerKey }, defaults)
  return Result.isFailure(checked) ? checked.failure.code : "accepted"
}

const phone = (body: JsonObject): JsonObject => ({ kind: "phone", customer: { phone: "77001234567" }, ...body })

describe("the amount of a draft", () => {
  it.each([
    [1, 100],
    [1500, 150_000],
    [1.15, 115],
    [0.07 + 1, 107],
    [99_999_999.99, 9_999_999_999]
  ])("%d tenge are %d tiyn", (amount, tiyn) => {
    assert.strictEqual(draftOf({ amount }).amount, tiyn)
  })

  it.each([
    ["1500", "invalid_amount"],
    [null, "invalid_amount"],
    [undefined, "invalid_amount"],
    [{}, "invalid_amount"],
    [true, "invalid_amount"],
    [1.005, "invalid_amount"],
    [0.1 + 0.2, "invalid_amount"],
    [0, "amount_too_small"],
    [-5, "amount_too_small"],
    [-1e300, "amount_too_small"],
    [0.99, "amount_too_small"],
    [100_000_000, "amount_too_large"],
    [1e300, "amount_too_large"]
  ])("%s is %s", (amount, code) => {
    assert.strictEqual(codeOf({ amount }), code)
  })

  it("of kind phone is whole tenge, which is checked before the limits", () => {
    assert.strictEqual(codeOf(phone({ amount: 10.5 })), "amount_must_be_whole_tenge")
    assert.strictEqual(codeOf(phone({ amount: 0.5 })), "amount_must_be_whole_tenge")
    assert.strictEqual(codeOf(phone({ amount: 99_999_999 })), "accepted")
    assert.strictEqual(codeOf(phone({ amount: 100_000_000 })), "amount_too_large")
  })

  it.prop(
    "comes back as it was sent, whatever it is",
    { tiyn: Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 9_999_999_999 })) },
    ({ tiyn }) => {
      assert.strictEqual(draftOf({ amount: Number((tiyn / 100).toFixed(2)) }).amount, tiyn)
    },
    { arbitrary: { runs: 2000 } }
  )
})

describe("the members of a draft", () => {
  it.each<[string, JsonObject, string]>([
    ["kind", { kind: "cash" }, "invalid_kind"],
    ["method", { method: "cash" }, "invalid_kind"],
    ["customer", { customer: "Aigerim" }, "invalid_customer"],
    ["customer as an array", { customer: [] }, "invalid_customer"],
    ["customer.name", { customer: { name: 5 } }, "invalid_customer"],
    ["customer.phone", { customer: { phone: "87001234567" } }, "invalid_phone"],
    ["customer.phone with a line break", { customer: { phone: "77001234567\n" } }, "invalid_phone"],
    ["customer.phone as a number", { customer: { phone: 77001234567 } }, "invalid_phone"],
    ["customer.email", { customer: { email: "nobody" } }, "invalid_email"],
    ["customer.email with a second header", { customer: { email: "a@b.kz\r\nBcc: c@d.kz" } }, "invalid_email"],
    ["description too long", { description: "х".repeat(101) }, "invalid_description"],
    ["description with NUL", { description: "a\u0000b" }, "invalid_description"],
    ["description with half a pair", { description: "a\ud800b" }, "invalid_description"],
    ["externalOrderId", { externalOrderId: "1".repeat(101) }, "invalid_external_order_id"],
    ["externalOrderId as a number", { externalOrderId: 7 }, "invalid_external_order_id"],
    ["successUrl", { successUrl: "javascript:alert(1)" }, "invalid_url"],
    ["failUrl", { failUrl: "not an address" }, "invalid_url"],
    ["metadata", { metadata: "text" }, "invalid_metadata"],
    ["metadata as an array", { metadata: [] }, "invalid_metadata"],
    ["metadata too large", { metadata: { a: "ж".repeat(8192) } }, "invalid_metadata"],
    ["idempotencyKey", { idempotencyKey: "" }, "invalid_idempotency_key"],
    ["idempotencyKey too long", { idempotencyKey: "k".repeat(256) }, "invalid_idempotency_key"]
  ])("%s", (_, members, code) => {
    assert.strictEqual(codeOf({ amount: 100, ...members }), code)
  })

  it("may be absent or null, all but the amount", () => {
    const draft = draftOf({ amount: 100, kind: null, description: null, customer: null, metadata: null })
    assert.strictEqual(draft.kind, "qr")
    assert.deepStrictEqual(draft.customer, { name: null, phone: null, email: null })
  })

  it("description may have 100 characters for qr and 60 for phone, counted as people count", () => {
    assert.strictEqual(codeOf({ amount: 1, description: "🙂".repeat(100) }), "accepted")
    assert.strictEqual(codeOf(phone({ amount: 1, description: "я".repeat(60) })), "accepted")
    assert.strictEqual(codeOf(phone({ amount: 1, description: "я".repeat(61) })), "invalid_description")
  })

  it("externalOrderId may have 100 characters, and not one more", () => {
    const longest = "№".repeat(100)
    assert.strictEqual(draftOf({ amount: 100, externalOrderId: longest }).externalOrderId, longest)
    assert.strictEqual(codeOf({ amount: 100, externalOrderId: `${longest}1` }), "invalid_external_order_id")
  })

  it("of kind phone need a phone", () => {
    assert.strictEqual(codeOf({ amount: 1, kind: "phone" }), "phone_required")
    assert.strictEqual(codeOf({ amount: 1, kind: "phone", customer: { phone: "7" } }), "invalid_phone")
  })

  it("have older names, and the newer ones win", () => {
    const draft = draftOf({ amount: 1, merchantRef: "old", method: "invoice", customer: { phone: "77001234567" } })
    assert.strictEqual(draft.kind, "phone")
    assert.strictEqual(draft.externalOrderId, "old")
    const both = draftOf({ amount: 1, merchantRef: "old", externalOrderId: "new", method: "invoice", kind: "qr" })
    assert.strictEqual(both.kind, "qr")
    assert.strictEqual(both.externalOrderId, "new")
  })

  it("take the idempotency key of the header before that of the body", () => {
    const checked = checkInvoice({ amount: 1, idempotencyKey: "body" }, { headerKey: "header" }, defaults)
    assert.strictEqual(Result.getOrThrow(checked).idempotencyKey, "header")
    assert.strictEqual(codeOf({ amount: 1, idempotencyKey: "body" }, ""), "invalid_idempotency_key")
  })

  it("keep metadata as the text that was sent", () => {
    const text = '{"b":1, "a":12345678901234567890,"__proto__":{"x":1e400}}'
    const checked = checkInvoice({ amount: 1, metadata: JSON.parse(text) }, { rawMetadata: text }, defaults)
    assert.strictEqual(Result.getOrThrow(checked).metadata, text)
  })

  it("cannot reach into the prototype", () => {
    const body: unknown = JSON.parse('{"amount":100,"__proto__":{"kind":"phone"},"constructor":1,"toString":2}')
    assert.strictEqual(draftOf(body as JsonObject).kind, "qr")
  })
})
