/** Form hooks over HTTP: merchants manage them, and forms on any site have invoices made at them. */
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Answer, askForCode, call, expectRefusal } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 10, 7)
const iso = "2026-01-10T07:00:00.000Z"
const hooks = "/api/v1/form-hooks"

let service: Service
let key: Key
let hook: string

beforeAll(async () => {
  service = await start({ now, settings: { pagesPerMinute: 1e9 } })
  key = await service.key()
  hook = String((await made()).body["id"])
})
afterAll(() => service.stop())

const send = (method: string, path: string, body?: unknown, as = key) =>
  call(service, method, `${hooks}${path}`, { key: as, body })
const made = async (body: object = {}, as = key) => {
  const answer = await send("POST", "", { name: "Order form", ...body }, as)
  expect(answer.status).toBe(201)
  return answer
}
const of = (answer: Answer) => `/${answer.body["id"]}`
const codeOf = async (answer: Promise<Answer>) => String((await answer).body["error"])

/** Posts a form as a browser would. */
const post = async (body: string | FormData | URLSearchParams | Uint8Array<ArrayBuffer>, more: Posting = {}) => {
  const { id = hook, query = "", type } = more
  const response = await fetch(`${service.url}/f/${id}${query}`, {
    method: "POST",
    body,
    redirect: "manual",
    headers: { origin: "https://shop.kz", ...(type !== undefined && { "content-type": type }) }
  })
  const text = await response.text()
  expect(response.headers.get("access-control-allow-origin")).toBe("*")
  expect(response.headers.get("access-control-expose-headers")).toBe("retry-after, x-request-id")
  expect(response.headers.get("cache-control")).toBe("no-store")
  if (response.status >= 400) expectRefusal(response.status, text)
  return { status: response.status, headers: response.headers, text, body: text === "" ? {} : JSON.parse(text) }
}
interface Posting {
  readonly id?: string
  readonly query?: string
  readonly type?: string
}
type Fields = Readonly<Record<string, string>>
const submit = (fields: Fields, more: Posting = {}) => post(new URLSearchParams(fields), more)
const invoice = async ({ body }: { readonly body: { readonly invoiceId?: string } }) =>
  (await call(service, "GET", `/api/v1/invoices/${body.invoiceId}`, { key })).body

describe("a form hook", () => {
  it("is shown as it was made, changed member by member, and removed", async () => {
    const own = await service.key()
    const sent = { name: "Тапсырыс", successUrl: "https://shop.kz/yes", failUrl: null }
    const answer = await made(sent, own)
    const id = String(answer.body["id"])
    const expected = {
      id: expect.stringMatching(/^hok_[0-9a-z]{26}$/),
      mode: "sandbox",
      status: "active",
      url: `${service.settings.baseUrl}/f/${id}`,
      createdAt: iso,
      updatedAt: iso,
      allowedOrigins: [],
      honeypot: null,
      caught: 0,
      ...sent
    }
    expect(answer.body).toEqual(expected)
    expect((await send("GET", of(answer), undefined, own)).body).toEqual(answer.body)
    expect((await send("GET", "", undefined, own)).body).toEqual({ hooks: [answer.body] })
    service.time.now = now + 1000
    const changed = await send("PATCH", of(answer), { name: "Form", successUrl: null, status: "paused" }, own)
    service.time.now = now
    const guards = { allowedOrigins: ["https://shop.kz", "http://localhost:8080"], honeypot: "website" }
    const changes = { name: "Form", successUrl: null, status: "paused", updatedAt: "2026-01-10T07:00:01.000Z" }
    expect(changed.body).toEqual({ ...expected, ...changes })
    expect((await send("PATCH", of(answer), {}, own)).body).toEqual(changed.body)
    const sites = ["https://SHOP.kz/", "http://localhost:8080", "https://shop.kz:443"]
    const guarded = await send("PATCH", of(answer), { ...guards, allowedOrigins: sites }, own)
    expect(guarded.body).toMatchObject({ ...changes, updatedAt: iso, ...guards })
    const open = await send("PATCH", of(answer), { allowedOrigins: null, honeypot: null }, own)
    expect(open.body).toMatchObject({ allowedOrigins: [], honeypot: null })
    expect((await send("DELETE", of(answer), undefined, own)).status).toBe(204)
    expect(await codeOf(send("DELETE", of(answer), undefined, own))).toBe("hook_not_found")
    expect((await submit({ amount: "5" }, { id })).body.error).toBe("hook_not_found")
  })

  it.each([
    [{ name: undefined }, "invalid_name"],
    [{ name: " " }, "invalid_name"],
    [{ name: "x".repeat(101) }, "invalid_name"],
    [{ name: {} }, "invalid_name"],
    [{ successUrl: "ftp://shop.kz" }, "invalid_url"],
    [{ failUrl: [] }, "invalid_url"],
    [{ successUrl: "https://{INVOICE_ID}.kz/" }, "invalid_url"],
    [{ failUrl: "https://shop.kz%7BSTATUS%7D/" }, "invalid_url"],
    [{ status: "off" }, "invalid_status"],
    [{ allowedOrigins: "https://shop.kz" }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["https://shop.kz/a"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["https://shop.kz?"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["http://shop.kz"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["http://localhost.shop.kz"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["https://a@shop.kz"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["https://*.shop.kz"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["https://shop.kz;x"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["shop.kz"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["data:text/html,x"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: ["null"] }, "invalid_allowed_origins"],
    [{ allowedOrigins: [null] }, "invalid_allowed_origins"],
    [{ allowedOrigins: Array.from({ length: 11 }, (_, i) => `https://shop${i}.kz`) }, "invalid_allowed_origins"],
    [{ honeypot: "" }, "invalid_honeypot"],
    [{ honeypot: "amount" }, "invalid_honeypot"],
    [{ honeypot: "lang" }, "invalid_honeypot"],
    [{ honeypot: "a b" }, "invalid_honeypot"],
    [{ honeypot: "x".repeat(61) }, "invalid_honeypot"],
    [{ honeypot: 1 }, "invalid_honeypot"]
  ])("is refused with %j as %s", async (body, code) => {
    expect(await codeOf(send("POST", "", { name: "x", ...body }))).toBe(code)
    if (Object.values(body)[0] !== undefined) expect(await codeOf(send("PATCH", `/${hook}`, body))).toBe(code)
  })

  it("is seen by its organization and mode alone, and changed with the right to write alone", async () => {
    const { organizationId } = key
    const live = await service.key({ mode: "live", organizationId })
    const stranger = await service.key()
    const reader = await service.key({ organizationId, scopes: ["invoices:read"] })
    for (const [method, body] of [
      ["GET", undefined] as const,
      ["PATCH", {}] as const,
      ["DELETE", undefined] as const
    ]) {
      expect(await codeOf(send(method, `/${hook}`, body, live))).toBe("hook_not_found")
      expect(await codeOf(send(method, `/${hook}`, body, stranger))).toBe("forbidden")
      expect(await codeOf(send(method, "/hok_nobody", body))).toBe("hook_not_found")
      if (method !== "GET") expect(await codeOf(send(method, `/${hook}`, body, reader))).toBe("insufficient_scope")
    }
    expect((await send("GET", "", undefined, live)).body).toEqual({ hooks: [] })
    expect((await send("GET", `/${hook}`, undefined, reader)).status).toBe(200)
  })

  it("is one of a hundred at most, even when all are added at once", async () => {
    const own = await service.key()
    const answers = await Promise.all(Array.from({ length: 105 }, () => send("POST", "", { name: "x" }, own)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100)
    const refused = answers.filter(({ status }) => status !== 201).map(({ body }) => String(body["error"]))
    expect(new Set(refused)).toEqual(new Set(["too_many_hooks"]))
  })

  it("takes every change of many at once", async () => {
    const own = await service.key()
    const hook = await made({}, own)
    const names = Array.from({ length: 60 }, (_, i) => `Form ${i}`)
    const answers = await Promise.all(names.map((name) => send("PATCH", of(hook), { name }, own)))
    expect(answers.map(({ status, body }) => [status, body["name"]])).toEqual(names.map((name) => [200, name]))
  })
})

describe("a form", () => {
  const fields = {
    amount: "1500,50",
    phone: "+7 (700) 123-45-67",
    email: " a@b.kz ",
    name: "Әлия & Co + 100%",
    comment: "Екі кофе"
  }

  it.each(["urlencoded", "multipart"])(
    "sent %s makes an invoice that is new until a person asks for its code",
    async (way) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append("photo", new Blob(["x".repeat(1000)]), "photo.jpg")
      const answer = await (way === "multipart" ? post(form) : submit(fields))
      const id = answer.body.invoiceId
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({ ok: true, invoiceId: id, payUrl: `${service.settings.baseUrl}/pay/${id}` })
      const stored = await invoice(answer)
      expect(stored).toMatchObject({
        status: "new",
        kind: "qr",
        amount: 1500.5,
        description: "Екі кофе",
        customer: { name: "Әлия & Co + 100%", phone: "77001234567", email: "a@b.kz" },
        metadata: { formHookId: hook },
        qrUrl: null
      })
      expect(stored["events"]).toMatchObject([{ type: "invoice.created", source: "system" }])
      expect((await fetch(`${service.url}/pay/${id}`)).status).toBe(200)
      expect((await invoice(answer))["status"]).toBe("new")
      expect((await askForCode(service, id)).status).toBe(200)
      expect((await invoice(answer))["status"]).toBe("pending")
    }
  )

  it("is answered with 302 to the pay page where it asks for it, and with JSON where it is refused", async () => {
    const sent = await submit({ sum: "10" }, { query: "?redirect=1" })
    expect([sent.status, sent.text]).toEqual([302, ""])
    const location = String(sent.headers.get("location"))
    expect(location).toMatch(/^http:\/\/localhost:3000\/pay\/inv_[0-9a-z]{26}$/)
    expect(await invoice({ body: { invoiceId: location.slice(-30) } })).toMatchObject({ amount: 10 })
    expect((await submit({ sum: "10" }, { query: "?redirect=0" })).status).toBe(200)
    expect((await submit({ sum: "x" }, { query: "?redirect=1" })).body.error).toBe("invalid_amount")
  })

  it.each<[string, Fields, number]>([
    ["amount before sum and price", { price: "3", sum: "2", amount: "1" }, 1],
    ["sum before price", { price: "3", sum: "2" }, 2],
    ["price", { price: "3.5" }, 3.5],
    ["the first that is filled in", { amount: " ", sum: "", price: "4" }, 4],
    ["a comma", { amount: "12,34" }, 12.34],
    ["spaces and a mark", { amount: "₸3\u00a0500,50" }, 3500.5]
  ])("may name its amount by %s", async (_, given, amount) => {
    expect(await invoice(await submit(given))).toMatchObject({ amount })
  })

  it("counts the first of several fields with one name", async () => {
    expect(await invoice(await post(new URLSearchParams("amount=5&amount=6")))).toMatchObject({ amount: 5 })
  })

  it.each<[Fields, string]>([
    [{}, "invalid_amount"],
    [{ amount: "x" }, "invalid_amount"],
    [{ amount: "1e3" }, "invalid_amount"],
    [{ amount: "0x10" }, "invalid_amount"],
    [{ amount: "1.005" }, "invalid_amount"],
    [{ amount: "1,500" }, "invalid_amount"],
    [{ amount: "1.500" }, "invalid_amount"],
    [{ amount: "Infinity" }, "invalid_amount"],
    [{ amount: "9".repeat(400) }, "invalid_amount"],
    [{ amount: "-5" }, "amount_too_small"],
    [{ amount: "0.99" }, "amount_too_small"],
    [{ amount: "100000000" }, "amount_too_large"],
    [{ amount: "5", phone: "123" }, "invalid_phone"],
    [{ amount: "5", phone: "9001234567" }, "invalid_phone"],
    [{ amount: "5", phone: "+17001234567" }, "invalid_phone"],
    [{ amount: "5", email: "nobody" }, "invalid_email"],
    [{ amount: "5", name: "x".repeat(201) }, "invalid_customer"],
    [{ amount: "5", name: "a\u0000b" }, "invalid_customer"],
    [{ amount: "5", comment: "x".repeat(101) }, "invalid_description"]
  ])("with %j is refused as %s", async (given, code) => {
    expect((await submit(given)).body.error).toBe(code)
  })

  it.each(["77001234567", "87001234567", "8 700 123 45 67", "+7-700-123-45-67"])(
    "may have the phone %s",
    async (phone) => {
      expect(await invoice(await submit({ amount: "5", phone }))).toMatchObject({ customer: { phone: "77001234567" } })
    }
  )

  it("sets nothing but what a customer may", async () => {
    const own = await made({ successUrl: "https://shop.kz/yes" })
    const more = { kind: "phone", successUrl: "https://evil.kz", metadata: "{}", __proto__x: "1", idempotencyKey: "k" }
    const answer = await submit({ amount: "5", ...more, "customer[name]": "x" }, { id: String(own.body["id"]) })
    const stored = await invoice(answer)
    expect(stored).toMatchObject({ kind: "qr", customer: { name: null, phone: null, email: null } })
    expect(stored["metadata"]).toEqual({ formHookId: own.body["id"] })
  })

  it("is refused while its hook is paused", async () => {
    const own = await made({ status: "paused" })
    const id = String(own.body["id"])
    const refused = await submit({ amount: "5" }, { id, query: "?redirect=1" })
    expect([refused.status, refused.body.error]).toEqual([410, "hook_paused"])
    await send("PATCH", `/${id}`, { status: "active" })
    expect((await submit({ amount: "5" }, { id })).status).toBe(200)
  })

  it("is refused at an unknown address, and at one of a merchant who is blocked or archived", async () => {
    for (const id of ["hok_nobody", "x", `hok_${"0".repeat(26)}`, "'--", "x".repeat(90)]) {
      expect((await submit({ amount: "5" }, { id })).body.error, id).toBe("hook_not_found")
    }
    const { id: organization, ownerId } = await service.organization()
    const own = await made({}, await service.key({ organizationId: organization }))
    const id = String(own.body["id"])
    const statuses = [
      { account: ownerId, status: "blocked" } as const,
      { account: ownerId, status: "active" } as const,
      { organization, status: "archived" } as const
    ]
    const codes: Array<unknown> = []
    for (const status of statuses) {
      await service.run(MerchantStore.use((store) => store.setStatus(status, Date.now())))
      codes.push((await submit({ amount: "5" }, { id })).body.error)
    }
    expect(codes).toEqual(["hook_not_found", undefined, "hook_not_found"])
  })

  it("is of the two types that browsers send, of a bounded size, and whole", async () => {
    for (const type of ["text/plain", "application/json", "application/x-www-form-urlencoded2", "multipart/mixed"]) {
      expect((await post("amount=5", { type })).body.error).toBe("form_required")
    }
    const urlencoded = "application/x-www-form-urlencoded; charset=UTF-8"
    expect((await post("amount=5", { type: urlencoded })).status).toBe(200)
    expect((await submit({ amount: "5", x: "x".repeat(300_000) })).body.error).toBe("payload_too_large")
    const form = new FormData()
    form.append("file", new Blob(["x".repeat(300_000)]), "x.bin")
    expect((await post(form)).body.error).toBe("payload_too_large")
    const boundary = "multipart/form-data; boundary=b"
    const part = (value: string) => `--b\r\nContent-Disposition: form-data; name="amount"\r\n\r\n${value}\r\n`
    expect((await post(`${part("5")}--b--\r\n`, { type: boundary })).status).toBe(200)
    for (const broken of [part("5"), "", "--b", "--b\r\nX\r\n\r\n5\r\n--b--", `--b\r\n\r\n5\r\n--b--`]) {
      expect((await post(broken, { type: boundary })).body.error, broken).toBe("invalid_request")
    }
    expect((await post(`${part("5")}--b--`, { type: "multipart/form-data" })).body.error).toBe("invalid_request")
    const bytes = new Uint8Array([...new TextEncoder().encode("amount=5&name="), 0xff, 0xfe])
    expect((await post(bytes, { type: urlencoded })).body.error).toBe("invalid_request")
    expect((await post("amount=5&name=%ff%fe", { type: urlencoded })).body.error).toBe("invalid_request")
    expect((await post("&&amount=5&=&name=100%&x&y=%zz", { type: urlencoded })).status).toBe(200)
  })

  it("may be sent by a script of any site", async () => {
    const asked = await fetch(`${service.url}/f/${hook}`, {
      method: "OPTIONS",
      headers: { origin: "https://shop.kz", "access-control-request-method": "POST" }
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get("access-control-allow-origin")).toBe("*")
    expect(asked.headers.get("access-control-allow-methods")).toBe("POST")
    expect(asked.headers.get("access-control-allow-headers")).toBe("content-type")
    const got = await call(service, "GET", `/f/${hook}`)
    expect([got.status, got.headers.get("allow")]).toEqual([405, "OPTIONS, POST"])
    expect((await call(service, "DELETE", `/f/${hook}`)).status).toBe(405)
  })
})
