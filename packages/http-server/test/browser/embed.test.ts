/** A shop opens pay pages on its own site: in a dialog, in a frame, if the merchant has named the site. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Engine } from "@tolem/core/engine/Engine"
import {
  chromiumPath,
  needsChromium,
  type OpenBrowser,
  openBrowser,
  type Visitor,
  violationsOf
} from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { call } from "../support/calls.ts"
import { type Key, type Service, start } from "../support/service.ts"

/** A site whose page has a link to pay, with the script of the service, and keeps what it hears. */
const openShop = async (serviceUrl: () => string) => {
  const server = createServer((request, response) => {
    const to = new URL(request.url ?? "", "http://shop").searchParams.get("to")
    response.setHeader("content-type", "text/html; charset=utf-8")
    // What a careful shop allows: the script and the frame of the service.
    response.setHeader(
      "content-security-policy",
      `default-src 'none'; script-src ${serviceUrl()}; frame-src ${serviceUrl()}; img-src data:`
    )
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
      <main><h1>Shop</h1><p><a href="${to}" data-tolem>Pay</a></p></main>
      <script src="${serviceUrl()}/embed.js"></script>`)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => new Promise((resolve) => server.close(resolve)) }
}

interface Told {
  readonly type: string
  readonly invoiceId: string | null
  readonly status: string | null
}

describe.skipIf(chromiumPath === null)(`a pay page in a shop's dialog${needsChromium}`, () => {
  let service: Service
  let shop: Awaited<ReturnType<typeof openShop>>
  let stranger: Awaited<ReturnType<typeof openShop>>
  let key: Key
  let browser: OpenBrowser
  beforeAll(async () => {
    service = await start({ settings: { pagesPerMinute: 1e9 } })
    key = await service.key()
    shop = await openShop(() => service.url)
    stranger = await openShop(() => service.url)
    const { profiles } = await service.run(Engine)
    await service.run(profiles.change(key.organizationId, { allowedOrigins: ["https://shop.example.kz", shop.url] }))
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await shop?.stop()
    await stranger?.stop()
    await service?.stop()
  })

  const create = async () => {
    const { body } = await call(service, "POST", "/api/v1/invoices", { key, body: { amount: 1500 } })
    return String(body["id"])
  }
  const simulate = (id: string, status: string) =>
    call(service, "POST", `/api/v1/invoices/${id}/simulate`, { key, body: { status } })

  const visit = async ({ page }: Visitor, site: { readonly url: string }, to: string) => {
    await page.goto(`${site.url}/?to=${encodeURIComponent(to)}`)
    await page.evaluate("told = []; addEventListener('tolem', ({ detail }) => told.push(detail))")
    await page.getByRole("link", { name: "Pay" }).click()
  }
  const told = (page: Visitor["page"]): Promise<ReadonlyArray<Told>> => page.evaluate("told")

  it("is paid in the dialog, and the shop hears of it", async () => {
    const id = await create()
    const visitor = await browser.visitor()
    const { page, troubles, close } = visitor
    await visit(visitor, shop, `${service.url}/pay/${id}`)
    const frame = page.frameLocator("iframe")
    await frame.getByRole("img", { name: "QR code for the payment" }).waitFor()
    const opened = { type: "opened", invoiceId: id, status: "pending" }
    await expect.poll(() => told(page)).toEqual([opened])
    expect(await violationsOf(page)).toEqual([])
    // On a phone it takes all of the screen, and the page behind stays where it is.
    expect(await page.locator("dialog").boundingBox()).toEqual({ x: 0, y: 0, width: 360, height: 740 })
    expect(await page.evaluate("getComputedStyle(document.documentElement).overflow")).toBe("hidden")
    await simulate(id, "paid")
    await frame.getByRole("heading", { name: "Payment received" }).waitFor()
    const paid = { type: "paid", invoiceId: id, status: "paid" }
    await expect.poll(() => told(page)).toEqual([opened, paid])
    const [receipt] = await Promise.all([
      page.context().waitForEvent("page"),
      frame.getByRole("link", { name: "Open the receipt" }).click()
    ])
    await receipt.getByRole("heading", { name: "Receipt" }).waitFor()
    await receipt.close()
    await page.getByRole("button", { name: "Close" }).click()
    await expect.poll(() => told(page)).toEqual([opened, paid, { ...paid, type: "closed" }])
    expect(await page.locator("dialog").count()).toBe(0)
    expect(await page.evaluate("document.documentElement.style.overflow")).toBe("")
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Pay")
    expect(troubles).toEqual([])
    await close()
  })

  it("takes a link's payment in the dialog, tells of loss, and closes by Escape inside and outside", async () => {
    const { body: link } = await call(service, "POST", "/api/v1/payment-links", { key, body: { title: "Шай" } })
    const visitor = await browser.visitor({ width: 1280, height: 900 })
    const { page, troubles, close } = visitor
    await visit(visitor, shop, `${service.url}/l/${link["slug"]}`)
    const frame = page.frameLocator("iframe")
    await frame.getByLabel("Amount").fill("700")
    await expect.poll(() => told(page)).toEqual([{ type: "opened", invoiceId: null, status: null }])
    await frame.getByRole("button", { name: "Pay" }).click()
    await frame.getByRole("img", { name: "QR code for the payment" }).waitFor()
    const { body } = await call(service, "GET", "/api/v1/invoices", { key })
    const [{ id }] = Object(body["invoices"])
    await simulate(id, "expired")
    await frame.getByRole("button", { name: "Get a new code" }).waitFor()
    await expect
      .poll(async () => (await told(page)).at(-1))
      .toEqual({ type: "expired", invoiceId: id, status: "expired" })
    await frame.getByRole("button", { name: "Get a new code" }).press("Escape")
    await expect.poll(async () => (await told(page)).at(-1)?.type).toBe("closed")
    await page.getByRole("link", { name: "Pay" }).click()
    await page.frameLocator("iframe").getByLabel("Amount").waitFor()
    await page.getByRole("button", { name: "Close" }).press("Escape")
    await expect.poll(() => page.locator("dialog").count()).toBe(0)
    expect(troubles).toEqual([])
    await close()
  })

  it("leaves the shop's page as it was, also if another is opened over it", async () => {
    const id = await create()
    const visitor = await browser.visitor()
    const { page, troubles, close } = visitor
    await visit(visitor, shop, `${service.url}/pay/${id}`)
    await expect.poll(async () => (await told(page)).map(({ type }) => type)).toEqual(["opened"])
    const state = () =>
      page.evaluate("[document.documentElement.style.overflow, document.querySelectorAll('body > div').length]")
    await page.evaluate("handle = Tolem.open(document.links[0].href); 0")
    await page.frameLocator("iframe").getByRole("img", { name: "QR code for the payment" }).waitFor()
    await expect.poll(async () => (await told(page)).map(({ type }) => type)).toEqual(["opened", "closed", "opened"])
    expect(await state()).toEqual(["hidden", 1])
    await page.evaluate("handle.close(); handle.close()")
    expect(await state()).toEqual(["", 0])
    const types = ["opened", "closed", "opened", "closed"]
    await expect.poll(async () => (await told(page)).map(({ type }) => type)).toEqual(types)
    // A shop that opens the next one as it hears of an end.
    await page.evaluate(`{
      const { href } = document.links[0]
      Tolem.open(href, { onEvent: ({ type }) => type === "closed" && (third = Tolem.open(href)) })
      Tolem.open(href)
    }`)
    await page.waitForFunction("window.third")
    expect(await state()).toEqual(["hidden", 1])
    await page.keyboard.press("Escape")
    await expect.poll(state).toEqual(["", 0])
    expect(troubles).toEqual([])
    await close()
  })

  it("is refused by the browser at a site that the merchant has not named; a link leads on", async () => {
    const id = await create()
    const visitor = await browser.visitor()
    const { page, troubles, close } = visitor
    await visit(visitor, stranger, `${service.url}/pay/${id}`)
    await page.getByRole("link", { name: "Open the payment page in a new tab" }).waitFor()
    expect(await told(page)).toEqual([])
    expect(page.frames().some((each) => each.url().startsWith(service.url))).toBe(false)
    expect(troubles.join()).toMatch(/frame-ancestors/)
    await close()
  })

  it("opens nothing but pages to pay at, and is a link without scripts", async () => {
    const id = await create()
    const [visitor, plain] = [await browser.visitor(), await browser.visitor({ scripts: false })]
    await visitor.page.goto(`${shop.url}/?to=${encodeURIComponent(`${service.url}/docs`)}`)
    await expect(visitor.page.evaluate("Tolem.open(document.links[0].href)")).rejects.toThrow("Tolem.open takes")
    await visitor.page.getByRole("link", { name: "Pay" }).click()
    expect(await visitor.page.locator("dialog").count()).toBe(0)
    await plain.page.goto(`${shop.url}/?to=${encodeURIComponent(`${service.url}/pay/${id}?lang=en`)}`)
    await plain.page.getByRole("link", { name: "Pay" }).click()
    await plain.page.waitForURL(`${service.url}/pay/${id}?lang=en`)
    await visitor.close()
    await plain.close()
  })
})
