/** Floods of invoices that strangers make: they have a bucket of their own, and each of them a share of it. */
import { defaults } from "@tolem/core/engine/Settings"
import { IpNetwork } from "effect/net"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const now = 1_767_225_600_000
const { invoicesOfOrganizationPerMinute: bucket } = defaults.visitors

// Two servers where they can share the database, with the rates of the defaults.
const given = {
  now,
  trustedProxies: [IpNetwork.fromStringUnsafe("127.0.0.0/8")],
  settings: { visitors: defaults.visitors, writesPerMinute: defaults.writesPerMinute, pagesPerMinute: 1e9 }
}
let servers: ReadonlyArray<Service>
beforeAll(async () => {
  const first = await start(given)
  servers = inject("database") === "postgres" ? [first, await start({ ...given, beside: first })] : [first]
})
afterAll(async () => {
  for (const server of servers.toReversed()) await server.stop()
})

/** One of them after the other. */
const nth = (n: number) => servers[n % servers.length]!

const times = (count: number) => Array.from({ length: count }, (_, index) => index)

const linksOf = (key: Key, count: number) =>
  Promise.all(
    times(count).map(async () => {
      const body = { title: "Tea", amount: 5 }
      return String((await call(servers[0]!, "POST", "/api/v1/payment-links", { key, body })).body["slug"])
    })
  )

/** What becomes of a stranger's request at an address. */
const pay = async (slug: string, from: string, server = servers[0]!) => {
  const { status, headers, body } = await call(server, "POST", `/l/${slug}`, { headers: { "x-forwarded-for": from } })
  return { status, id: String(body["invoiceId"]), after: Number(headers.get("retry-after")), error: body["error"] }
}

/** Sends requests over so many connections, one after another on each. */
const flood = async <A>(requests: ReadonlyArray<() => Promise<A>>, connections: number) => {
  const answers: Array<A> = []
  const left = requests.values()
  await Promise.all(
    times(connections).map(async () => {
      for (const request of left) answers.push(await request())
    })
  )
  return answers
}

const madeOf = (answers: ReadonlyArray<{ readonly status: number }>) =>
  answers.filter(({ status }) => status === 201).length

describe("a flood through links", () => {
  it("ends at the bucket of their organization, on all servers, and costs its keys and others nothing", async () => {
    const [service] = servers as [Service]
    const [key, other] = [await service.key(), await service.key()]
    const slugs = await linksOf(key, 8)
    const [calm] = (await linksOf(other, 1)) as [string]
    const remaining = async () => {
      const { status, headers } = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 5 } })
      return [status, Number(headers.get("x-ratelimit-remaining"))] as const
    }
    const [, before] = await remaining()
    const requests = times(640).map(
      (n) => () => pay(slugs[n % 8]!, `198.51.${100 + Math.floor(n / 200)}.${n % 200}`, nth(n))
    )
    const answers = await flood(requests, 64)
    expect(madeOf(answers)).toBe(bucket)
    const refused = answers.filter(({ status }) => status !== 201)
    expect(new Set(refused.map(({ status, error }) => `${status} ${error}`))).toEqual(
      new Set(["429 request_rate_limited"])
    )
    expect(refused.every(({ after }) => after > 0 && after <= 60)).toBe(true)
    // The merchant's own rate is where it was, and its key writes on.
    expect(await remaining()).toEqual([201, before - 1])
    expect((await pay(calm, "203.0.113.1")).status).toBe(201)
    for (const server of servers) server.time.now += 60_000
    expect((await pay(slugs[0]!, "203.0.113.2")).status).toBe(201)
  })

  it("of few visitors leaves room for others, at the link and in its organization", async () => {
    const [service] = servers as [Service]
    const slugs = await linksOf(await service.key(), 8)
    // Eight of them could use up a link of sixty a minute, and twenty-four the bucket: each asks for ten.
    const greedy = (visitors: number, links: number) =>
      times(visitors * 10).map((n) => () => pay(slugs[n % links]!, `192.0.2.${links * 30 + (n % visitors)}`, nth(n)))
    expect(madeOf(await flood(greedy(8, 1), 16))).toBeLessThan(defaults.visitors.invoicesOfOnePerMinute)
    expect((await pay(slugs[0]!, "203.0.113.3")).status).toBe(201)
    expect(madeOf(await flood(greedy(24, 7), 16))).toBeLessThan(bucket)
    for (const n of times(3)) expect((await pay(slugs[7]!, `203.0.113.${10 + n}`)).status).toBe(201)
  })

  it("counts those that follow a lost invoice with the others", async () => {
    const [service] = servers as [Service]
    const key = await service.key()
    const [slug] = (await linksOf(key, 1)) as [string]
    const { id } = await pay(slug, "203.0.113.20")
    await call(service, "POST", `/pay/${id}/code`, { headers: { "x-forwarded-for": "203.0.113.20" } })
    await call(service, "POST", `/api/v1/invoices/${id}/simulate`, { key, body: { status: "expired" } })
    const again = async (address: string) => {
      const headers = { "x-forwarded-for": address }
      return (await fetch(`${service.url}/pay/${id}/again`, { method: "POST", redirect: "manual", headers })).status
    }
    const answers = await flood(
      times(12).map(() => () => again("203.0.113.21")),
      1
    )
    expect(answers.slice(0, 2)).toEqual([303, 303])
    expect(answers.at(-1)).toBe(429)
    expect(await again("203.0.113.22")).toBe(429)
  })
})
