import { noFace, type Seller } from "@tolem/core/face/MerchantFace"
import type { Invoice } from "@tolem/core/invoice/Invoice"
import { invoiceOf, startAt } from "@tolem/testing/fixtures"
import { describe, expect, it } from "vitest"
import { documentOf } from "../../src/pages/Layout.ts"
import { payPage } from "../../src/pages/PayPage.ts"
import { seenOf } from "../../src/pages/PayState.ts"
import { receiptPage } from "../../src/pages/ReceiptPage.ts"
import { type History, open, type Reply } from "./support/browser.ts"

const seller: Seller = { name: null, legalName: null, idn: null, face: noFace, logo: null }

const pageOf = (members: Partial<Invoice> = {}) => {
  const invoice = invoiceOf({ qrUrl: "https://pay.kz/q", deepLink: "bank-app://pay/1", ...members })
  const paths = {
    codePath: "/pay/x/code",
    againPath: "/pay/x/again",
    statusPath: "/pay/x/status",
    changesPath: "/pay/x/changes",
    simulatePath: "/pay/x/simulate",
    bankPath: "/pay/x/bank",
    receiptPath: "/receipts/x"
  }
  const own = { logoPath: null, theme: null, previewUrl: null, stays: false, link: null }
  const view = { invoice, seller, qr: null, ...own, ...paths }
  return documentOf(payPage({ ...view, now: startAt, language: "en" }), "en")
}
const seen = seenOf(invoiceOf({}))
const status = `/pay/x/status?seen=${seen}`
/** Still pending, with so much time left, where the server tells it. */
const pending = (leftMs: number | null = null): Reply => ({ status: 200, body: { seen, leftMs } })
/** The visitor's clock is wrong by years. */
const wrongClock = 12_345_678

describe("the countdown", () => {
  it("runs by the time that the server says is left, whatever the visitor's clock shows", async () => {
    const browser = open(pageOf(), wrongClock, () => undefined)
    expect(browser.part("clock").hidden).toBe(false)
    expect(browser.part("left").textContent).toBe("3:00")
    await browser.wait(61_000)
    expect(browser.part("left").textContent).toBe("1:59")
    expect(browser.part("bar").style["transform"]).toMatch(/^scaleX\(0\.66/)
    expect([...browser.main.classes]).toEqual([])
    await browser.wait(90_000)
    expect([...browser.main.classes]).toEqual(["soon"])
    await browser.wait(60_000)
    expect(browser.part("left").textContent).toBe("0:00")
    expect([...browser.main.classes]).toEqual(["over"])
  })

  it("says at its end that the outcome is being looked for", async () => {
    const browser = open(pageOf(), wrongClock, () => pending())
    await browser.wait(1000)
    expect(browser.part("live").textContent).toBe("This page updates by itself when the payment arrives")
    await browser.wait(180_000)
    expect(browser.part("live").textContent).toContain("checking whether the payment went through")
  })

  it("is set right by the server after the device slept", async () => {
    const browser = open(pageOf(), wrongClock, () => pending(80_000))
    await browser.wait(2750)
    expect(browser.part("left").textContent).toBe("1:20")
  })

  it("counts the last hour of a pushed invoice", () => {
    const browser = open(pageOf({ kind: "phone", expiresAt: startAt + 3_599_000 }), wrongClock)
    expect(browser.part("left").textContent).toBe("59:59")
  })
})

describe("the status", () => {
  it("is asked for every two and a half seconds, and loads the page anew when it is another", async () => {
    let now = seen
    const browser = open(pageOf(), wrongClock, () => ({ status: 200, body: { seen: now, leftMs: null } }))
    await browser.wait(7_600)
    expect(browser.asked).toEqual([status, status, status])
    expect(browser.visited).toEqual([])
    now = "paid-none-0"
    await browser.wait(2500)
    expect(browser.visited).toEqual(["reload"])
  })

  it("is no other where a server of an earlier version does not say all that the page knows", async () => {
    const scanned = pageOf({ scannedAt: startAt })
    const told = (word: string) =>
      open(scanned, wrongClock, () => ({ status: 200, body: { seen: word, leftMs: null } }))
    const same = told(seen)
    await same.wait(30_000)
    expect(same.visited).toEqual([])
    expect(same.asked[0]).toBe(`${status}-scanned`)
    const paid = told("paid-none-0")
    await paid.wait(2500)
    expect(paid.visited).toEqual(["reload"])
  })

  it("loads the page anew once in ten seconds only for the same word, and at once for another", async () => {
    const history: History = { state: null }
    let time = wrongClock
    const reloadsWithin = async (ms: number, word: string) => {
      const browser = open(pageOf(), time, () => ({ status: 200, body: { seen: word, leftMs: null } }), {}, history)
      await browser.wait(ms)
      time += ms
      return browser.visited.length
    }
    expect(await reloadsWithin(2500, `${seen}-scanned`)).toBe(1)
    expect(await reloadsWithin(2500, `${seen}-scanned`)).toBe(0)
    expect(await reloadsWithin(2500, "paid-none-0")).toBe(1)
    expect(await reloadsWithin(2500, `${seen}-scanned`)).toBe(0)
    expect(await reloadsWithin(2500, `${seen}-scanned`)).toBe(1)
    // A page that waits gets there by itself.
    expect(await reloadsWithin(10_500, `${seen}-scanned`)).toBe(1)
  })

  it("does not load the page anew while there is no network to load it by, and does once there is", async () => {
    const browser = open(pageOf(), wrongClock, () => ({ status: 200, body: { seen: "paid-none-0", leftMs: null } }))
    browser.navigator.onLine = false
    await browser.wait(60_000)
    expect(browser.visited).toEqual([])
    browser.navigator.onLine = true
    await browser.wait(3_000)
    expect(browser.visited[0]).toBe("reload")
  })

  it("is not asked for while the page is hidden, and at once when it is shown again", async () => {
    const browser = open(pageOf(), wrongClock, () => pending())
    browser.document.hidden = true
    await browser.wait(60_000)
    expect(browser.asked).toHaveLength(0)
    browser.document.hidden = false
    await browser.tell("visibilitychange")
    expect(browser.asked).toHaveLength(1)
    await browser.wait(2500)
    expect(browser.asked).toHaveLength(2)
  })

  it("is asked for ever more slowly while the network is down, which the page says", async () => {
    let reply: Reply
    const browser = open(pageOf(), wrongClock, () => reply)
    await browser.wait(2500)
    expect(browser.part("live").textContent).toBe("No connection. Trying again…")
    await browser.wait(57_500)
    expect(browser.asked).toHaveLength(4)
    reply = pending()
    await browser.tell("online")
    expect(browser.asked).toHaveLength(5)
    expect(browser.part("live").textContent).toBe("This page updates by itself when the payment arrives")
    await browser.wait(2500)
    expect(browser.asked).toHaveLength(6)
  })

  it("is not asked for before the time that the server names when it is too much", async () => {
    const browser = open(pageOf(), wrongClock, () => ({ status: 429, headers: { "retry-after": "43" } }))
    await browser.wait(2500)
    await browser.wait(42_999)
    expect(browser.asked).toHaveLength(1)
    await browser.wait(1)
    expect(browser.asked).toHaveLength(2)
  })

  it("is loaded anew when the browser shows a page that it kept", async () => {
    const browser = open(pageOf({ status: "failed" }), wrongClock)
    await browser.tell("pageshow", { persisted: false })
    expect(browser.visited).toEqual([])
    await browser.tell("pageshow", { persisted: true })
    expect(browser.visited).toEqual(["reload"])
  })
})

describe("the code of a waiting invoice", () => {
  const waiting = { status: "new", stage: "waits", qrUrl: null, deepLink: null, expiresAt: null } as const
  const page = () => pageOf(waiting)
  const demand = "POST /pay/x/code"
  const made = (made: boolean): Reply => ({ status: made ? 200 : 202, body: { made } })

  it("is asked for at once, and shown as soon as it is made", async () => {
    const browser = open(page(), wrongClock, () => made(true))
    await browser.tell("x")
    expect(browser.asked).toEqual([demand])
    expect(browser.visited).toEqual(["reload"])
    expect(browser.part("code").hidden).toBe(true)
  })

  it("is not asked for in a tab behind others, or in a page that is loaded ahead, before it is looked at", async () => {
    for (const [state, event] of [
      ["hidden", "visibilitychange"],
      ["prerendering", "prerenderingchange"]
    ] as const) {
      const browser = open(page(), wrongClock, () => made(true), { [state]: true })
      await browser.wait(2000)
      expect(browser.asked).not.toContain(demand)
      browser.document[state] = false
      await browser.tell(event)
      expect(browser.asked).toContain(demand)
    }
  })

  it("is asked for again, ever more slowly, and at last by a button only", async () => {
    const replies = (asked: string): Reply =>
      asked === demand ? made(false) : { status: 200, body: { seen: "new-none-0", leftMs: null } }
    const browser = open(page(), wrongClock, replies)
    await browser.wait(1)
    expect(browser.part("live").textContent).toBe("One moment, this page updates by itself.")
    await browser.wait(125_000)
    expect(browser.asked.filter((one) => one === demand)).toHaveLength(5)
    expect(browser.part("code").hidden).toBe(false)
    expect(browser.part("live").textContent).toBe("The seller cannot take this payment now")
  })

  it("is left to the button where it is refused, and comes later where that was too often", async () => {
    const refused = open(page(), wrongClock, () => ({ status: 403 }))
    await refused.wait(1)
    expect(refused.part("code").hidden).toBe(false)
    let reply: Reply = { status: 429, headers: { "retry-after": "30" } }
    const often = open(page(), wrongClock, (asked) => (asked === demand ? reply : undefined))
    await often.wait(1)
    reply = made(true)
    await often.wait(29_000)
    expect(often.visited).toEqual([])
    await often.wait(1_000)
    expect(often.visited).toEqual(["reload"])
  })
})

describe("the return to the seller", () => {
  const paid = { status: "paid", successUrl: "https://shop.kz/thanks" } as const

  it("happens after five seconds that the page counts, and leaves no way back to it", async () => {
    const browser = open(pageOf(paid), wrongClock)
    expect(browser.part("seconds").hidden).toBe(false)
    await browser.wait(4_999)
    expect(browser.part("seconds").textContent).toBe(1)
    expect(browser.visited).toEqual([])
    await browser.wait(60_000)
    expect(browser.visited).toEqual(["https://shop.kz/thanks"])
  })

  it("does not happen to a visitor who would rather stay", async () => {
    const browser = open(pageOf(paid), wrongClock)
    expect(browser.part("stay").hidden).toBe(false)
    browser.part("stay").click()
    await browser.wait(60_000)
    expect(browser.visited).toEqual([])
    for (const part of ["stay", "seconds", "soon"]) expect(browser.part(part).hidden).toBe(true)
  })
})

describe("the receipt", () => {
  it("is printed at the press of a button", () => {
    const invoice = invoiceOf({ status: "paid", paidAt: startAt, receiptNumber: "1" })
    const page = receiptPage({
      invoice,
      seller,
      logoPath: null,
      theme: null,
      thankYou: null,
      refunds: [],
      language: "en"
    })!
    const browser = open(documentOf(page, "en"), wrongClock)
    expect(browser.part("print").hidden).toBe(false)
    browser.part("print").click()
    expect(browser.visited).toEqual(["print"])
  })
})
