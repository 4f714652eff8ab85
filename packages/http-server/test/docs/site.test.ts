/** The documentation: every page is there in both languages, whole and small, and what it says is so. */
import { gzipSync } from "node:zlib"
import { defaults } from "@tolem/core/engine/Settings"
import { catalog } from "@tolem/core/error/ErrorCatalog"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { contentOf } from "../../src/docs/Content.ts"
import { docLanguages, pages } from "../../src/docs/Site.ts"
import { call } from "../support/calls.ts"
import { type Service, start } from "../support/service.ts"

const settings = { baseUrl: "https://pay.example.kz/payments", writesPerMinute: 123 }
/** No page is to take longer than a moment on a slow phone. */
const mostIndexBytes = 20_000
const mostBytes = 60_000
/** All changes since the last release are one page of text, which is sent in a third of its bytes. */
const mostChangeBytes = 120_000

let service: Service
beforeAll(async () => {
  service = await start({ settings })
})
afterAll(() => service.stop())

const get = (path: string, headers = {}) => call(service, "GET", path, { headers })
const addresses = docLanguages.flatMap((language) =>
  pages.map(({ slug }) => `/docs/${language}${slug === "index" ? "" : `/${slug}`}`)
)

describe("every page", () => {
  it("is small, whole, and leads only to what there is", async () => {
    const targets = new Set<string>()
    const anchors = new Map<string, string>()
    for (const address of addresses) {
      const { status, headers, text } = await get(address)
      expect([address, status, headers.get("content-type")]).toEqual([address, 200, "text/html; charset=utf-8"])
      const most = address.endsWith("/changelog") ? mostChangeBytes : mostBytes
      expect([address, Buffer.byteLength(text) < most]).toEqual([address, true])
      expect(text.match(/<h1/g), address).toHaveLength(1)
      const main = text.slice(text.indexOf("<main"), text.indexOf("</main>"))
      expect(main.match(/\{\{|undefined|\[object|@(code|chart|errors|states)\b/), address).toBeNull()
      expect(text, address).not.toMatch(/<(script|link|img)[^>]+(src|href)=["']?https?:/)
      expect(headers.get("content-language")).toBe(address.split("/")[2])
      anchors.set(address, text)
      for (const [, href = ""] of text.matchAll(/<a[^>]*? href="([^"]*)"/g)) {
        if (!href.startsWith("https://www.")) targets.add(href.startsWith("#") ? `/payments${address}${href}` : href)
      }
    }
    expect(targets.size).toBeGreaterThan(100)
    for (const target of targets) {
      expect(target).toMatch(/^\/payments\//)
      const [path = "", anchor] = target.replace("/payments", "").split("#")
      const { status } = anchors.has(path) ? { status: 200 } : await get(path)
      expect([target, status]).toEqual([target, 200])
      if (anchor !== undefined) expect(anchors.get(path), target).toContain(`id="${decodeURIComponent(anchor)}"`)
    }
  })

  it("is there as Markdown too, with charts that others draw", async () => {
    for (const language of docLanguages) {
      for (const { slug, title } of pages) {
        const { status, headers, text } = await get(`/docs/${language}/${slug}.md`)
        expect([slug, status, headers.get("content-type")]).toEqual([slug, 200, "text/markdown; charset=utf-8"])
        expect(text, slug).toMatch(/^# /)
        expect(text, slug).not.toMatch(/\{\{|^@/m)
        expect(title[language]).not.toBe("")
      }
    }
    expect((await get("/docs/en/states.md")).text).toContain("```mermaid\nstateDiagram-v2\n  [*] --> new")
    const list = await get("/llms.txt")
    const named = [...list.text.matchAll(/\(https:\/\/pay\.example\.kz\/payments(\/docs\/[^)]+\.md)\)/g)]
    expect(named).toHaveLength(2 * pages.length)
    for (const [, path = ""] of named) expect((await get(path)).status).toBe(200)
  })

  it("says everything in its own language", () => {
    const missing: Array<string> = []
    const content = contentOf(defaults, (english) => missing.push(english))
    for (const page of pages) {
      const [en, ru] = [content(page, "en"), content(page, "ru")]
      expect(ru.match(/[а-яё]/gi)?.length ?? 0, page.slug).toBeGreaterThan(60)
      expect(en.replaceAll(/[А-Яа-яёӘәҒғҚқҢңӨөҰұҮүҺһІі]/g, "").length / en.length > 0.6, page.slug).toBe(true)
      // The same sections, the same code: what one says, the other says.
      const shape = (text: string) => text.match(/^(#+ |```\w*|\|---)/gm)
      expect(shape(ru), page.slug).toEqual(shape(en))
    }
    expect(missing).toEqual([])
  })

  it("of a guide has its reader keep what its calls name", () => {
    const content = contentOf(defaults)
    for (const page of pages.filter(({ tags }) => tags === undefined)) {
      for (const language of docLanguages) {
        const kept = new Set(["TOLEM_KEY"])
        for (const [, block = ""] of content(page, language).matchAll(/^```sh.*\n([\s\S]*?)\n```$/gm)) {
          if (block.startsWith("export ")) for (const [, name = ""] of block.matchAll(/([A-Z_]+)=/g)) kept.add(name)
          for (const [, name = ""] of block.matchAll(/\$([A-Z_]+)/g)) {
            expect([...kept], `${language} ${page.slug}`).toContain(name)
          }
        }
      }
    }
  })
})

describe("the documentation", () => {
  it("begins in the visitor's language, and names the numbers of this service", async () => {
    const english = await get("/docs", { "accept-language": "en-GB,en" })
    const russian = await get("/docs", { "accept-language": "kk,ru;q=0.9" })
    expect([english, russian].map(({ headers }) => headers.get("content-language"))).toEqual(["en", "ru"])
    expect(english.headers.get("vary")).toContain("Accept-Language")
    expect((await get("/docs/en/limits")).text).toContain("<td>123</td>")
    expect((await get("/docs/en/quickstart")).text).toContain("https://pay.example.kz/payments/api/v1/invoices")
    expect((await get("/docs/kk")).status).toBe(404)
    expect((await get("/docs/en/nothing")).status).toBe(404)
  })

  it("lists every error code in both languages", async () => {
    for (const language of docLanguages) {
      const { text } = await get(`/docs/${language}/errors.md`)
      for (const [code, entry] of Object.entries(catalog)) {
        expect(text).toContain(`| ${entry.status} | \`${code}\` | ${entry[language]} |`)
      }
    }
  })

  it("has an index for its search that leads to every section", async () => {
    for (const language of docLanguages) {
      const { text, body } = await get(`/docs/${language}/search.json`)
      // Loaded at the first search only, and compressed.
      expect(gzipSync(text).length).toBeLessThan(mostIndexBytes)
      const entries = [...body].map(({ t, u }) => ({ t: String(t), u: String(u) }))
      expect(entries.length).toBeGreaterThan(100)
      for (const { t, u } of entries)
        expect([t, u]).toEqual([expect.stringMatching(/\S/), expect.not.stringMatching(/#$/)])
      expect(entries.some(({ u }) => u === `/docs/${language}/webhooks`)).toBe(true)
    }
  })
})
