import { describe, expect, it } from "vitest"
import { withMembers } from "../../src/value/RawJson.ts"

const added = { subscriptionId: "sub_1", run: 3 }
const end = '"subscriptionId":"sub_1","run":3}'

describe("withMembers", () => {
  it.each([
    ["an empty object", "{}", `{${end}`],
    ["an empty object with white space", " {\n\t} ", `{${end}`],
    ["order", '{"z":1,"a":2,"10":3,"2":4}', `{"z":1,"a":2,"10":3,"2":4,${end}`],
    [
      "digits of large numbers",
      '{"n":12345678901234567890,"m":1e400,"k":1.10}',
      `{"n":12345678901234567890,"m":1e400,"k":1.10,${end}`
    ],
    [
      "__proto__ and names of the prototype",
      '{"__proto__":{"run":1},"toString":1,"constructor":{}}',
      `{"__proto__":{"run":1},"toString":1,"constructor":{},${end}`
    ],
    ["duplicates of other names", '{"a":1,"a":2}', `{"a":1,"a":2,${end}`],
    [
      "brackets and commas in strings",
      '{"a":"},\\"run\\":1,{","b":[{"run":1},"]"]}',
      `{"a":"},\\"run\\":1,{","b":[{"run":1},"]"],${end}`
    ],
    ["NUL and half pairs", '{"a":"\\u0000\\ud800"}', `{"a":"\\u0000\\ud800",${end}`]
  ])("keeps %s", (_, text, expected) => {
    JSON.parse(text)
    expect(withMembers(text, added)).toBe(expected)
  })

  it.each([
    ['{"run":9,"a":1}', `{"a":1,${end}`],
    ['{"r\\u0075n":9,"a":1,"run":8}', `{"a":1,${end}`],
    ['{"run":{"run":[1]} , "subscriptionId" : null }', `{${end}`],
    ['{"Run":1,"run ":2}', `{"Run":1,"run ":2,${end}`]
  ])("replaces its own names in %s, however they are written, and no others", (text, expected) => {
    expect(withMembers(text, added)).toBe(expected)
    expect(JSON.parse(withMembers(text, added))).toMatchObject(added)
  })
})
