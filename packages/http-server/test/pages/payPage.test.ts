import { type Invoice, InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { Tiyn } from "@tolem/core/value/Money"
import { fullInvoiceOf, startAt } from "@tolem/testing/fixtures"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { languages } from "../../src/pages/Language.ts"
import { textsOf } from "../../src/pages/texts/Translations.ts"
import { attributeOf, contentOf, expectPage, linksOf, readable, tagsOf } from "./support/markup.ts"
import { type Site, start } from "./support/site.ts"

let site: Site
beforeAll(async () => {
  site = await start()
})
afterAll(() => site.stop())

const qr = { qrUrl: "https://pay.example.kz/q/1", deepLink: "bank-app://pay/1" }
const paid = { status: "paid", paidAt: startAt + 90_000, receiptNumber: "00000017" } as const
const shop = { successUrl: "https://shop.kz/thanks?a=1&b=2", failUrl: "https://shop.kz/sorry#top" }

const membersOf = (status: InvoiceStatus): Partial<Invoice> => {
  if (status === "new") return { status, expiresAt: null }
  if (status === "paid") return { ...qr, ...paid }
  if (status === "refunded") return { ...qr, ...paid, status, refunded: Tiyn(150_000) }
  if (status === "partially_refunded") return { ...qr, ...paid, status, refunded: Tiyn(50_050) }
  return { ...qr, status }
}

const headings: Readonly<Record<InvoiceStatus, "preparing" | "scan" | Exclude<InvoiceStatus, "new" | "pending">>> = {
  new: "preparing",
  pending: "scan",
  paid: "paid",
  failed: "failed",
  expired: "expired",
  cancelled: "cancelled",
  refunded: "refunded",
  partially_refunded: "partially_refunded"
}

describe("the pay page", () => {
  for (const status of InvoiceStatus.literals) {
    for (const language of languages) {
      it(`says that an invoice is ${status} in the language ${language}`, async () => {
        const members = { ...membersOf(status), description: "Екі кофе", externalOrderId: "A-17" }
        const page = await site.page(members, language)
        const texts = textsOf(language)
        expect(page.status).toBe(200)
        expectPage(page, language)
        expect(contentOf(page.text, "h1")).toBe(texts.states[headings[status]].title)
        expect(contentOf(page.text, "title")).toBe(`1\u00a0500\u00a0₸ · ${texts.states[headings[status]].title}`)
        const read = readable(page.text)
        for (const part of ["Дастархан & Co", "Екі кофе", "A-17", texts.order]) expect(read).toContain(part)
        expect(page.text.replace(/<\/?small>/g, "")).toContain(">1\u00a0500\u00a0₸</p>")
        expect(read.includes("00000017")).toBe(page.invoice.receiptNumber !== null)
        expect(linksOf(page.text).filter((link) => link.startsWith("?"))).toEqual(["?lang=kk", "?lang=ru", "?lang=en"])
      })
    }
  }

  it("is in Kazakh at first, in the visitor's language if they have one, and in the one that they choose", async () => {
    const { id } = await site.put(qr)
    expectPage(await site.get(`/pay/${id}`, { "accept-language": "de" }), "kk")
    expectPage(await site.get(`/pay/${id}`, { "accept-language": "ru-KZ,ru;q=0.9" }), "ru")
    expectPage(await site.get(`/pay/${id}?lang=en&lang=ru`, { "accept-language": "ru" }), "en")
    expect((await site.get(`/pay/${id}`)).headers.get("vary")).toBe("Accept-Language")
  })

  it("shows a code to scan, a button for the app, and the time that is left", async () => {
    site.time.now = startAt + 60_000
    const { text } = await site.page(qr)
    site.time.now = startAt
    expect(text).toContain('role="img" aria-label="QR code for the payment"')
    expect(linksOf(text)).toContain("bank-app://pay/1")
    expect(attributeOf(text, "data-clock")).toBe("120000")
    expect(attributeOf(text, "data-full")).toBe("180000")
    expect(contentOf(contentOf(text, "noscript") + text.split("</noscript>")[1], "time")).toContain("05:03")
  })

  it("has the code of a waiting invoice made by its script or a button, and never by being read", async () => {
    const waiting = { status: "new", stage: "waits", validUntil: startAt + 86_400_000, expiresAt: null } as const
    for (const language of languages) {
      const page = await site.page(waiting, language)
      expectPage(page, language)
      const texts = textsOf(language)
      expect(contentOf(page.text, "h1")).toBe(texts.states.ready.title)
      expect(contentOf(contentOf(page.text, "form"), "button")).toBe(texts.showCode)
      expect(attributeOf(page.text, "action")).toBe(`/pay/${page.invoice.id}/code?lang=${language}`)
      expect(page.text).not.toContain("http-equiv")
      expect(JSON.parse((await site.get(`/pay/${page.invoice.id}/status`)).text).status).toBe("new")
    }
    const pushed = await site.page({ ...waiting, kind: "phone" })
    expect(contentOf(pushed.text, "h1")).toBe(textsOf("en").states.preparing.title)
  })

  it("sends the customer of a pushed invoice to their app, and has no code", async () => {
    const page = await site.page({ kind: "phone", expiresAt: startAt + 86_400_000, customer: customer })
    expectPage(page)
    expect(contentOf(page.text, "h1")).toBe("Open the payment app on your phone")
    expect(page.text).not.toContain('class="qr"')
    expect(attributeOf(page.text, "data-clock")).toBeNull()
    const read = readable(page.text)
    expect(read).toContain("+7\u00a0700\u00a0•••\u00a045\u00a067")
    expect(read).toMatch(/Pay by \d+ \w+ \d{4} at \d\d:\d\d \(Almaty time\)/)
    const paid = await site.page({ ...membersOf("paid"), kind: "phone", customer })
    expect(readable(paid.text)).not.toContain("•••")
    const soon = await site.page({ kind: "phone", expiresAt: startAt + 3_600_000, customer })
    expect(attributeOf(soon.text, "data-clock")).toBe("3600000")
  })

  it("offers nothing to pay with once the window has passed, though the outcome is not known yet", async () => {
    const page = await site.page({ ...qr, expiresAt: startAt })
    expect(contentOf(page.text, "h1")).toBe("Time is up")
    expect(page.text).not.toContain('class="qr"')
    expect(linksOf(page.text)).not.toContain("bank-app://pay/1")
    expect(attributeOf(page.text, "data-poll")).not.toBeNull()
  })

  it("watches an invoice that can still be paid, late money included, and no other", async () => {
    const watched = async (status: InvoiceStatus) => {
      const { text, invoice } = await site.page(membersOf(status))
      const refreshed = /http-equiv="refresh"/.test(contentOf(text, "noscript"))
      const poll = attributeOf(text, "data-poll")
      expect(poll === null).toBe(!refreshed)
      if (poll !== null) {
        expect(poll).toBe(`/pay/${invoice.id}/status`)
        expect(attributeOf(text, "data-status")).toBe(status)
      }
      return poll !== null
    }
    for (const status of ["new", "pending", "expired", "cancelled"] as const) expect(await watched(status)).toBe(true)
    for (const status of ["paid", "failed", "refunded", "partially_refunded"] as const) {
      expect(await watched(status)).toBe(false)
    }
  })

  it("returns the customer to the shop, by script and without, and says so with a link", async () => {
    const cases = [
      ["paid", shop.successUrl],
      ["failed", shop.failUrl],
      ["expired", shop.failUrl],
      ["cancelled", shop.failUrl]
    ] as const
    for (const [status, url] of cases) {
      const { text } = await site.page({ ...membersOf(status), ...shop })
      const link = tagsOf(text).find((tag) => tag.includes("data-return"))
      expect(linksOf(link ?? "")).toEqual([url])
      expect(attributeOf(contentOf(text, "noscript"), "content")).toMatch(/^(5|10);url=/)
      expect(attributeOf(contentOf(text, "noscript"), "content")?.endsWith(`;url=${url}`)).toBe(true)
    }
    for (const status of ["new", "pending", "refunded", "partially_refunded"] as const) {
      expect((await site.page({ ...membersOf(status), ...shop })).text).not.toContain("shop.kz")
    }
  })

  it("names the invoice and its status to the shop where its address has a place for them", async () => {
    const places = "https://shop.kz/{INVOICE_ID}/done?s={STATUS}&i=%7bINVOICE_ID%7d&x={OTHER}#{STATUS}"
    for (const status of ["paid", "expired"] as const) {
      const { text, invoice } = await site.page({ ...membersOf(status), successUrl: places, failUrl: places })
      const link = tagsOf(text).find((tag) => tag.includes("data-return"))
      expect(linksOf(link ?? "")).toEqual([
        `https://shop.kz/${invoice.id}/done?s=${status}&i=${invoice.id}&x={OTHER}#${status}`
      ])
    }
  })

  it("leads from a paid invoice to its receipt, and shows what was given back", async () => {
    for (const status of ["paid", "refunded", "partially_refunded"] as const) {
      const { text, invoice } = await site.page(membersOf(status))
      expect(linksOf(text)).toContain(`/receipts/${invoice.id}?lang=en`)
      expect(readable(text).includes("Refunded")).toBe(status !== "paid")
    }
    expect(readable((await site.page(membersOf("partially_refunded"))).text)).toContain("500,50\u00a0₸")
    expect(linksOf((await site.page(qr)).text).filter((link) => link.includes("receipts"))).toEqual([])
  })

  it("says that no money moves in the sandbox, and only there", async () => {
    const banner = async (mode: "sandbox" | "live", lang: string) =>
      readable((await site.page({ ...qr, mode }, lang)).text).includes("sandbox")
    for (const language of languages) {
      expect(await banner("sandbox", language)).toBe(true)
      expect(await banner("live", language)).toBe(false)
    }
    expect(readable((await site.page(qr)).text)).toContain("Test / sandbox : no money moves")
  })

  it("keeps its addresses where the service is served under a prefix", async () => {
    const prefixed = await start({ settings: { baseUrl: "https://example.kz/tolem" } })
    try {
      const { text, invoice } = await prefixed.page(qr)
      expect(attributeOf(text, "data-poll")).toBe(`/tolem/pay/${invoice.id}/status`)
    } finally {
      await prefixed.stop()
    }
  })
})

const customer = { name: "Secret Name", phone: "77001234567", email: "secret@customer.kz" }

describe("what is private", () => {
  it("appears nowhere: customer, metadata, and what the merchant keeps to themselves", async () => {
    const members = {
      customer,
      metadata: '{"note":"secret-metadata"}',
      idempotencyKey: "secret-key",
      fingerprint: "secret-fingerprint",
      providerReference: "secret-reference",
      providerStatus: "secret-status",
      connectionId: "con_secret",
      receiptNumber: "R-1",
      paidAt: startAt
    }
    for (const status of InvoiceStatus.literals) {
      for (const kind of ["qr", "phone"] as const) {
        const full = fullInvoiceOf({ ...members, ...qr, status, kind, idempotencyKey: `secret-${status}-${kind}` })
        const { organizationId: _, ...rest } = full
        const { id } = await site.put(rest)
        for (const path of [`/pay/${id}`, `/pay/${id}/status`, `/pay/${id}/qr.svg`, `/receipts/${id}`]) {
          const { text, headers } = await site.get(path)
          const all = text + JSON.stringify([...headers])
          for (const secret of ["secret", "Secret", customer.phone, "org_", "77015550001"]) {
            expect(all, path).not.toContain(secret)
          }
        }
      }
    }
  })
})

describe("hostile texts", () => {
  const hostile = [
    `"><script>alert(1)</script>`,
    `'><img src=x onerror=alert(1)>`,
    `</title></style></noscript><svg onload=alert(1)>`,
    `<!--`,
    `]]><![CDATA[`,
    `" onmouseover="alert(1)" x="`,
    "&lt;script&gt; &#60;b&#62; &quot;",
    "{{7*7}} ${7*7} `x` \\u003cscript\\u003e",
    "\u202egnp.exe\u2066"
  ]

  it("change no tag of the page, and are read as they were written", async () => {
    for (const status of ["pending", "paid", "expired"] as const) {
      const members = { ...membersOf(status), mode: "live" } as const
      const harmless = await site.page({ ...members, description: "x", externalOrderId: "x" })
      for (const text of hostile) {
        const page = await site.page({ ...members, description: text, externalOrderId: text })
        expectPage(page)
        const own = (answer: typeof page) => tagsOf(answer.text).map((tag) => tag.replaceAll(answer.invoice.id, "ID"))
        expect(own(page)).toEqual(own(harmless))
        expect(readable(page.text)).toContain(text)
      }
    }
  })

  it("stay out of links where they are no address of a page or an app", async () => {
    for (const link of ["javascript:alert(1)", "javascript://x/%0aalert(1)", "data:text/html,<b>", "//evil.kz", "x"]) {
      const pay = await site.page({ ...qr, deepLink: link })
      const done = await site.page({ ...qr, ...paid, successUrl: link, providerReceiptUrl: link })
      const receipt = await site.get(`/receipts/${done.invoice.id}`)
      for (const { text } of [pay, done, receipt]) {
        for (const found of linksOf(text))
          expect(found).toMatch(/^(\/favicon\.svg$|\?lang=|\/receipts\/inv_|\/pay\/inv_)/)
        expect(contentOf(text, "noscript")).not.toContain(";url=")
      }
    }
    const { text } = await site.page({ ...qr, ...paid, successUrl: `https://shop.kz/"onclick="alert(1)#'x` })
    expect(linksOf(text)).toContain("https://shop.kz/%22onclick=%22alert(1)#'x")
    expect(tagsOf(text).join()).not.toMatch(/\sonclick=/)
  })
})
