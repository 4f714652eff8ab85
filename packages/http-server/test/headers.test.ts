/** The headers that every answer carries, no matter what made it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"
import { answersIn, exchange } from "./support/socket.ts"

let plain: Service
let secure: Service
let key: Key
beforeAll(async () => {
  plain = await start()
  secure = await start({ settings: { baseUrl: "https://pay.example.kz" } })
  key = await secure.key()
})
afterAll(async () => {
  await plain.stop()
  await secure.stop()
})

const asks: ReadonlyArray<readonly [method: string, path: string]> = [
  ["GET", "/api/v1/invoices"],
  ["POST", "/api/v1/invoices"],
  ["GET", "/api/v1/invoices/inv_1"],
  ["PUT", "/api/v1/invoices"],
  ["GET", "/api/v1/openapi.json"],
  ["GET", "/docs"],
  ["GET", "/docs/en/webhooks"],
  ["GET", "/docs/ru/webhooks.md"],
  ["GET", "/docs/en/search.json"],
  ["GET", "/docs/console"],
  ["GET", "/llms.txt"],
  ["GET", "/health/live"],
  ["GET", "/health/ready"],
  ["GET", "/metrics"],
  ["GET", "/nowhere"],
  ["GET", "/pay/inv_1"],
  ["GET", "/pay/inv_1/status"],
  ["GET", "/receipts/inv_1"],
  ["GET", "/l/nobody"],
  ["POST", "/f/nobody"],
  ["OPTIONS", "/f/nobody"],
  ["GET", "/panel/session"],
  ["POST", "/panel/login/code"],
  ["GET", "/;x"]
]

const expectGuarded = (headers: Record<string, string>, label: string) => {
  const policy = headers["content-security-policy"] ?? ""
  expect(policy, label).toContain("default-src 'none'")
  expect(policy, label).toContain("frame-ancestors 'none'")
  expect(policy, label).toContain("base-uri 'none'")
  expect(policy, label).toContain("form-action 'none'")
  expect(headers["referrer-policy"], label).toBe("no-referrer")
  expect(headers["x-content-type-options"], label).toBe("nosniff")
  expect(headers["x-frame-options"], label).toBe("DENY")
}

const kept = [
  "/docs",
  "/docs/en/webhooks",
  "/docs/ru/webhooks.md",
  "/docs/en/search.json",
  "/docs/console",
  "/llms.txt",
  "/api/v1/openapi.json"
]

describe("every answer", () => {
  it("tells browsers what they may do with it, and caches that they may not keep it", async () => {
    for (const [method, path] of asks) {
      for (const sent of [{}, { key }]) {
        const response = await fetch(`${secure.url}${path}`, {
          method,
          headers: "key" in sent ? { "x-api-key": key.apiKey } : {},
          body: method === "POST" ? "{" : null
        })
        await response.text()
        const label = `${method} ${path} ${response.status}`
        expectGuarded(Object.fromEntries(response.headers), label)
        const caching = kept.includes(path) ? "public, max-age=300" : "no-store"
        expect(response.headers.get("cache-control"), label).toBe(caching)
        expect(response.headers.get("strict-transport-security"), label).toBe("max-age=63072000; includeSubDomains")
      }
    }
  })

  it("also where it never became a request", async () => {
    for (const bytes of ["nonsense\r\n\r\n", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\n\r\n"]) {
      const [answer] = answersIn(await exchange(secure.port, bytes, (received) => received.endsWith("}")))
      expectGuarded(answer?.headers ?? {}, bytes)
      expect(answer?.headers["cache-control"]).toBe("no-store")
      expect(answer?.headers["strict-transport-security"]).toBeDefined()
    }
  })

  it("asks for https only where people come by it", async () => {
    const { headers } = await call(plain, "GET", "/health/live")
    expect(headers.get("strict-transport-security")).toBeNull()
  })
})

describe("the reference page", () => {
  it.each(["/docs", "/docs/console"])("at %s runs its own scripts and no others", async (path) => {
    const { headers, text } = await call(secure, "GET", path)
    const policy = headers.get("content-security-policy") ?? ""
    expect(policy).toMatch(/script-src ('sha256-[A-Za-z0-9+/]{43}=' ?)+;/)
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(scriptOf(text)))
    expect(policy).toContain(Buffer.from(digest).toString("base64"))
  })

  it("is beside a document that viewers on other sites may read", async () => {
    const { headers } = await call(secure, "GET", "/api/v1/openapi.json", {
      headers: { origin: "https://viewer.example" }
    })
    expect(headers.get("access-control-allow-origin")).toBe("*")
    expect(
      (await call(secure, "GET", "/api/v1/invoices", { key })).headers.get("access-control-allow-origin")
    ).toBeNull()
  })
})

const scriptOf = (page: string) => page.slice(page.indexOf("<script>") + 8, page.lastIndexOf("</script>"))

describe("the cookie of a session", () => {
  const logIn = async (service: Service, phone: string) => {
    const { body } = await call(service, "POST", "/panel/login/code", { body: { phone } })
    const entry = { challengeId: body["challengeId"], code: service.codes.get(phone) }
    const { headers } = await call(service, "POST", "/panel/login/verify", { body: entry })
    const [, name = "", token = ""] = /^([^=]+)=([^;]+)/.exec(headers.get("set-cookie") ?? "") ?? []
    return { name, token }
  }
  const statusWith = async (service: Service, cookie: string) =>
    (await call(service, "GET", "/panel/session", { headers: { cookie } })).status

  it("is one that no other host can have set, where people come by https", async () => {
    const { name, token } = await logIn(secure, "77051230001")
    expect(name).toBe("__Host-tolem_session")
    expect(await statusWith(secure, `${name}=${token}`)).toBe(200)
    expect(await statusWith(secure, `tolem_session=${token}`)).toBe(401)
    expect(await statusWith(secure, `tolem_session=planted; ${name}=${token}`)).toBe(200)
  })

  it("is none where there are two of its name", async () => {
    for (const service of [plain, secure]) {
      const { name, token } = await logIn(service, "77051230002")
      expect(await statusWith(service, `a=b; ${name}=${token}`)).toBe(200)
      expect(await statusWith(service, `${name}=${token}; ${name}=planted`)).toBe(401)
      expect(await statusWith(service, `${name}=planted; ${name}=${token}`)).toBe(401)
    }
  })
})
