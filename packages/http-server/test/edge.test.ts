import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call, expectRefusal } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"
import { answersIn, exchange, sendAndLeave } from "./support/socket.ts"

let service: Service
let key: Key

beforeAll(async () => {
  service = await start()
  key = await service.key()
})
afterAll(() => service.stop())

const invoices = "/api/v1/invoices"
const create = (body: unknown, headers?: Record<string, string>) =>
  call(service, "POST", invoices, { key, body, ...(headers && { headers }) })

/** One request over a socket; the answer must be there before the server closes. */
const send = async (head: string, body = "") => {
  const received = await exchange(service.port, `${head.replaceAll("\n", "\r\n")}\r\n\r\n${body}`)
  const answers = answersIn(received)
  expect(answers, received).toHaveLength(1)
  return answers[0]!
}

const expectCode = (answer: { status: number; text?: string; body: unknown }, code: string) => {
  const text = answer.text ?? String(answer.body)
  expectRefusal(answer.status, text)
  expect(JSON.parse(text).error).toBe(code)
}

describe("addresses", () => {
  it("knows every invoice path by its older name as well", async () => {
    const made = await call(service, "POST", "/api/v1/orders", { key, body: { amount: 10, merchantRef: "A-1" } })
    expect(made.status).toBe(201)
    expect(made.body["externalOrderId"]).toBe("A-1")
    const id = made.body["id"]
    expect((await call(service, "GET", `/api/v1/orders/${id}`, { key })).body["id"]).toBe(id)
    expect((await call(service, "GET", "/api/v1/orders?externalOrderId=A-1", { key })).body["total"]).toBe(1)
    const paid = await call(service, "POST", `/api/v1/orders/${id}/simulate`, { key, body: { status: "paid" } })
    expect(paid.body["status"]).toBe("paid")
    expect((await call(service, "POST", `/api/v1/orders/${id}/refund`, { key })).body["status"]).toBe("refunded")
    const bulk = await call(service, "POST", "/api/v1/orders/bulk", { key, body: { invoices: [{ amount: 5 }] } })
    expect(bulk.body["created"]).toBe(1)
    const other = bulk.body["results"]![0]!["invoice"]!["id"]
    expect((await call(service, "POST", `/api/v1/orders/${other}/cancel`, { key })).body["status"]).toBe("cancelled")
  })

  it("takes no part of a path for the whole", async () => {
    const meant = {
      ";/refund": "invoice_not_found",
      "inv_1;/cancel": "invoice_not_found",
      "inv_1/cancel;x": "route_not_found",
      ";": "method_not_allowed"
    } as const
    for (const [path, code] of Object.entries(meant)) {
      expectCode(await call(service, "POST", `${invoices}/${path}`, { key, body: { amount: 1 } }), code)
    }
    const head = `GET ${invoices}#/x HTTP/1.1\nHost: x\nX-API-Key: ${key.apiKey}\nConnection: close`
    expectCode(await send(head), "route_not_found")
  })

  it("does not take a longer word for the older name", async () => {
    expectCode(await call(service, "GET", "/api/v1/ordersx", { key }), "route_not_found")
  })

  it("answers 404 where nothing is, with or without a key", async () => {
    for (const path of [
      "/",
      "/api",
      "/api/v1",
      "/api/v2/invoices",
      "/api/v1/invoices/x/y/z",
      "/%",
      "/%zz",
      "/api/v1/%00"
    ]) {
      expectCode(await call(service, "GET", path, { key }), "route_not_found")
      expectCode(await call(service, "GET", path), "route_not_found")
    }
  })

  it("answers 405 with the methods that an address has", async () => {
    const allowed = async (method: string, path: string) => {
      const answer = await call(service, method, path, { key })
      expectCode(answer, "method_not_allowed")
      return answer.headers.get("allow")
    }
    expect(await allowed("PUT", invoices)).toBe("GET, HEAD, POST")
    expect(await allowed("OPTIONS", "/api/v1/orders")).toBe("GET, HEAD, POST")
    expect(await allowed("DELETE", `${invoices}/inv_1`)).toBe("GET, HEAD")
    expect(await allowed("GET", `${invoices}/inv_1/cancel`)).toBe("POST")
    expect(await allowed("PUT", "/api/v1/webhook-endpoints/whe_1")).toBe("DELETE, GET, HEAD, PATCH")
    expect(await allowed("POST", "/health/live")).toBe("GET, HEAD")
    expect(await allowed("DELETE", "/metrics")).toBe("GET, HEAD")
  })

  it("answers HEAD like GET, without a body", async () => {
    const { body } = await create({ amount: 10 })
    const head = await call(service, "HEAD", `${invoices}/${body["id"]}`, { key })
    expect(head.status).toBe(200)
    expect(head.text).toBe("")
    expect((await call(service, "HEAD", `${invoices}/inv_nobody`, { key })).status).toBe(404)
  })
})

describe("bodies", () => {
  it("must be JSON objects in UTF-8", async () => {
    const broken = [
      "",
      " ",
      "{",
      "[]",
      "null",
      "1",
      '"x"',
      "{'amount':1}",
      '{"amount":1}x',
      '{"amount":1}{"amount":1}',
      "NaN"
    ]
    for (const text of broken) expectCode(await create(text), "invalid_json")
    for (const bytes of [[0xff], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"amount":1,"description":"'), Buffer.from(bytes), Buffer.from('"}')])
      expectCode(await create(body), "invalid_json")
    }
  })

  it("may begin with a byte order mark", async () => {
    expect((await create(Buffer.from('\ufeff{"amount":1}'))).status).toBe(201)
  })

  it("must be declared as application/json", async () => {
    const typed = (type: string) => create('{"amount":1}', { "content-type": type })
    const taken = [
      "application/json",
      "Application/JSON",
      "application/json; charset=utf-8",
      "application/json;charset=x"
    ]
    for (const type of taken) expect((await typed(type)).status).toBe(201)
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "text/json", "*/*"]) {
      expectCode(await typed(type), "unsupported_media_type")
    }
    const head = `POST ${invoices} HTTP/1.1\nHost: x\nX-API-Key: ${key.apiKey}\nConnection: close\nContent-Length: 12`
    expectCode(await send(head, '{"amount":1}'), "unsupported_media_type")
  })

  it("may nest as deep as they like", async () => {
    const depth = 100_000
    expectCode(await create(`{"amount":1,"metadata":${"[".repeat(depth)}${"]".repeat(depth)}}`), "invalid_metadata")
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`
    expectCode(await create(`{"amount":1,"customer":${nested(40_000)},"kind":5}`), "invalid_kind")
    const kept = nested(2_700)
    const made = await create(`{"amount":1,"metadata":${kept}}`)
    expect(made.status).toBe(201)
    expect(made.text).toContain(`"metadata":${kept},`)
    const bulk = await call(service, "POST", `${invoices}/bulk`, {
      key,
      body: `{"invoices":[{"amount":1,"metadata":${nested(300_000)}}]}`
    })
    expect(bulk.body["results"]![0]!["error"]).toBe("invalid_metadata")
  })

  it("of more than 256 KiB are answered with 413, by declared length and by what comes", async () => {
    const filler = (bytes: number) => `{"amount":1,"filler":"${"x".repeat(bytes - 24)}"}`
    expect((await create(filler(256 * 1024))).status).toBe(201)
    expectCode(await create(filler(256 * 1024 + 1)), "payload_too_large")
    expectCode(await create(filler(8 * 1024 * 1024)), "payload_too_large")
    const chunked = new ReadableStream({
      pull(controller) {
        controller.enqueue(new TextEncoder().encode("x".repeat(64 * 1024)))
      }
    })
    const response = await fetch(`${service.url}${invoices}`, {
      method: "POST",
      headers: { "x-api-key": key.apiKey, "content-type": "application/json" },
      body: chunked,
      duplex: "half"
    } as RequestInit)
    expectCode({ status: response.status, text: await response.text(), body: "" }, "payload_too_large")
  })

  it("of bulk requests may have 2 MiB", async () => {
    const bulk = (bytes: number) =>
      call(service, "POST", `${invoices}/bulk`, { key, body: `{"invoices":[{"amount":1,"x":"${"x".repeat(bytes)}"}]}` })
    expect((await bulk(2_000_000)).status).toBe(207)
    expectCode(await bulk(2 * 1024 * 1024), "payload_too_large")
  })

  it("are refused as too large only after the key was let in", async () => {
    const body = "x".repeat(1024 * 1024)
    const headers = { "content-type": "application/json" }
    expectCode(await call(service, "POST", invoices, { body, headers }), "unauthorized")
  })

  it("are read whole, in however many pieces they come, and in the midst of a character", async () => {
    const body = Buffer.from('{"amount":1,"description":"Екі кофе"}')
    const head = [`POST ${invoices} HTTP/1.1`, "Host: x", `X-API-Key: ${key.apiKey}`, "Connection: close"]
    const said = [...head, "Content-Type: application/json", `Content-Length: ${body.length}`, "", ""].join("\r\n")
    const pieces = Array.from(body, (_byte, at) => body.subarray(at, at + 1))
    const [answer] = answersIn(await exchange(service.port, [said, ...pieces]))
    expect(answer?.status).toBe(201)
    expect(JSON.parse(answer!.body)).toMatchObject({ amount: 1, description: "Екі кофе" })
  })

  it("that break off end the request and nothing else", async () => {
    const start = `POST ${invoices} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key.apiKey}\r\n`
    const head = `${start}Content-Type: application/json\r\n`
    const before = (await call(service, "GET", invoices, { key })).body["total"]
    await sendAndLeave(service.port, `${head}Content-Length: 1000\r\n\r\n{"amount":1}`)
    const received = await exchange(
      service.port,
      `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{"amount":1}\r\n0\r\n\r\n`
    )
    const [answer] = answersIn(received)
    expectCode(answer!, "invalid_request")
    expect((await call(service, "GET", invoices, { key })).body["total"]).toBe(before)
  })
})

describe("what HTTP itself forbids", () => {
  it("is refused in the one error shape", async () => {
    const get = `GET ${invoices} HTTP/1.1`
    expectCode(await send(`${get}\nHost: a\nHost: b\nX-API-Key: ${key.apiKey}\nConnection: close`), "invalid_request")
    expectCode(await send(`${get}\nX-API-Key: ${key.apiKey}\nConnection: close`), "invalid_request")
    expectCode(await send("nonsense"), "invalid_request")
    expectCode(await send(`${get}\nHost: a\nBroken Header: x`), "invalid_request")
    expectCode(await send(`GET ${invoices} HTTP/9.9\nHost: a`), "invalid_request")
    expectCode(
      await send(`POST ${invoices} HTTP/1.1\nHost: a\nContent-Length: 1\nContent-Length: 2`),
      "invalid_request"
    )
    const both = `POST ${invoices} HTTP/1.1\nHost: a\nContent-Length: 5\nTransfer-Encoding: chunked`
    expectCode(await send(both, "0\r\n\r\n"), "invalid_request")
    expectCode(await send(`${get}\nHost: a\nX-Large: ${"x".repeat(20_000)}`), "headers_too_large")
    expectCode(await send(`GET /${"x".repeat(20_000)} HTTP/1.1\nHost: a`), "headers_too_large")
    expectCode(await send("CONNECT example.com:443 HTTP/1.1\nHost: example.com"), "method_not_allowed")
    expectCode(await send("BREW /api/v1/invoices HTTP/1.1\nHost: a"), "invalid_request")
    expectCode(await send("OPTIONS * HTTP/1.1\nHost: a\nConnection: close"), "method_not_allowed")
    expectCode(await send(`TRACE ${invoices} HTTP/1.1\nHost: a\nConnection: close`), "method_not_allowed")
  })

  it("does not hinder what is merely unusual", async () => {
    const common = `X-API-Key: ${key.apiKey}\nConnection: close`
    expect((await send(`GET ${invoices} HTTP/1.0\n${common}`)).status).toBe(200)
    expect((await send(`GET http://elsewhere${invoices} HTTP/1.1\nHost: x\n${common}`)).status).toBe(200)
    expect((await send(`GET ${invoices} HTTP/1.1\nHost: x\nUpgrade: websocket\n${common}, Upgrade`)).status).toBe(200)
    const body = '{"amount":1}'
    const post = `POST ${invoices} HTTP/1.1\nHost: x\nContent-Type: application/json\nContent-Length: 12\n${common}`
    expect((await send(`${post}\nExpect: 100-continue`, body)).status).toBe(201)
    expect((await send(`${post}\nExpect: miracles`, body)).status).toBe(201)
    expect((await send(`${post}\nUpgrade: h2c`, body)).status).toBe(201)
  })

  it("answers pipelined requests in their order", async () => {
    const one = (path: string, close = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${close}\r\n`
    const received = await exchange(
      service.port,
      one("/health/live") + one("/nowhere") + one(invoices) + one("/health/ready", "Connection: close\r\n")
    )
    expect(answersIn(received).map((answer) => answer.status)).toEqual([200, 404, 401, 200])
  })
})

describe("slow clients", () => {
  it("get 408 when head or body does not arrive in time", async () => {
    const limits = { headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 20 }
    const slow = await start({ limits })
    try {
      const { apiKey } = await slow.key()
      const head = answersIn(await exchange(slow.port, "GET / HTTP/1.1\r\nHost: x\r\n"))
      expectCode(head[0]!, "request_timeout")
      const sent = `POST ${invoices} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${apiKey}\r\nContent-Length: 100\r\n\r\n{`
      expectCode(answersIn(await exchange(slow.port, sent))[0]!, "request_timeout")
      expect((await call(slow, "GET", "/health/live")).status).toBe(200)
    } finally {
      await slow.stop()
    }
  })
})

describe("every answer", () => {
  it("names its request: by the client's name where it is sane, else by a fresh one", async () => {
    const named = async (id: string) =>
      (await call(service, "GET", "/health/live", { headers: { "x-request-id": id } })).headers.get("x-request-id")
    expect(await named("order-17:a.b_c")).toBe("order-17:a.b_c")
    for (const id of ["", "two words", "x".repeat(129), "a\tb", "é", '{"a":1}']) expect(await named(id)).not.toBe(id)
    const ids = await Promise.all(Array.from({ length: 50 }, () => named("")))
    expect(new Set(ids).size).toBe(50)
  })
})
