/** Payment links as people see them: the page with its form, the sheet to print, the image that messengers show. */

import { Engine } from "@tolem/core/engine/Engine"
import { shadesOf } from "@tolem/core/face/Shades"
import type { OrganizationId } from "@tolem/core/value/Ids"
import {
  chromiumPath,
  needsChromium,
  type OpenBrowser,
  openBrowser,
  violationsOf
} from "@tolem/testing-harness/Browser"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { languages } from "../../src/pages/Language.ts"
import * as QrImage from "../../src/pages/QrImage.ts"
import { linkTextsOf } from "../../src/pages/texts/LinkTexts.ts"
import { call } from "../support/calls.ts"
import { PNG } from "../support/png.ts"
import { type Key, type Service, start } from "../support/service.ts"

let service: Service
let key: Key
beforeAll(async () => {
  service = await start({ settings: { pagesPerMinute: 1e9 } })
  key = await service.key()
  const { profiles } = await service.run(Engine)
  const id = key.organizationId as OrganizationId
  await service.run(profiles.change(id, { name: "Ақбота", colour: "#d0021b", contact: { whatsapp: "77007654321" } }))
  await service.run(profiles.setLogo(id, PNG))
})
afterAll(() => service?.stop())

const linkWith = async (body: object) =>
  String((await call(service, "POST", "/api/v1/payment-links", { key, body: { title: "Йога", ...body } })).body["slug"])

const everythingOnSheet = `(() => {
  const sheet = document.querySelector(".poster").getBoundingClientRect()
  const parts = [...document.querySelectorAll(".poster *")].map((one) => one.getBoundingClientRect())
  return parts.every(({ bottom, right }) => bottom <= sheet.bottom && right <= sheet.right)
})()`

describe("the image that messengers show", () => {
  it("is a picture of the right size with the seller's words, kept and not drawn again", async () => {
    const slug = await linkWith({ title: "Әңгіме құрғату: үй, өмір, һәм ғылым", amount: 3500 })
    const text = await (await fetch(`${service.url}/l/${slug}?lang=kk`, { headers: { accept: "text/html" } })).text()
    const address = /property="og:image" content="([^"]+)"/.exec(text)?.[1] ?? ""
    expect(address).toBe(`${service.settings.baseUrl}/l/${slug}/preview.png?lang=kk`)
    const image = await fetch(`${service.url}/l/${slug}/preview.png?lang=kk`)
    expect([image.status, image.headers.get("content-type")]).toEqual([200, "image/png"])
    const bytes = new Uint8Array(await image.arrayBuffer())
    const head = new DataView(bytes.buffer)
    expect([head.getUint32(16), head.getUint32(20)]).toEqual([1200, 630])
    const etag = image.headers.get("etag") ?? ""
    const held = await fetch(`${service.url}/l/${slug}/preview.png?lang=kk`, { headers: { "if-none-match": etag } })
    expect([held.status, (await held.arrayBuffer()).byteLength]).toEqual([304, 0])
    for (const unknown of ["/l/nothing-here/preview.png", "/pay/inv_0/preview.png", "/l/%00/preview.png"]) {
      expect((await fetch(`${service.url}${unknown}`)).status).toBe(404)
    }
  })

  it("opens no window of the invoice that it shows, and changes with what it tells", async () => {
    const slug = await linkWith({})
    const of = async (amount: number) => {
      const { invoiceId } = (await call(service, "POST", `/l/${slug}`, { body: { amount } })).body
      const image = await fetch(`${service.url}/pay/${invoiceId}/preview.png?lang=en`)
      const { status } = (await call(service, "GET", `/api/v1/invoices/${invoiceId}`, { key })).body
      return { image: image.status, tag: image.headers.get("etag"), status }
    }
    const [one, same, other] = [await of(5), await of(5), await of(6)]
    expect([one.image, one.status]).toEqual([200, "new"])
    expect(same.tag).toBe(one.tag)
    expect(other.tag).not.toBe(one.tag)
  })
})

describe.skipIf(chromiumPath === null)(`payment links in a browser${needsChromium}`, () => {
  let browser: OpenBrowser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it("show the seller's face in all languages and at both widths, with nothing that keeps people out", async () => {
    const slug = await linkWith({ presets: [1000, 3000], fields: { name: "required", comment: "optional" } })
    for (const [index, width] of [360, 1280].entries()) {
      const { page, troubles, close } = await browser.visitor({ width, height: 800, dark: index === 1 })
      for (const language of languages) {
        await page.goto(`${service.url}/l/${slug}?lang=${language}`)
        await page.getByText(linkTextsOf(language).choose).waitFor()
        expect(await page.locator("header.seller img").getAttribute("src")).toMatch(/^\/pictures\/[0-9a-f]{40}$/)
        await expect.poll(() => page.locator('a[href="https://wa.me/77007654321"]').count()).toBe(1)
        expect(await violationsOf(page)).toEqual([])
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
      }
      expect(troubles).toEqual([])
      await close()
    }
  })

  it("have a sheet to print, one page of its size, white by night, whose code leads to the link", async () => {
    const slug = await linkWith({
      title: "Йога таңертең, әр дүйсенбі мен сәрсенбі сайын, 18 оқушыға дейін",
      amount: 3500
    })
    for (const size of ["a4", "a6"]) {
      const { page, troubles, close } = await browser.visitor({ dark: true, fresh: true })
      for (const language of languages) {
        await page.goto(`${service.url}/l/${slug}/poster?size=${size}&lang=${language}`)
        await page.getByText(linkTextsOf(language).poster.scan).waitFor()
        await expect.poll(() => page.getByText(`localhost:3000/l/${slug}`).count()).toBe(1)
        expect(await page.evaluate("document.documentElement.scrollWidth <= innerWidth")).toBe(true)
        expect(await page.evaluate("getComputedStyle(document.querySelector('.poster')).backgroundColor")).toBe(
          "rgb(255, 255, 255)"
        )
        expect(await page.evaluate(everythingOnSheet)).toBe(true)
        expect(await violationsOf(page)).toEqual([])
      }
      // The seller's colour as it is by day; and in print nothing lies over anything else.
      const accent = await page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
      expect(accent).toBe(shadesOf("#d0021b", "light").accent)
      await page.emulateMedia({ media: "print" })
      await page.setViewportSize(size === "a4" ? { width: 794, height: 1123 } : { width: 397, height: 559 })
      const edge = (of: string, side: string) =>
        page.evaluate<number>(`document.querySelector("${of}").getBoundingClientRect().${side}`)
      expect(await edge(".sandbox", "bottom")).toBeLessThan(await edge(".poster .seller", "top"))
      await page.emulateMedia({ media: null })
      // Black on white, the code of the address itself.
      const code = String((await Effect.runPromise(QrImage.load))(`${service.settings.baseUrl}/l/${slug}`, ""))
      const drawn = await page.locator(".poster .code svg path").last().getAttribute("d")
      expect(code).toContain(`d="${drawn}"`)
      const pdf = await page.pdf({ preferCSSPageSize: true, printBackground: true })
      const boxes = [...pdf.toString("latin1").matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)]
      const millimetres = boxes.map(([, width, height]) =>
        [Number(width), Number(height)].map((at) => Math.round(at / 2.835))
      )
      expect(millimetres).toEqual([size === "a4" ? [210, 297] : [105, 148]])
      expect(troubles).toEqual([])
      await close()
    }
    const gone = await fetch(`${service.url}/l/nothing-here/poster?lang=en`)
    expect([gone.status, await gone.text()]).toEqual([410, expect.stringContaining("This payment link does not work")])
  })
})
