import { defaults } from "@tolem/core/engine/Settings"
import { StorageError } from "@tolem/core/error/StorageError"
import type { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { freshId, startAt } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { describe, expect, it } from "vitest"
import { languages } from "../../src/pages/Language.ts"
import { textsOf } from "../../src/pages/texts/Translations.ts"
import { expectRefusal } from "../support/calls.ts"
import { attributeOf, contentOf, expectPage } from "./support/markup.ts"
import { type Given, pagesOf, type Site, start } from "./support/site.ts"

const withSite = async (given: Given, use: (site: Site) => Promise<void>) => {
  const site = await start(given)
  try {
    await use(site)
  } finally {
    await site.stop()
  }
}

describe("an address that leads nowhere", () => {
  it("gets the same page for whatever reason, in the visitor's language", () =>
    withSite({}, async (site) => {
      const { id } = await site.put()
      for (const language of languages) {
        const pages = [
          `/pay/${freshId("inv")}`,
          `/pay/${id.toUpperCase()}`,
          `/pay/${id}x`,
          `/pay/inv_1`,
          `/pay/${"x".repeat(500)}`,
          `/pay/${id}/more`,
          `/pay/${id}/qr.svg`,
          `/pay/${freshId("inv")}/qr.svg`,
          `/pay/${encodeURIComponent("<script>alert(1)</script>")}`,
          "/pay",
          "/receipts",
          `/receipts/${id}`,
          `/receipts/${freshId("inv")}`,
          "/receipts/%00"
        ]
        const texts = new Set<string>()
        for (const path of pages) {
          const answer = await site.get(`${path}?lang=${language}`)
          expect(answer.status, path).toBe(404)
          expectPage(answer, language)
          expect(contentOf(answer.text, "h1")).toBe(textsOf(language).notFound.title)
          texts.add(answer.text)
        }
        expect(texts.size).toBe(1)
      }
    }))

  it("has no status", () =>
    withSite({}, async (site) => {
      for (const id of [freshId("inv"), "inv_1", "x"]) {
        const answer = await site.get(`/pay/${id}/status`)
        expectRefusal(answer.status, answer.text)
        expect(JSON.parse(answer.text).error).toBe("invoice_not_found")
        expect(answer.headers.get("cache-control")).toBe("no-store")
      }
    }))

  it("does not reach the storage, unless it could be an invoice's", async () => {
    const asked: Array<string> = []
    const alter = (store: InvoiceStore["Service"]) => ({
      ...store,
      findSold: (id: string) => {
        asked.push(id)
        return store.findSold(id)
      }
    })
    await withSite({ alter }, async (site) => {
      const id = freshId("inv")
      const others = [
        "inv_",
        "evt_".concat(id.slice(4)),
        `${id}0`,
        id.slice(0, -1),
        `${id.slice(0, -1)}u`,
        "%27%20or%201=1"
      ]
      for (const other of others) {
        for (const path of [`/pay/${other}`, `/pay/${other}/status`, `/pay/${other}/qr.svg`, `/receipts/${other}`]) {
          expect((await site.get(path)).status).toBe(404)
        }
      }
      expect(asked).toEqual([])
      await site.get(`/pay/${id}`)
      expect(asked).toEqual([id])
    })
  })
})

describe("a visitor who comes too often", () => {
  it("is let in exactly as often as the limit says, over all pages, and again in the next minute", () =>
    withSite({ settings: { pagesPerMinute: 120 } }, async (site) => {
      const { id } = await site.put({ qrUrl: "https://pay.kz/q" })
      const paths = [`/pay/${id}`, `/pay/x/status`, `/pay/${id}/qr.svg`, "/receipts/x"]
      site.time.now = startAt + 17_500
      for (let i = 0; i < 120; i++) expect((await site.get(paths[i % 4]!)).status).toBe(i % 2 === 1 ? 404 : 200)
      for (const path of [paths[0]!, paths[2]!, paths[3]!]) {
        const refused = await site.get(`${path}?lang=ru`)
        expect(refused.status).toBe(429)
        expect(refused.headers.get("retry-after")).toBe("43")
        expectPage(refused, "ru")
        expect(contentOf(refused.text, "h1")).toBe("Слишком много запросов")
        expect(attributeOf(contentOf(refused.text, "head"), "content")).not.toBeNull()
        expect(refused.text).toContain('<meta http-equiv="refresh" content="43">')
      }
      const status = await site.get(paths[1]!)
      expectRefusal(status.status, status.text)
      expect(status.status).toBe(429)
      expect(status.headers.get("retry-after")).toBe("43")
      site.time.now = startAt + 59_999
      expect((await site.get(paths[0]!)).headers.get("retry-after")).toBe("1")
      site.time.now = startAt + 60_000
      expect((await site.get(paths[0]!)).status).toBe(200)
    }))

  it("may leave pages open: their questions for the status are no views, and are bounded by themselves", () => {
    const visitors = { ...defaults.visitors, statusesPerMinute: 10 }
    return withSite({ settings: { pagesPerMinute: 2, visitors } }, async (site) => {
      const { id } = await site.put()
      const statuses = Array.from({ length: 11 }, () => site.get(`/pay/${id}/status`))
      const answers = (await Promise.all(statuses)).map(({ status }) => status)
      expect(answers.toSorted()).toEqual([...Array(10).fill(200), 429])
      for (const status of [200, 200, 429]) expect((await site.get(`/pay/${id}`)).status).toBe(status)
    })
  })

  it("shares a limit with all other unknown ones", async () => {
    const visitors = { ...defaults.visitors, unknownPerMinute: 3 }
    const { pages, services } = pagesOf({ settings: { pagesPerMinute: 1, visitors } })
    const web = HttpRouter.toWebHandler(pages.pipe(Layer.provide(services), Layer.provide(HttpServer.layerServices)), {
      disableLogger: true
    })
    try {
      const statuses: Array<number> = []
      for (let i = 0; i < 4; i++) statuses.push((await web.handler(new Request("https://x.kz/pay/inv_1"))).status)
      expect(statuses).toEqual([404, 404, 404, 429])
    } finally {
      await web.dispose()
    }
  })
})

describe("a storage that is away", () => {
  it("is told as 503 with a time to come back, and without its reason, which is logged", async () => {
    const cause = new Error("secret host db.internal refused")
    const error = new StorageError({ operation: "find invoice", outcome: "nothing_written", retryable: true, cause })
    const alter = (store: InvoiceStore["Service"]) => ({ ...store, findSold: () => Effect.fail(error) })
    await withSite({ alter }, async (site) => {
      const { id } = await site.put({ qrUrl: "https://pay.kz/q" })
      for (const path of [`/pay/${id}`, `/pay/${id}/qr.svg`, `/receipts/${id}`]) {
        for (const language of languages) {
          const answer = await site.get(`${path}?lang=${language}`)
          expect(answer.status).toBe(503)
          expect(answer.headers.get("retry-after")).toBe("5")
          expectPage(answer, language)
          expect(contentOf(answer.text, "h1")).toBe(textsOf(language).unavailable.title)
          expect(answer.text).not.toContain("secret")
        }
      }
      expect(site.logs.join()).toContain("db.internal")
      const status = await site.get(`/pay/${id}/status`)
      expectRefusal(status.status, status.text)
      expect(status.status).toBe(503)
      expect(status.headers.get("retry-after")).not.toBeNull()
      expect(status.headers.get("cache-control")).toBe("no-store")
    })
  })
})

describe("HEAD", () => {
  it("is answered like GET, without a body", () =>
    withSite({}, async (site) => {
      const { id } = await site.put()
      const head = await site.get(`/pay/${id}`, {}, "HEAD")
      expect(head.status).toBe(200)
      expect(head.text).toBe("")
      expect((await site.get("/pay/x", {}, "HEAD")).status).toBe(404)
    }))
})
