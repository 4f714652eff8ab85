/** What people type into forms, and what it means. */
import { describe, it } from "@effect/vitest"
import { formHookOf } from "@tolem/testing/fixtures"
import { Result } from "effect"
import { assert } from "vitest"
import { defaults } from "../../src/engine/Settings.ts"
import { formInvoiceRequest } from "../../src/formhook/FormFields.ts"
import { checkInvoice } from "../../src/invoice/InvoiceDraft.ts"

const hook = formHookOf({ failUrl: "https://shop.kz/no" })
const requestOf = (...fields: ReadonlyArray<readonly [string, string]>) => formInvoiceRequest(hook, fields)

/** What the checks of every invoice make of it: its amount in tiyn, or the code. */
const amountOf = (text: string) =>
  Result.match(checkInvoice(requestOf(["amount", text]), {}, defaults), {
    onFailure: ({ code }) => code,
    onSuccess: ({ amount }) => Number(amount)
  })

describe("an amount", () => {
  it.each<[string, number | string]>([
    ["1500", 150_000],
    [" 1500 ", 150_000],
    ["+1500", 150_000],
    ["0001500", 150_000],
    ["1500.5", 150_050],
    ["1500,50", 150_050],
    ["1.15", 115],
    ["99999999.99", 9_999_999_999],
    ["100000000", "amount_too_large"],
    ["0", "amount_too_small"],
    ["-1", "amount_too_small"],
    ["1.005", "invalid_amount"],
    ["1,500", "invalid_amount"],
    ["1.500,00", 150_000],
    ["1 500", 150_000],
    ["1500 ₸", 150_000],
    ["1e3", "invalid_amount"],
    ["0x10", "invalid_amount"],
    [".5", "invalid_amount"],
    ["5.", "invalid_amount"],
    ["NaN", "invalid_amount"],
    ["Infinity", "invalid_amount"],
    ["١٥", "invalid_amount"],
    ["9".repeat(400), "invalid_amount"]
  ])("typed as %j", (text, expected) => assert.strictEqual(amountOf(text), expected))
})

describe("a phone", () => {
  const phoneOf = (text: string) => Object(requestOf(["phone", text])["customer"]).phone

  it.each(["77001234567", "+77001234567", "87001234567", "8 (700) 123-45-67", " +7 700 123 45 67 "])(
    "typed as %j",
    (text) => assert.strictEqual(phoneOf(text), "77001234567")
  )

  it.each(["7001234567", "+17001234567", "++77001234567", "770012345678", "7700123456x", "+87001234567"])(
    "is left as it is where it is none: %j",
    (text) => assert.strictEqual(phoneOf(text), text)
  )
})

describe("the fields of a form", () => {
  it("are those of an invoice, as far as they are filled in", () => {
    const fields = [
      ["Amount", "9"],
      ["amount", ""],
      ["price", "3"],
      ["sum", "2"],
      ["sum", "7"],
      ["comment", " Екі кофе "],
      ["email", " "],
      ["name", "Әлия"],
      ["kind", "phone"],
      ["__proto__", "x"]
    ] as const
    assert.deepStrictEqual(requestOf(...fields), {
      kind: "qr",
      amount: 2,
      description: "Екі кофе",
      customer: { name: "Әлия", phone: undefined, email: undefined },
      successUrl: null,
      failUrl: "https://shop.kz/no",
      metadata: { formHookId: hook.id }
    })
  })
})
