/** What customers see of a merchant: their logo, their colour, how they are reached. */

import { Tiyn } from "@tolem/core/value/Money"
import { startAt } from "@tolem/testing/fixtures"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { PNG } from "../support/png.ts"
import { contentOf, expectPage, linksOf, readable } from "./support/markup.ts"
import { type Site, start } from "./support/site.ts"

let site: Site
beforeAll(async () => {
  site = await start()
})
afterAll(() => site.stop())

const contact = {
  phone: "77001234567",
  whatsapp: "77007654321",
  email: "shop@example.kz",
  web: "https://shop.kz/?a=1&b=2",
  address: "Алматы, <b>Әуезов</b> 1"
}
const face = { name: "Ақбота", legalName: "ЖШС Ақбота", idn: "123456789012", colour: "#D0021B", contact }
const qr = { qrUrl: "https://pay.example.kz/q/1", deepLink: "bank-app://pay/1" }
const paid = { status: "paid", paidAt: startAt + 90_000, receiptNumber: "00000017" } as const

describe("the face of a merchant", () => {
  it("is on pay pages and receipts: logo, colour, contact, name in the register", async () => {
    const { logo } = await site.dress(face, PNG)
    for (const members of [qr, { ...qr, ...paid }, { ...qr, status: "expired" }] as const) {
      const page = await site.page(members, "ru")
      expectPage(page, "ru")
      expect(page.text).toContain(`<img class="mark logo" src="/pictures/${logo}" alt=""`)
      expect(page.text).toContain("--button:#d0021b;--on-accent:#ffffff")
      const read = readable(page.text)
      for (const part of ["Ақбота", "ЖШС Ақбота, БИН/ИИН 123456789012", "shop@example.kz", "shop.kz"]) {
        expect(read).toContain(part)
      }
      expect(page.text).toContain("Алматы, &lt;b&gt;Әуезов&lt;/b&gt; 1")
      expect(linksOf(page.text)).toEqual(expect.arrayContaining(["tel:+77001234567", "https://wa.me/77007654321"]))
    }
    const { invoice } = await site.page({ ...qr, ...paid })
    const receipt = await site.get(`/receipts/${invoice.id}?lang=kk`)
    expectPage(receipt, "kk")
    expect(readable(receipt.text)).toContain("123456789012")
    expect(readable(receipt.text)).toContain("Бұл фискалдық чек емес.")
  })

  it("is served as a picture that can be nothing else", async () => {
    const { logo } = await site.dress(face, PNG)
    const answer = await site.get(`/pictures/${logo}`)
    expect(answer.status).toBe(200)
    const headers = Object.fromEntries(answer.headers)
    expect(headers).toMatchObject({
      "content-type": "image/png",
      "x-content-type-options": "nosniff",
      "cross-origin-resource-policy": "cross-origin",
      "cache-control": "public, max-age=31536000, immutable"
    })
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'.*sandbox$/)
    for (const name of ["x", "0".repeat(40), `${logo}x`, "..%2f"]) {
      expect((await site.get(`/pictures/${name}`)).status).toBe(404)
    }
  })

  it("leads on from an invoice that came to nothing", async () => {
    await site.dress({ ...face, returnUrl: "https://shop.kz/back" })
    for (const status of ["expired", "failed", "cancelled"] as const) {
      const { text } = await site.page({ ...qr, status, successUrl: null, failUrl: null }, "en")
      expect(text).toContain('<a class="button second" href="https://wa.me/77007654321">WhatsApp</a>')
      expect(text).toContain('<a class="button second" href="tel:+77001234567">Call</a>')
      expect(text).toContain('href="https://shop.kz/back"')
      expect(text).not.toContain('http-equiv="refresh" content="0')
    }
  })

  it("refuses what could not be shown, and changes nothing then", async () => {
    const before = await site.dress(face)
    for (const [wanted, code] of [
      [{ name: " " }, "invalid_name"],
      [{ idn: "12345" }, "invalid_idn"],
      [{ colour: "red" }, "invalid_colour"],
      [{ colour: "#12345" }, "invalid_colour"],
      [{ contact: [] as never }, "invalid_contact"],
      [{ contact: { phone: "+77001234567" } }, "invalid_phone"],
      [{ contact: { email: "x" } }, "invalid_email"],
      [{ contact: { web: "javascript:alert(1)" } }, "invalid_url"],
      [{ contact: { address: "a\nb" } }, "invalid_address"],
      [{ returnUrl: "ftp://shop.kz" }, "invalid_url"],
      [{ version: before.version - 1, colour: "#fff" }, "organization_changed"]
    ] as const) {
      await expect(site.dress(wanted)).rejects.toMatchObject({ code })
    }
    await expect(site.dress({}, Buffer.from("<svg/>"))).rejects.toMatchObject({ code: "invalid_picture" })
    expect(await site.dress({})).toEqual(before)
    expect((await site.dress({ colour: "#ABC" })).face.colour).toBe("#aabbcc")
  })

  it("is told to messengers without anything of the customer", async () => {
    await site.dress(face)
    const customer = { name: "Aliya Customer", phone: "77019998877", email: "aliya@example.kz" }
    const { text } = await site.page({ ...qr, customer, description: "Private order" }, "ru")
    const head = contentOf(text, "head")
    expect(head).toContain('<meta property="og:title" content="1\u00a0500\u00a0₸ · Ақбота">')
    expect(head).toContain('<meta property="og:site_name" content="Ақбота">')
    expect(head).not.toMatch(/Aliya|998877|aliya|Private/)
  })
})

describe("the pay page", () => {
  it("is under 20 KB at its largest, in one request but for the logo", async () => {
    await site.dress({ ...face, name: "Ү".repeat(60), returnUrl: "https://shop.kz/back" }, PNG)
    const shop = { successUrl: "https://shop.kz/thanks?a=1&b=2", failUrl: "https://shop.kz/sorry#top" }
    const long = { description: "Ж".repeat(100), externalOrderId: "A".repeat(100), ...shop }
    // As long as those of the bank that most customers have.
    const token = "1234567890".repeat(4)
    const states = [
      qr,
      { ...qr, qrUrl: `https://pay.example.kz/${token}`, deepLink: `bank-app://pay/${token}` },
      { ...qr, mode: "sandbox", qrUrl: `https://pay.example.kz/payments/pay/inv_${"0".repeat(26)}/bank` },
      { ...qr, scannedAt: startAt },
      { ...qr, ...paid },
      { status: "new" },
      { ...qr, status: "expired" },
      { ...qr, status: "failed" }
    ]
    const sizes = []
    for (const members of states) {
      for (const lang of ["kk", "ru", "en"]) {
        const { text } = await site.page({ ...members, ...long, amount: Tiyn(9_999_999_999) } as never, lang)
        sizes.push(Buffer.byteLength(text))
      }
    }
    // With room for a longer word.
    expect(Math.max(...sizes)).toBeLessThan(20_000)
  })

  it("leads back without a script unless the visitor stays", async () => {
    const shop = { successUrl: "https://shop.kz/thanks" }
    const { invoice, text } = await site.page({ ...qr, ...paid, ...shop }, "en")
    expect(text).toContain('content="5;url=https://shop.kz/thanks"')
    expect(text).toContain('<a class="plain" href="?lang=en&amp;stay=1"')
    const stayed = await site.get(`/pay/${invoice.id}?lang=en&stay=1`)
    expect(stayed.text).not.toContain("http-equiv")
    expect(stayed.text).not.toContain("data-return")
    expect(linksOf(stayed.text)).toContain("https://shop.kz/thanks")
  })
})
