import { freshId } from "@tolem/testing/fixtures"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { languages } from "../../src/pages/Language.ts"
import { textsOf } from "../../src/pages/texts/Translations.ts"
import { attributeOf, contentOf, expectPage, readable } from "./support/markup.ts"
import { type Site, start } from "./support/site.ts"

let site: Site
beforeAll(async () => {
  site = await start()
})
afterAll(() => site.stop())

const qr = { qrUrl: "https://pay.example.kz/q/1" }
const act = async (id: string, query: string, headers: Record<string, string> = {}) => {
  const sent = { method: "POST", headers, redirect: "manual" } as const
  const answer = await fetch(`${site.url}/pay/${id}/simulate?${query}`, sent)
  return `${answer.status} ${answer.headers.get("location") ?? ""}`.trim()
}
const statusOf = async (id: string) => JSON.parse((await site.get(`/pay/${id}/status`)).text).status

describe("the sandbox's own bank", () => {
  it("is there for invoices of the sandbox only, and for no other site", async () => {
    const live = await site.put({ ...qr, mode: "live" })
    for (const id of [live.id, freshId("inv"), "inv_1"]) {
      expect((await site.get(`/pay/${id}/bank`)).status).toBe(404)
      expect(await act(id, "outcome=paid")).toBe("404")
    }
    expect(await statusOf(live.id)).toBe("pending")
    const own = await site.put(qr)
    expect((await site.get(`/pay/${own.id}/bank`)).status).toBe(200)
    expect((await site.get(`/pay/${own.id}/bank`, {}, "HEAD")).status).toBe(200)
    for (const foreign of [{ "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      expect(await act(own.id, "outcome=paid", foreign)).toBe("403")
    }
    for (const nonsense of ["", "outcome=refunded", "outcome=__proto__"]) {
      expect(await act(own.id, `${nonsense}&lang=en`)).toBe(`303 ../${own.id}?lang=en`)
    }
    expect(await statusOf(own.id)).toBe("pending")
    expect(await act(own.id, "outcome=paid&from=bank&lang=ru")).toBe("303 bank?lang=ru")
    expect(await statusOf(own.id)).toBe("paid")
    expect(await act(own.id, "outcome=failed&lang=ru")).toBe(`303 ../${own.id}?lang=ru`)
    expect(await statusOf(own.id)).toBe("paid")
  })

  it("asks for a confirmation in each language, and shows what became of it", async () => {
    for (const language of languages) {
      const { bank, panel } = textsOf(language)
      const { text, invoice } = await site.page(qr, language)
      expect(readable(text)).toContain(panel.title)
      const page = await site.get(`/pay/${invoice.id}/bank?lang=${language}`)
      expectPage(page, language)
      expect(contentOf(page.text, "h1")).toBe(bank.question)
      expect(readable(page.text)).toContain("Дастархан & Co")
      const [, path] = attributeOf(page.text, "formaction")?.split("?") ?? []
      expect(await act(invoice.id, path ?? "")).toBe(`303 bank?lang=${language}`)
      const paid = await site.get(`/pay/${invoice.id}/bank?lang=${language}`)
      expect(contentOf(paid.text, "h1")).toBe(bank.over.paid)
      expect(paid.text).not.toContain("<form")
    }
    expect(readable((await site.page({ ...qr, mode: "live" })).text)).not.toContain(textsOf("en").panel.title)
  })
})
