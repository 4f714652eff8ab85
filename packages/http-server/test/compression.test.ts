/** Answers are compressed for clients that can read that, and not sent again to those that have them. */
import { type IncomingHttpHeaders, request } from "node:http"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
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

/** The bytes as they were sent: `fetch` would unpack them. */
const raw = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  new Promise<{ readonly status: number; readonly headers: IncomingHttpHeaders; readonly bytes: Buffer }>(
    (resolve, reject) => {
      const sent = request(`${service.url}${path}`, { method, headers }, (answer) => {
        const chunks: Array<Buffer> = []
        answer.on("data", (chunk: Buffer) => chunks.push(chunk))
        answer.on("end", () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes: Buffer.concat(chunks) })
        )
      })
      sent.on("error", reject).end()
    }
  )

const page = async () => {
  const { body } = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 5 } })
  return `/pay/${body["id"]}?lang=en`
}

describe("a page", () => {
  it("is a third of its size for clients that take br or gzip, and as it is for others", async () => {
    const path = await page()
    const plain = await raw(path)
    expect(plain.headers["content-encoding"]).toBeUndefined()
    expect(plain.headers.vary).toBe("Accept-Language, Accept-Encoding")
    const packed = [
      ["gzip, deflate, br", "br", brotliDecompressSync],
      ["gzip", "gzip", gunzipSync],
      ["br;q=0, gzip;q=0.5", "gzip", gunzipSync]
    ] as const
    for (const [accepts, encoding, unpack] of packed) {
      const answer = await raw(path, { "accept-encoding": accepts })
      expect(answer.headers["content-encoding"]).toBe(encoding)
      expect(answer.headers["content-length"]).toBe(String(answer.bytes.length))
      expect(answer.bytes.length).toBeLessThan(plain.bytes.length / 2)
      expect(unpack(answer.bytes).toString()).toMatch(/^<!doctype html>.*<\/html>\n$/s)
    }
    for (const accepts of ["identity", "br;q=0", "gzip;q=0.0, xbr", "deflate"]) {
      expect((await raw(path, { "accept-encoding": accepts })).headers["content-encoding"]).toBeUndefined()
    }
    const head = await raw(path, { "accept-encoding": "br" }, "HEAD")
    expect([head.status, head.headers["content-encoding"], head.bytes.length]).toEqual([200, "br", 0])
  })
})

describe("an answer within one packet", () => {
  it("is sent as it is", async () => {
    const answer = await raw("/pay/inv_1/status", { "accept-encoding": "br, gzip" })
    expect([answer.headers["content-encoding"], answer.headers.vary]).toEqual([undefined, undefined])
  })
})

describe("what caches may keep", () => {
  it("has a tag, and is not sent again to those who name it", async () => {
    const code = (await page()).replace(/\?.*/, "/qr.svg")
    for (const path of ["/api/v1/openapi.json", "/docs", "/favicon.ico", code]) {
      const first = await raw(path, { "accept-encoding": "br" })
      const tag = String(first.headers.etag)
      expect(tag, path).toMatch(/^W\/"[\w-]{22}"$/)
      const plain = await raw(path, { "if-none-match": '"another"' })
      expect([plain.status, plain.headers.etag], path).toEqual([200, tag])
      for (const named of [tag, tag.slice(2), `"x", ${tag}`, "*"]) {
        const again = await raw(path, { "accept-encoding": "br", "if-none-match": named })
        expect([again.status, again.bytes.length, again.headers.etag], path).toEqual([304, 0, tag])
        expect(again.headers["cache-control"], path).toBe(first.headers["cache-control"])
        expect(again.headers["content-encoding"], path).toBeUndefined()
      }
    }
  })

  it("is nothing that has a key, or that is no answer to a reader", async () => {
    const answers = [
      await raw("/api/v1/invoices", { "x-api-key": key.apiKey, "if-none-match": "*" }),
      await raw(await page(), { "if-none-match": "*" }),
      await raw("/pay/inv_1/qr.svg", { "if-none-match": "*" })
    ]
    expect(answers.map(({ status, headers }) => [status, headers.etag])).toEqual([
      [200, undefined],
      [200, undefined],
      [404, undefined]
    ])
  })
})
