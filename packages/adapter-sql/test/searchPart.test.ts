/** What of a search an index is asked for. */
import { assert, describe, it } from "vitest"
import { numberIn } from "../src/base/SearchPart.ts"

describe("number in a search", () => {
  it.each([
    ["ord-db4a35148b", "db4a35148b"],
    ["inv_01a1bf0d8927ce76", "01a1bf0d8927ce76"],
    ["№ 2026-000123", "000123"],
    ["a1b2c3 and 77001234567", "77001234567"]
  ])("of %s it is %s", (text, number) => assert.strictEqual(numberIn(text), number))

  it.each(["77001234567", "aliya smagulova", "order 2026", "a1b2c", "100%", ""])(
    "of %s there is none, or nothing else",
    (text) => assert.isNull(numberIn(text))
  )
})
