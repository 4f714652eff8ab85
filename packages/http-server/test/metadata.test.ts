import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

let service: Service
let key: Key

beforeAll(async () => {
  service = await start()
  key = await service.key()
})
afterAll(() => service.stop())

const invoices = "/api/v1/invoices"

/** Objects that no parser gives back as they were. */
const documents = {
  "member order": '{"b":1,"a":2,"10":3,"9":4}',
  duplicates: '{"a":1,"a":2,"a":{"a":1,"a":2}}',
  "__proto__ and constructor": '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"toString":1}',
  "large numbers":
    '{"n":12345678901234567890,"e":1e400,"m":-1E-999,"z":-0,"d":1.10,"t":0.1000000000000000055511151231257827}',
  "NUL and control escapes": '{"nul":"\\u0000","bell":"\\u0007","key\\u0000":"x"}',
  "lone surrogates": '{"high":"\\ud800","low":"\\udc00","swapped":"\\udc00\\ud800","pair":"\\ud83d\\ude00"}',
  "escapes that need not be": '{"slash":"\\/","a":"\\u0061","\\u0062":"b"}',
  "white space": '{ "a" :\t[ 1 ,\n2 ]\r, "b" : { } }',
  "every script": '{"kk":"ғқңөұүһі","emoji":"🧾","rtl":"\u202eabc","bmp":"\ufffd\uffff","sep":"\u2028\u2029"}',
  "strings with brackets": '{"a":"}{][\\"\\\\","b":"\\\\\\"}"}',
  empty: "{}"
}

describe("metadata", () => {
  for (const [name, metadata] of Object.entries(documents)) {
    it(`comes back as the text that was sent: ${name}`, async () => {
      const expected = `"metadata":${metadata}`
      const body = `{"metadata":"first","x":{"metadata":1},"amount":1,"metadata":${metadata}}`
      const made = await call(service, "POST", invoices, { key, body })
      expect(made.status).toBe(201)
      expect(made.text).toContain(expected)
      const path = `${invoices}/${made.body["id"]}`
      expect((await call(service, "GET", path, { key })).text).toContain(expected)
      expect((await call(service, "GET", `${invoices}?search=${made.body["id"]}`, { key })).text).toContain(expected)
      const paid = await call(service, "POST", `${path}/simulate`, { key, body: { status: "paid" } })
      expect(paid.text).toContain(expected)
      expect((await call(service, "POST", `${path}/refund`, { key })).text).toContain(expected)
      const bulk = await call(service, "POST", `${invoices}/bulk`, { key, body: `{ "invoices" : [ 1, ${body} ] }` })
      expect(bulk.text).toContain(expected)
    })
  }

  it("is the same byte for byte in a replay, whatever the second request sent", async () => {
    const headers = { "idempotency-key": "raw" }
    const send = (metadata: string) =>
      call(service, "POST", invoices, { key, headers, body: `{"amount":1,"metadata":${metadata}}` })
    await send(documents["large numbers"])
    const replay = await send('{"n":1}')
    expect(replay.text).toContain(`"metadata":${documents["large numbers"]}`)
    expect(replay.headers.get("idempotency-mismatch")).toBe("true")
  })

  it("may have 16 KiB of text, and must be an object", async () => {
    const send = (metadata: string) =>
      call(service, "POST", invoices, { key, body: `{"amount":1,"metadata":${metadata}}` })
    const sized = (bytes: number) => `{"a":"${"ә".repeat((bytes - 8) / 2)}"}`
    expect((await send(sized(16 * 1024))).status).toBe(201)
    expect((await send(sized(16 * 1024 + 2))).body["error"]).toBe("invalid_metadata")
    for (const text of ["[]", "1", '"x"', "true"]) expect((await send(text)).body["error"]).toBe("invalid_metadata")
    expect((await send("null")).text).toContain('"metadata":null')
  })
})
