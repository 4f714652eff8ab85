import { invoiceOf, startAt } from "@tolem/testing/fixtures"
import { describe, expect, it } from "vitest"
import { defaults } from "../../src/engine/Settings.ts"
import { noFace, type Seller } from "../../src/face/MerchantFace.ts"
import { contrastOf, shadesOf } from "../../src/face/Shades.ts"
import * as Letters from "../../src/letters/Letters.ts"
import type { MailKind } from "../../src/mail/Mail.ts"
import * as NewMail from "../../src/mail/NewMail.ts"

const shop: Seller = { name: "Дастархан", legalName: null, idn: null, face: noFace, logo: null }

const letter = (kind: MailKind, members: Parameters<typeof invoiceOf>[0] = {}, told: Partial<Seller> = {}) => {
  const seller = { ...shop, ...told }
  const customer = { name: null, phone: null, email: "aliya@example.kz" }
  const invoice = { ...invoiceOf({ receiptNumber: "00000042", paidAt: startAt, mode: "live", ...members }), customer }
  return Letters.render({ mail: NewMail.about(invoice, kind, "mai_1", startAt)!, invoice, seller }, defaults)
}

describe("a letter", () => {
  it("says in both languages what to pay, and where", () => {
    const { id, to, subject, text, html } = letter("invoice", { id: "inv_1", description: "Екі кофе" })
    expect([id, to]).toEqual(["mai_1", "aliya@example.kz"])
    expect(subject).toBe("Төлем шоты / Счёт на оплату: Дастархан, 1\u00a0500\u00a0₸")
    for (const part of ["Дастархан", "Екі кофе", "http://localhost:3000/pay/inv_1", "Төлеу", "Оплатить"]) {
      expect(text).toContain(part)
      expect(html).toContain(part)
    }
  })

  it("says what was paid, when in Almaty, and where the receipt is", () => {
    const { text } = letter("receipt", { id: "inv_1" })
    for (const part of ["00000042", "01.01.2026 05:00", "http://localhost:3000/receipts/inv_1"]) {
      expect(text).toContain(part)
    }
  })

  it("says of the sandbox that it is a test", () => {
    const { subject, text, html } = letter("invoice", { mode: "sandbox" })
    expect(subject).toMatch(/^\[sandbox\] /)
    for (const form of [text, html]) expect(form).toContain("Это тестовое письмо")
    expect(letter("invoice").text).not.toContain("тестовое")
  })

  it("takes what a merchant typed for text, on one line, in its own direction", () => {
    const hostile = `<script>alert("1")</script>\r\nBcc: all@example.kz\u202e`
    const { subject, text, html } = letter("invoice", { description: hostile }, { name: hostile })
    expect(html).not.toContain("<script>")
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;")
    for (const form of [subject, text, html]) expect(form).not.toMatch(/\r|\u202e/)
    expect(subject).not.toContain("\n")
    expect(text.split("\n").some((line) => line.startsWith("Bcc:"))).toBe(false)
    expect(letter("invoice", {}, { name: "x".repeat(500) }).subject.length).toBeLessThanOrEqual(180)
  })

  it("loads nothing but the seller's logo, at the address that it has in all letters", () => {
    expect(letter("receipt").html).not.toMatch(/<img|<link|<script|url\(|@import/i)
    const { html } = letter("receipt", {}, { logo: "ab".repeat(20) })
    expect(html.match(/<img[^>]*>/g)).toHaveLength(1)
    expect(html).toContain(`<img src="http://localhost:3000/pictures/${"ab".repeat(20)}" alt=""`)
  })

  it("says who sells and how they are reached, in the seller's colour, as text too", () => {
    const contact = {
      ...noFace.contact,
      phone: "77011234567",
      email: "a@b.kz",
      address: 'Абай 1, "Б" <блок>\nBcc: x@y'
    }
    const face = { ...noFace, contact, colour: "#fff000" }
    const { html, text } = letter("receipt", {}, { legalName: "ЖШС Дастархан", idn: "123456789012", face })
    for (const said of ["ЖШС Дастархан", "БСН/ЖСН: 123456789012", "БИН/ИИН: 123456789012", "+77011234567", "a@b.kz"]) {
      expect(text).toContain(said)
      expect(html).toContain(said)
    }
    expect(html).toContain("&lt;блок&gt; Bcc: x@y")
    expect(text.split("\n").some((line) => line.startsWith("Bcc:"))).toBe(false)
    const { button, onButton } = shadesOf("#fff000", "light")
    expect(html).toContain(`background:${button};color:${onButton}`)
    expect(contrastOf(button, onButton)).toBeGreaterThan(4.5)
  })
})
