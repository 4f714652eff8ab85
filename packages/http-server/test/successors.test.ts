/** Another code for a customer whose invoice of a link, hook or subscription ended without money. */
import { Engine } from "@tolem/core/engine/Engine"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { askForCode, call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const now = Date.UTC(2026, 0, 10, 7)

let service: Service
let key: Key
beforeAll(async () => {
  service = await start({ now, settings: { pagesPerMinute: 1e9 } })
  key = await service.key()
})
afterAll(() => service.stop())

const api = async (method: string, path: string, body?: object) =>
  (await call(service, method, `/api/v1${path}`, { key, body })).body
const read = (id: string) => api("GET", `/invoices/${id}`)
const statusesOf = async (ids: ReadonlyArray<string>) => Promise.all(ids.map(async (id) => (await read(id))["status"]))
const simulate = (id: string, status: string) => api("POST", `/invoices/${id}/simulate`, { status })
const findings = async () => service.run((await service.run(Engine)).integrity.findings)

const linked = async () => {
  const link = await api("POST", "/payment-links", { title: "Шай", amount: 700, failUrl: "https://shop.kz/sorry" })
  const body = { customer: { name: "Әлия", phone: "77001234567" } }
  return String((await call(service, "POST", `/l/${link["slug"]}`, { body })).body["invoiceId"])
}
const lost = async (id: string, how = "expired") => {
  await askForCode(service, id)
  await simulate(id, how)
}
/** Taps on "new code"; answers which invoice it leads to. */
const again = async (id: string, headers: Record<string, string> = {}) => {
  const sent = { method: "POST", headers, redirect: "manual" } as const
  const answer = await fetch(`${service.url}/pay/${id}/again?lang=en`, sent)
  const led = /^\.\.\/(inv_\w+)\?lang=en$/.exec(answer.headers.get("location") ?? "")?.[1]
  return led ?? String(answer.status)
}
const page = async (id: string) => (await fetch(`${service.url}/pay/${id}?lang=en`)).text()
const button = "Get a new code"

describe("a customer whose code of a link is lost", () => {
  it.each(["expired", "failed"])("%s, gets another by one tap, for the same", async (how) => {
    const first = await linked()
    await lost(first, how)
    expect(await page(first)).toContain(button)
    expect(await page(first)).not.toContain("url=https://shop.kz")
    const second = await again(first)
    const [was, is] = [await read(first), await read(second)]
    expect(second).not.toBe(first)
    for (const member of ["amount", "description", "customer", "metadata", "successUrl", "failUrl", "kind"]) {
      expect(is[member]).toEqual(was[member])
    }
    expect(is).toMatchObject({ status: "new", qrUrl: null })
    await askForCode(service, second)
    await simulate(second, "paid")
    expect(await statusesOf([first, second])).toEqual([how, "paid"])
    expect(await again(first)).toBe(second)
  })

  it("has one open successor at most, however often they tap, and from whichever page", async () => {
    const first = await linked()
    await lost(first)
    const led = new Set(await Promise.all(Array.from({ length: 8 }, () => again(first))))
    expect(led.size).toBe(1)
    const second = [...led].join()
    await lost(second)
    const third = await again(second)
    expect([await again(second), third].includes(first)).toBe(false)
    service.time.now += 60_000
    expect(new Set([await again(first), await again(second), await again(third)])).toEqual(new Set([third]))
    expect(await statusesOf([first, second, third])).toEqual(["expired", "expired", "new"])
    expect(await findings()).toEqual([])
  })

  it("has no open one left once late money has come for an earlier one", async () => {
    for (const opens of [false, true]) {
      const first = await linked()
      await lost(first)
      const second = await again(first)
      if (opens) await askForCode(service, second)
      await simulate(first, "paid")
      expect(await statusesOf([first, second])).toEqual(["paid", "cancelled"])
      expect(await again(second)).toBe(first)
    }
    expect(await findings()).toEqual([])
  })

  it("may do so while the first invoice is valid, a set number of times, and not from another site", async () => {
    const first = await linked()
    await lost(first)
    expect(await again(first, { "sec-fetch-site": "cross-site" })).toBe("403")
    service.time.now += 23 * 3_600_000
    let newest = await again(first)
    expect(newest).not.toBe(first)
    for (let count = 1; count < service.settings.maxSuccessors; count++) {
      await lost(newest)
      newest = await again(newest)
    }
    await lost(newest)
    expect(await again(newest)).toBe(newest)
    const other = await linked()
    await lost(other)
    service.time.now += 24 * 3_600_000
    expect(await page(other)).not.toContain(button)
    expect(await again(other)).toBe(other)
  })

  it("is not led to an invoice of the merchant's own that has the key of a successor", async () => {
    const first = await linked()
    await lost(first)
    await api("POST", "/invoices", { amount: 5, idempotencyKey: `successor/${first}/1` })
    expect(await again(first)).toBe(first)
  })

  it("has none where a merchant has made the invoice or closed it", async () => {
    const own = String((await api("POST", "/invoices", { amount: 5 }))["id"])
    await simulate(own, "expired")
    const closed = await linked()
    await api("POST", `/invoices/${closed}/cancel`)
    for (const id of [own, closed]) {
      expect(await page(id)).not.toContain(button)
      expect(await again(id)).toBe(id)
    }
  })
})

describe("a customer whose code of a subscription is lost", () => {
  const subscribed = async (body: object = {}) => {
    const made = await api("POST", "/subscriptions", {
      amount: 900,
      interval: "month",
      startAt: new Date(service.time.now),
      ...body
    })
    const path = `/subscriptions/${made["id"]}`
    return { path, first: String((await api("POST", `${path}/run`))["id"]) }
  }

  it("gets another of the same run, which counts once, and is led back to the first if that is paid late", async () => {
    const { path, first } = await subscribed({ metadata: { plan: "gold" } })
    await lost(first)
    const led = new Set(await Promise.all(Array.from({ length: 4 }, () => again(first))))
    const second = [...led].find((id) => id !== first)!
    expect(await again(first)).toBe(second)
    const [was, is] = [await read(first), await read(second)]
    expect([is["amount"], is["metadata"]]).toEqual([was["amount"], was["metadata"]])
    expect((await api("GET", path))["runs"]).toBe(1)
    await simulate(first, "paid")
    expect(await statusesOf([first])).toEqual(["paid"])
    expect(await again(second)).toBe(first)
    expect(await findings()).toEqual([])
  })

  it("gets a code for the page also where the subscription makes pushes by now", async () => {
    const { path, first } = await subscribed()
    await lost(first)
    await api("PATCH", path, { kind: "phone", customer: { phone: "77001234567" } })
    const second = await again(first)
    expect(await read(second)).toMatchObject({ kind: "qr", status: "new", expiresAt: null })
    await askForCode(service, second)
    expect(await statusesOf([first, second])).toEqual(["expired", "pending"])
    expect(await findings()).toEqual([])
  })

  it("gets none of one that is paused or cancelled", async () => {
    for (const verb of ["pause", "cancel"]) {
      const { path, first } = await subscribed()
      await lost(first)
      await api("POST", `${path}/${verb}`)
      expect(await again(first)).toBe(first)
    }
  })
})
