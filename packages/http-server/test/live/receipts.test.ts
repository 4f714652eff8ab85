/** The provider's own receipt of a live payment, as merchants read it. */
import { expect, it } from "vitest"
import { live } from "./cashier.ts"

it.each([
  ["is where the provider says", "https://bank.example/", "https://bank.example/receipts/"],
  ["is nowhere where the provider tells no address", undefined, null],
  ["is nowhere where a browser would run the address", "javascript:alert(1)//bank", null]
])("the provider's receipt %s", async (_, bankUrl, expected) => {
  const shop = await live(100, bankUrl === undefined ? {} : { bankUrl })
  try {
    const made = await shop.create()
    expect(made.body["providerReceiptUrl"]).toBeNull()
    shop.pay(made)
    const { body } = await shop.look(made)
    expect(body["status"]).toBe("paid")
    const { reference } = shop.payments()[0]!
    expect(body["receiptNumber"]).toBe(`R-${reference}`)
    const url = expected === null ? null : `${expected}${reference}`
    expect(body["providerReceiptUrl"]).toBe(url)
    expect((await shop.read(made)).body["providerReceiptUrl"]).toBe(url)
  } finally {
    await shop.stop()
  }
})
