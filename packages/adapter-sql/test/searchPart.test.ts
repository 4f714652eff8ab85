/** What of a search an index is asked for. */
import { assert, describe, it } from "vitest"
import { groupsOf, keysOf, numberIn } from "../src/base/SearchPart.ts"

describe("number in a search", () => {
  it.each([
    ["ord-db4a35148b", "db4a35148b"],
    ["inv_01a1bf0d8927ce76", "01a1bf0d8927ce76"],
    ["№ 2026-000123", "000123"],
    ["a1b2c3 and 77001234567", "77001234567"],
    ["77001234567", "77001234567"]
  ])("of %s it is %s", (text, number) => assert.strictEqual(numberIn(text), number))

  it.each(["aliya smagulova", "order 2026", "a1b2c", "100%", ""])("of %s there is none", (text) =>
    assert.isNull(numberIn(text))
  )
})

describe("groups that are asked for", () => {
  it.each([
    ["db4a35148b", ["db4", "4a3", "148", "48b"]],
    ["77001234567", ["012", "234", "456", "567"]],
    ["2026a000123b456", ["26a", "6a0", "b45", "456"]],
    ["shop12a0000345", ["sho", "op1", "034", "345"]],
    ["pay2026a0000345", ["ay2", "026", "034", "345"]],
    ["inv0000012345", ["nv0", "012", "234", "345"]],
    ["заказ2026001", ["зак", "аз2", "260", "001"]]
  ])("of %s are %j", (number, groups) => assert.deepStrictEqual(groupsOf(number), groups))

  it.each(["a1b2c3", "00000012", "000000000012", "12121212121212", "1100223344"])("of %s are all", (number) =>
    assert.deepStrictEqual(groupsOf(number), [])
  )
})

describe("keys that are asked for", () => {
  it.each([
    ["db4a35148b", ["0000db4a35", "0000b4a351", "00004a3514", "0000a35148", "000035148b"]],
    ["77001234567", ["0000700123", "0000001234", "0000012345", "0000123456", "0000234567"]]
  ])("of %s are %j", (number, keys) => assert.deepStrictEqual(keysOf(number), keys))

  it.each(["a1b2c3d4e", "заказ2026001", "дом1234567890"])("of %s there are none", (number) =>
    assert.deepStrictEqual(keysOf(number), [])
  )
})
