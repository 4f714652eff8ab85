import { InvoiceCommand, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { Tiyn } from "@tolem/core/value/Money"
import { startAt } from "@tolem/testing/fixtures"
import { create } from "qrcode"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { languages } from "../../src/pages/Language.ts"
import { textsOf } from "../../src/pages/texts/Translations.ts"
import { contentOf, expectPage, linksOf, readable } from "./support/markup.ts"
import { type Site, start } from "./support/site.ts"

let site: Site
beforeAll(async () => {
  site = await start()
})
afterAll(() => site.stop())

const paid = { status: "paid", paidAt: startAt + 90_000, receiptNumber: "00000017" } as const

describe("the receipt", () => {
  it("says in every language who got how much, when, for what, and what was given back", async () => {
    const members = { ...paid, description: "Екі кофе", externalOrderId: "A-17" }
    const { id } = await site.put({ ...members, status: "partially_refunded", refunded: Tiyn(50_050) })
    for (const language of languages) {
      const page = await site.get(`/receipts/${id}?lang=${language}`)
      expect(page.status).toBe(200)
      expectPage(page, language)
      const texts = textsOf(language)
      const read = readable(page.text)
      const parts = [
        "00000017",
        "Дастархан & Co",
        "ЖШС Дастархан",
        "Екі кофе",
        "A-17",
        "1\u00a0500\u00a0₸",
        "500,50\u00a0₸",
        "999,50\u00a0₸",
        "05:01",
        texts.receiptStates.partially_refunded,
        texts.almatyTime,
        "sandbox"
      ]
      for (const part of parts) expect(read).toContain(part)
      expect(contentOf(page.text, "h1")).toBe(texts.receipt)
    }
    expect((await site.get(`/receipts/${id}`)).text).toContain("@media print")
  })

  it("of money that stayed speaks of no refund, and leads to the provider's receipt", async () => {
    const { id } = await site.put({ ...paid, mode: "live", providerReceiptUrl: "https://provider.kz/r/1?a=b&c=d" })
    const { text } = await site.get(`/receipts/${id}?lang=en`)
    expect(readable(text)).not.toMatch(/Refunded|Remaining|sandbox/)
    expect(linksOf(text)).toContain("https://provider.kz/r/1?a=b&c=d")
  })

  it("exists for paid and refunded invoices only", async () => {
    for (const status of InvoiceStatus.literals) {
      const receipted = status === "paid" || status === "refunded" || status === "partially_refunded"
      const { id } = await site.put({ ...paid, status })
      expect((await site.get(`/receipts/${id}`)).status).toBe(receipted ? 200 : 404)
    }
  })
})

describe("the image of the code", () => {
  it("holds the invoice's link, module by module, on white", async () => {
    for (const qrUrl of ["https://pay.kz/q", `https://pay.kz/${"Ұ?&<>".repeat(60)}`]) {
      const { id } = await site.put({ qrUrl })
      const image = await site.get(`/pay/${id}/qr.svg`)
      expect(image.status).toBe(200)
      expect(image.headers.get("content-type")).toBe("image/svg+xml")
      expect(image.headers.get("cache-control")).toBe("public, max-age=60")
      expect(image.headers.get("cross-origin-resource-policy")).toBe("cross-origin")
      expect(image.headers.get("content-security-policy")).toMatch(
        /^default-src 'none';.* frame-ancestors 'none'; sandbox$/
      )
      expect(image.headers.get("x-frame-options")).toBe("DENY")
      const { size, data } = create(qrUrl, { errorCorrectionLevel: "M" }).modules
      expect(matrixOf(image.text, size)).toEqual([...data])
      expect(image.text).toContain(`viewBox="-4 -4.5 ${size + 8} ${size + 8}"`)
      const page = await site.get(`/pay/${id}`)
      expect(matrixOf(page.text, size)).toEqual([...data])
    }
  })

  it("is missing where the invoice has no code, or one too long to draw", async () => {
    for (const members of [
      { qrUrl: null },
      { kind: "phone" },
      { qrUrl: `https://pay.kz/${"x".repeat(5000)}` }
    ] as const) {
      const { id } = await site.put(members)
      expect((await site.get(`/pay/${id}/qr.svg`)).status).toBe(404)
      expect((await site.get(`/pay/${id}`)).status).toBe(200)
    }
  })
})

/** The modules that the strokes of the drawing darken. */
const matrixOf = (svg: string, size: number): ReadonlyArray<number> => {
  const matrix = new Array<number>(size * size).fill(0)
  const path = /<path stroke="#000" d="([^"]*)"/.exec(svg)?.[1] ?? ""
  for (const [, start, y, strokes = ""] of path.matchAll(/M(\d+) (\d+)([^M]*)/g)) {
    let at = Number(y) * size + Number(start)
    for (const [, gap = "0", length] of strokes.matchAll(/(?:m(\d+) 0)?h(\d+)/g)) {
      at += Number(gap)
      matrix.fill(1, at, at + Number(length))
      at += Number(length)
    }
  }
  return matrix
}

describe("the status", () => {
  it("is what the invoice's is at the moment, its window, and no more", async () => {
    const invoice = await site.put({ qrUrl: "https://pay.kz/q" })
    const status = async () => {
      const answer = await site.get(`/pay/${invoice.id}/status`)
      expect(answer.headers.get("cache-control")).toBe("no-store")
      expect(answer.headers.get("content-type")).toBe("application/json")
      return JSON.parse(answer.text)
    }
    const window = { expiresAt: "2026-01-01T00:03:00.000Z", leftMs: 180_000 }
    const seen = expect.any(String)
    expect(await status()).toEqual({ status: "pending", ...window, seen })
    await site.change(invoice, InvoiceCommand.Pay({ paidAt: startAt }))
    expect(await status()).toEqual({ status: "paid", ...window, seen })
    const { id } = await site.put({ status: "new", expiresAt: null })
    expect(JSON.parse((await site.get(`/pay/${id}/status`)).text)).toEqual({
      status: "new",
      expiresAt: null,
      leftMs: null,
      seen
    })
  })
})
