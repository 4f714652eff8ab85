import { invoiceOf, startAt } from "@tolem/testing/fixtures"
import { describe, expect, it } from "vitest"
import { defaults } from "../../src/engine/Settings.ts"
import * as Letters from "../../src/letters/Letters.ts"
import type { MailKind } from "../../src/mail/Mail.ts"
import * as NewMail from "../../src/mail/NewMail.ts"

const letter = (kind: MailKind, members: Parameters<typeof invoiceOf>[0] = {}, seller = "Дастархан") => {
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
    const { subject, text, html } = letter("invoice", { description: hostile }, hostile)
    expect(html).not.toContain("<script>")
    expect(html).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;")
    for (const form of [subject, text, html]) expect(form).not.toMatch(/\r|\u202e/)
    expect(subject).not.toContain("\n")
    expect(text.split("\n").some((line) => line.startsWith("Bcc:"))).toBe(false)
    expect(letter("invoice", {}, "x".repeat(500)).subject.length).toBeLessThanOrEqual(180)
  })

  it("has nothing to be loaded from anywhere", () => {
    expect(letter("receipt").html).not.toMatch(/<img|<link|<script|url\(|@import/i)
  })
})
