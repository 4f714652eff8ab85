/** Invoices that strangers make at links and hooks: so many for each of them, and so many at one link. */
import { defaults } from "@tolem/core/engine/Settings"
import { IpNetwork } from "effect/net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Service, start } from "./support/service.ts"

let service: Service
beforeAll(async () => {
  service = await start({
    now: 1_767_225_600_000,
    trustedProxies: [IpNetwork.fromStringUnsafe("127.0.0.0/8")],
    settings: { visitors: defaults.visitors }
  })
})
afterAll(() => service.stop())

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

describe("a stranger", () => {
  it("has ten invoices made a minute, and a link makes sixty, while its merchant goes on", async () => {
    const key = await service.key()
    const link = async () => {
      const body = { title: "Tea", amount: 5 }
      return String((await call(service, "POST", "/api/v1/payment-links", { key, body })).body["slug"])
    }
    const [first, second] = [await link(), await link()]
    const hook = (await call(service, "POST", "/api/v1/form-hooks", { key, body: { name: "Form" } })).body["id"]
    const pay = (slug: string, address: string) =>
      call(service, "POST", `/l/${slug}`, { headers: { "x-forwarded-for": address } })
    const answers = await Promise.all(times(12).map((index) => pay(index % 2 ? first : second, `2001:db8::${index}`)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = answers.find(({ status }) => status !== 201)!
    expect([refused.status, refused.body["error"]]).toEqual([429, "request_rate_limited"])
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    const form = await fetch(`${service.url}/f/${hook}`, {
      method: "POST",
      headers: { "x-forwarded-for": "2001:db8::99" },
      body: new URLSearchParams({ amount: "5" })
    })
    expect(form.status).toBe(429)
    const others = await Promise.all(times(70).map((index) => pay(first, `198.51.100.${index}`)))
    expect(others.filter(({ status }) => status === 201)).toHaveLength(55)
    expect((await pay(second, "198.51.100.99")).status).toBe(201)
    expect((await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 5 } })).status).toBe(201)
    service.time.now += 60_000
    expect((await pay(first, "2001:db8::1")).status).toBe(201)
  })
})
