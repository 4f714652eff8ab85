/** Behind a proxy: whom the limit of login codes counts. */
import { IpNetwork } from "effect/net"
import { afterAll, beforeAll, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { type Service, start } from "../support/service.ts"

let service: Service
beforeAll(async () => {
  const trustedProxies = ["127.0.0.0/8", "10.0.0.0/8"].map((network) => IpNetwork.fromStringUnsafe(network))
  service = await start({ trustedProxies, now: Date.UTC(2026, 0, 2) })
})
afterAll(() => service.stop())

let phone = 77_030_000_000
const askFrom = async (forwarded: string, times: number) => {
  const headers = { "x-forwarded-for": forwarded, "x-forwarded-proto": "https", "x-forwarded-host": "evil.example" }
  const ask = () => call(service, "POST", "/panel/login/code", { body: { phone: String(++phone) }, headers })
  const answers = await Promise.all(Array.from({ length: times }, ask))
  return answers.filter(({ status }) => status === 200).length
}

it("counts visitors by what trusted proxies say of them, and by nothing that visitors say themselves", async () => {
  expect(await askFrom("198.51.100.7", 32)).toBe(30)
  expect(await askFrom("203.0.113.1, 198.51.100.7, 10.1.2.3", 2)).toBe(0)
  expect(await askFrom("198.51.100.8", 32)).toBe(30)
  expect(await askFrom("2001:db8:1:2::1", 20)).toBe(20)
  expect(await askFrom("2001:db8:1:2:ffff::9", 20)).toBe(10)
})
