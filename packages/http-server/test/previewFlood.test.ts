/** Images for messengers under a flood: one who asks for too many is refused, and pages do not wait for images. */
import { defaults } from "@tolem/core/engine/Settings"
import { PictureMaker } from "@tolem/core/picture/PictureMaker"
import { Deferred, Effect, Layer } from "effect"
import { IpNetwork } from "effect/net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "./support/calls.ts"
import { type Key, type Service, start } from "./support/service.ts"

const pagesPerMinute = 6

let service: Service
let key: Key
/** Drawings that were asked for, each of which waits for the gate. */
let drawings = 0
const gate = Deferred.makeUnsafe<void>()
const maker = Layer.succeed(PictureMaker, {
  remake: () => Effect.never,
  canDraw: Effect.succeed(true),
  draw: () =>
    Effect.suspend(() => {
      drawings++
      return Effect.as(Deferred.await(gate), new Uint8Array([0x89, 0x50, 0x4e, 0x47]))
    })
})
beforeAll(async () => {
  const trustedProxies = [IpNetwork.fromStringUnsafe("127.0.0.0/8")]
  const settings = {
    pagesPerMinute,
    visitors: { ...defaults.visitors, invoicesPerMinute: 1e9, invoicesOfOrganizationPerMinute: 1e9 }
  }
  service = await start({ trustedProxies, pictures: maker, settings, now: Date.UTC(2026, 0, 2) })
  key = await service.key()
})
afterAll(() => service.stop())

const linkOf = async (title: string) => {
  const { body } = await call(service, "POST", "/api/v1/payment-links", { key, body: { title, amount: 500 } })
  return String(body["slug"])
}
const ask = (address: string, path: string) =>
  fetch(`${service.url}${path}`, {
    headers: { "x-forwarded-for": address, "user-agent": "WhatsApp/2.24", accept: "text/html" }
  })

describe("images for messengers", () => {
  it("are drawn once for all who ask, keep no page waiting, and make no code", async () => {
    const slug = await linkOf("Tea")
    const { invoiceId } = (await call(service, "POST", `/l/${slug}`)).body
    const others = await Promise.all(["Milk", "Salt", "Bread"].map(linkOf))
    const bots = Array.from({ length: 5 }, (_, index) => `10.0.0.${index}`)
    const images = [
      ...bots.map((bot) => ask(bot, `/l/${slug}/preview.png`)),
      ...others.map((one) => ask("10.0.0.9", `/l/${one}/preview.png`)),
      ask("10.0.0.9", `/pay/${invoiceId}/preview.png`)
    ]
    // While nothing is drawn, people see their pages.
    for (const path of [`/l/${slug}`, `/pay/${invoiceId}`]) expect((await ask("10.1.0.1", path)).status).toBe(200)
    const status = await call(service, "GET", `/api/v1/invoices/${invoiceId}`, { key })
    expect(status.body["status"]).toBe("new")
    await expect.poll(() => drawings).toBe(1 + others.length)
    await service.run(Deferred.succeed(gate, undefined))
    const answers = await Promise.all(images)
    expect(answers.map((answer) => answer.status)).toEqual(Array(images.length).fill(200))
    // The same facts make the same image: that of the invoice is that of its link.
    expect(answers.at(-1)?.headers.get("etag")).toBe(answers[0]?.headers.get("etag"))
    expect(drawings).toBe(1 + others.length)
  })

  it("are refused to one who asks for many, whose pages are not", async () => {
    const slugs = await Promise.all(Array.from({ length: pagesPerMinute + 3 }, (_, index) => linkOf(`Tea ${index}`)))
    const before = drawings
    const statuses: Array<number> = []
    for (const slug of slugs) statuses.push((await ask("10.2.0.1", `/l/${slug}/preview.png`)).status)
    expect(statuses).toEqual([...Array(pagesPerMinute).fill(200), 429, 429, 429])
    expect(drawings - before).toBe(pagesPerMinute)
    const refused = await ask("10.2.0.1", `/l/${slugs[0]}/preview.png`)
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await ask("10.2.0.1", `/l/${slugs[0]}`)).status).toBe(200)
    expect((await ask("10.2.0.2", `/l/${slugs[0]}/preview.png`)).status).toBe(200)
  })
})
