import { describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assert } from "vitest"
import { asText, rawElements, rawMember, withRawMember } from "../../src/value/RawJson.ts"

describe("rawMember", () => {
  it.each([
    ['{"metadata":{"a":1}}', '{"a":1}'],
    ['{"a":"metadata","metadata" : [1, {"x":"}"}] ,"b":2}', '[1, {"x":"}"}]'],
    ['{ "\\u006detadata":12345678901234567890}', "12345678901234567890"],
    ['{"metadata":1,"metadata":"two"}', '"two"'],
    ['{"x":{"metadata":1},"metadata":{"q":"\\"}\\\\"}}', '{"q":"\\"}\\\\"}'],
    ['{"metadata":1e400}', "1e400"],
    ['{"a":"\\\\","metadata":"\\\\\\"\\\\","b":""}', '"\\\\\\"\\\\"'],
    ['\n{"metadata"\t:\r\nnull }', "null"]
  ])("of %s", (text, raw) => {
    JSON.parse(text)
    assert.strictEqual(rawMember(text, "metadata"), raw)
  })

  it("is undefined where there is none", () => {
    assert.isUndefined(rawMember("{}", "metadata"))
    assert.isUndefined(rawMember('{"a":{"metadata":1}}', "metadata"))
  })
})

describe("rawElements", () => {
  it("are the texts between the commas", () => {
    assert.deepStrictEqual(rawElements(' [ {"a":[1,2]} ,"x,y", 1e5,[] ]'), ['{"a":[1,2]}', '"x,y"', "1e5", "[]"])
    assert.deepStrictEqual(rawElements("[]"), [])
  })
})

describe("any document", () => {
  it.prop(
    "has the members that JSON.parse sees",
    {
      document: Schema.Record(Schema.String, Schema.Unknown),
      indent: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
    },
    ({ document, indent }) => {
      const text = JSON.stringify(document, null, indent)
      const parsed: Record<string, unknown> = JSON.parse(text)
      for (const name of Object.keys(parsed)) {
        // V8 reads the name "\\u0000" as a backslash where it guesses at the object's shape. The text is right.
        if (!Object.hasOwn(document, name)) continue
        assert.deepStrictEqual(JSON.parse(rawMember(text, name) ?? "absent"), parsed[name])
      }
      const elements = rawElements(JSON.stringify(Object.values(parsed), null, indent))
      assert.deepStrictEqual(
        elements.map((element): unknown => JSON.parse(element)),
        Object.values(parsed)
      )
    },
    { arbitrary: { runs: 500 } }
  )

  it("takes a raw member at its end", () => {
    assert.strictEqual(withRawMember({}, "metadata", asText("1e400")), '{"metadata":1e400}')
    assert.strictEqual(withRawMember({ a: 1 }, "metadata", asText('{"b": 2}')), '{"a":1,"metadata":{"b": 2}}')
    assert.strictEqual(withRawMember({ a: 1 }, "m", asText("1e400"), { c: [] }), '{"a":1,"m":1e400,"c":[]}')
    assert.strictEqual(withRawMember({}, "m", asText("null"), { c: undefined }), '{"m":null}')
  })
})
