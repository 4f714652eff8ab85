import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { TestClock } from "effect/testing"
import { assert } from "vitest"
import { encode, Ids, type InvoiceId, type RefundId } from "../../src/value/Ids.ts"

const layer = Ids.layer.pipe(Layer.provide(SecureRandom.layerWebCrypto))

describe("identifiers", () => {
  it("have a prefix, 10 characters of time and 16 of randomness", () => {
    assert.strictEqual(encode("inv", 0, new Uint8Array(10)), `inv_${"0".repeat(26)}`)
    assert.strictEqual(encode("inv", 31, new Uint8Array(10).fill(255)), `inv_000000000z${"z".repeat(16)}`)
    assert.match(encode("evt", 1_767_225_600_000, new Uint8Array(10)), /^evt_01kdvdna00[0-9a-z]{16}$/)
  })

  it.effect("sort by time and never repeat", () =>
    Effect.gen(function* () {
      const ids = yield* Ids
      const seen: Array<string> = []
      for (let i = 0; i < 1000; i++) {
        seen.push(yield* ids.next("inv"))
        yield* TestClock.adjust("1 millis")
      }
      assert.deepStrictEqual(seen.toSorted(), seen)
      assert.strictEqual(new Set(seen).size, seen.length)
    }).pipe(Effect.provide(layer))
  )

  it("are of one kind: the compiler refuses another one, and takes any text", () => {
    const isRefundAnInvoice: RefundId extends InvoiceId ? true : false = false
    const isTextAnInvoice: string extends InvoiceId ? true : false = true
    assert.deepStrictEqual([isRefundAnInvoice, isTextAnInvoice], [false, true])
  })
})
