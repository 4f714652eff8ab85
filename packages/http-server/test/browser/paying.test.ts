/** Customers pay in a real browser. */
import {
  chromiumPath,
  needsChromium,
  type OpenBrowser,
  openBrowser,
  violationsOf
} from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { type Key, type Service, start } from "../support/service.ts"

describe.skipIf(chromiumPath === null)(`a customer in a browser${needsChromium}`, () => {
  let service: Service
  let key: Key
  let browser: OpenBrowser
  beforeAll(async () => {
    service = await start({ settings: { pagesPerMinute: 1e9 } })
    key = await service.key()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  const create = async (body: object = {}) => {
    const { body: made } = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 1500, ...body } })
    return { id: String(made["id"]), url: `${service.url}/pay/${made["id"]}` }
  }
  const simulate = (id: string, status: string) =>
    call(service, "POST", `/api/v1/invoices/${id}/simulate`, { key, body: { status } })

  /** What programs do with a link before its customer sees it. */
  const preview = async (url: string) => {
    for (const agent of ["WhatsApp/2.24.8 A", "TelegramBot (like TwitterBot)", "facebookexternalhit/1.1"]) {
      for (const method of ["HEAD", "GET"]) await fetch(url, { method, headers: { "user-agent": agent } })
    }
  }
  const waiting = async () => {
    const { body: link } = await call(service, "POST", "/api/v1/payment-links", {
      key,
      body: { title: "Шай", amount: 700 }
    })
    const { body } = await call(service, "POST", `/l/${link["slug"]}`)
    const url = `${service.url}/pay/${body["invoiceId"]}`
    await preview(url)
    return { id: String(body["invoiceId"]), url }
  }

  it("has the code of a link's invoice made by opening its page, with a script or without", async () => {
    for (const scripts of [true, false]) {
      const { id, url } = await waiting()
      const { page, troubles, close } = await browser.visitor({ scripts })
      await page.goto(`${url}?lang=ru`)
      if (!scripts) {
        expect((await call(service, "GET", `/api/v1/invoices/${id}`, { key })).body["status"]).toBe("new")
        await page.getByRole("button", { name: "Показать код" }).click()
      }
      await page.getByRole("img", { name: "QR-код для оплаты" }).waitFor()
      expect(page.url()).toBe(`${url}?lang=ru`)
      await simulate(id, "paid")
      await page.getByRole("heading", { name: "Оплата прошла" }).waitFor()
      expect(troubles).toEqual([])
      await close()
    }
  })

  it("plays the customer's bank in the sandbox: on the page, and where the code leads to", async () => {
    for (const [button, heading] of [
      ["Paid", "Payment received"],
      ["Failed", "Payment failed"],
      ["Expired", "The time to pay is over"],
      ["Paid late", "Payment received"]
    ] as const) {
      const { url } = await create()
      const { page, troubles, close } = await browser.visitor()
      await page.goto(`${url}?lang=en`)
      await page.getByRole("button", { name: button, exact: true }).click()
      await page.getByRole("heading", { name: heading }).waitFor()
      expect(troubles).toEqual([])
      await close()
    }
    const own = await browser.visitor()
    await own.page.goto(`${(await create()).url}?lang=en`)
    await own.page.getByRole("link", { name: "Open the test bank" }).click()
    await own.page.getByRole("heading", { name: "Confirm the payment" }).waitFor()
    await own.close()
    const { id, url } = await create()
    const shop = await browser.visitor()
    const phone = await browser.visitor({ touch: true, dark: true })
    await shop.page.goto(`${url}?lang=en`)
    const { qrUrl } = Object((await call(service, "GET", `/api/v1/invoices/${id}`, { key })).body)
    const bank = `${service.url}${new URL(qrUrl).pathname}?lang=en`
    await preview(bank)
    expect(await shop.page.getByRole("heading", { name: "We see you have opened it" }).count()).toBe(0)
    await phone.page.goto(bank)
    await shop.page.getByRole("heading", { name: "We see you have opened it" }).waitFor()
    await shop.page.getByText("Show the code again").click()
    await shop.page.getByRole("img", { name: "QR code for the payment" }).waitFor()
    expect(await violationsOf(phone.page)).toEqual([])
    await phone.page.getByRole("button", { name: "Pay" }).click()
    await phone.page.getByRole("heading", { name: "Payment sent" }).waitFor()
    await shop.page.getByRole("heading", { name: "Payment received" }).waitFor()
    expect([...shop.troubles, ...phone.troubles]).toEqual([])
    await shop.close()
    await phone.close()
  })

  it("sees the payment that came while they were offline, as soon as they are back", async () => {
    const { id, url } = await create()
    const { page, close } = await browser.visitor()
    await page.goto(`${url}?lang=en`)
    await page.getByRole("img", { name: "QR code for the payment" }).waitFor()
    await page.context().setOffline(true)
    await page.getByText("No connection. Trying again…").waitFor()
    await simulate(id, "paid")
    await page.context().setOffline(false)
    await page.getByRole("heading", { name: "Payment received" }).waitFor()
    await close()
  })

  it("gets a new code with one tap where the first has expired, and pays with that", async () => {
    for (const scripts of [true, false]) {
      const { id, url } = await waiting()
      const { page, troubles, close } = await browser.visitor({ scripts })
      const code = () => page.getByRole("img", { name: "QR code for the payment" }).waitFor()
      const show = async () => {
        if (!scripts) await page.getByRole("button", { name: "Show the code" }).click()
        await code()
      }
      await page.goto(`${url}?lang=en`)
      await show()
      await simulate(id, "expired")
      await page.getByRole("heading", { name: "The time to pay is over" }).waitFor()
      if (scripts) expect(await violationsOf(page)).toEqual([])
      await page.getByRole("button", { name: "Get a new code" }).click()
      await page.waitForURL((now) => !now.href.startsWith(url))
      await show()
      const next = new URL(page.url()).pathname.slice("/pay/".length)
      await preview(url)
      await simulate(next, "paid")
      await page.getByRole("heading", { name: "Payment received" }).waitFor()
      expect(troubles).toEqual([])
      await close()
    }
  })

  it("sees the code, and the payment as soon as it has come", async () => {
    const { id, url } = await create({ description: "Екі кофе" })
    const { page, troubles, close } = await browser.visitor()
    await page.goto(url)
    await page.getByRole("img", { name: "QR code for the payment" }).waitFor()
    expect(await page.getByRole("timer").textContent()).toMatch(/[23]:\d\d/)
    expect(await violationsOf(page)).toEqual([])
    await simulate(id, "paid")
    await page.getByRole("heading", { name: "Payment received" }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    await page.getByRole("link", { name: "Open the receipt" }).click()
    await page.getByRole("heading", { name: "Receipt" }).waitFor()
    expect(await violationsOf(page)).toEqual([])
    expect(troubles).toEqual([])
    await close()
  })
})
