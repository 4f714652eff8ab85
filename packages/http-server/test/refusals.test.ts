/** What operators learn of those who are not let in. */
import { afterEach, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { eventually } from "./support/eventually.ts"
import { type Service, start } from "./support/service.ts"

// Limits of a minute are tried with the clock held still: a minute that began meanwhile would count anew.
const now = Date.UTC(2026, 0, 10, 7)

let service: Service
afterEach(() => service.stop())

interface Line {
  readonly message: string
  readonly level: string
  readonly annotations: Readonly<Record<string, string | number>>
}

const lines = (): ReadonlyArray<Line> =>
  service.logs.map((line) => JSON.parse(line)).filter(({ message }) => String(message).startsWith("Refused"))

const invoices = "/api/v1/invoices"

it("leaves a line and a count for each kind, with whose it was as far as that is known, and no secret", async () => {
  service = await start({ now, settings: { readsPerMinute: 1 } })
  const key = await service.key({ scopes: ["invoices:read"] })
  const other = await service.key()
  const wrong = `${key.apiKey.slice(0, -1)}_`
  const begun = await call(service, "POST", "/panel/login/code", { body: { phone: "77012223344" } })
  const challengeId = begun.body["challengeId"]
  const guess = service.codes.get("77012223344") === "918273" ? "918274" : "918273"
  const answers = [
    await call(service, "GET", invoices),
    await call(service, "GET", invoices, { key: wrong }),
    await call(service, "POST", invoices, { key, body: { amount: 10 } }),
    await call(service, "GET", invoices, { key: other }),
    await call(service, "GET", invoices, { key: other }),
    await call(service, "POST", "/panel/login/verify", { body: { challengeId, code: guess } }),
    await call(service, "POST", "/panel/login/code", { body: { phone: "77012223344" } }),
    await call(service, "POST", "/panel/logout", { headers: { origin: "https://evil.example" } })
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 422, 403, 200, 429, 400, 429, 403])
  const told = lines().map(({ annotations: { code, method, route, keyId, organizationId } }) => {
    return [code, method, route, keyId, organizationId]
  })
  expect(told).toEqual([
    ["unauthorized", "GET", invoices, undefined, undefined],
    ["invalid_api_key", "GET", invoices, undefined, undefined],
    ["insufficient_scope", "POST", invoices, key.keyId, key.organizationId],
    ["request_rate_limited", "GET", invoices, other.keyId, undefined],
    ["invalid_code", "POST", "/panel/login/verify", undefined, undefined],
    ["rate_limited", "POST", "/panel/login/code", undefined, undefined],
    ["cross_site_request", "POST", "/panel/logout", undefined, undefined]
  ])
  const refused = answers.filter(({ status }) => status !== 200)
  expect(lines().map(({ annotations }) => annotations["requestId"])).toEqual(
    refused.map(({ headers }) => headers.get("x-request-id"))
  )
  expect(new Set(lines().map(({ annotations }) => annotations["address"]))).toEqual(new Set(["127.0.0.1"]))
  expect(new Set(lines().map(({ level }) => level))).toEqual(new Set(["WARN"]))
  const log = service.logs.join("\n")
  for (const secret of [key.apiKey, other.apiKey, wrong, wrong.slice(-12), guess, "77012223344"]) {
    expect(log).not.toContain(secret)
  }
  const { text } = await call(service, "GET", "/metrics")
  for (const [code, , route] of told) {
    expect(text).toMatch(new RegExp(`tolem_http_refusals_total\\{code="${code}",route="${route}"\\} [1-9]`))
  }
})

it("tells of what is usual not at all: fields that are wrong, and what is not there", async () => {
  service = await start()
  const key = await service.key()
  await call(service, "POST", invoices, { key, body: { amount: "x" } })
  await call(service, "GET", `${invoices}/inv_nobody`, { key })
  await call(service, "GET", "/nowhere")
  expect(lines()).toEqual([])
})

it("is bounded: some lines a second, and how many more there were", async () => {
  service = await start({ settings: { refusalLinesPerSecond: 3 } })
  await Promise.all(Array.from({ length: 50 }, () => call(service, "GET", invoices)))
  const more = () => lines().filter(({ message }) => message === "Refused more")
  await eventually(() => expect(more()).not.toEqual([]))
  const leftOut = more().reduce((sum, { annotations }) => sum + Number(annotations["leftOut"]), 0)
  expect(lines().length - more().length + leftOut).toBe(50)
  expect(leftOut).toBeGreaterThan(30)
  expect(more()[0]?.annotations["code"]).toBe("unauthorized")
})

it("counts pages that are refused too", async () => {
  service = await start({ now, settings: { pagesPerMinute: 1 } })
  for (let i = 0; i < 3; i++) await fetch(`${service.url}/pay/inv_1`)
  expect(lines().map(({ annotations: { code, route } }) => [code, route])).toEqual([
    ["429", "/pay/:id"],
    ["429", "/pay/:id"]
  ])
})
