/**
 * Customers pay, whatever happens on the way: every journey on SQLite, and with two servers on PostgreSQL, where the
 * page is held by one and the money comes through the other. Whatever address a customer opens, programs that preview
 * links have opened it before them.
 */
import { Engine } from "@tolem/core/engine/Engine"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { chromiumPath, needsChromium, type OpenBrowser, openBrowser, type View } from "@tolem/testing-harness/Browser"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import type { Language } from "../../src/pages/Language.ts"
import { hookTextsOf } from "../../src/pages/texts/HookTexts.ts"
import { linkTextsOf } from "../../src/pages/texts/LinkTexts.ts"
import { textsOf } from "../../src/pages/texts/Translations.ts"
import { call, type Json } from "../support/calls.ts"
import { type Service, start } from "../support/service.ts"
import { type FormShop, openShop } from "./support/formShop.ts"
import { preview } from "./support/previewBot.ts"

/** Longer than a code is good for. */
const tooLateMs = 4 * 60_000

/** Where customers are, and the server that the merchant, the bank and the customer's phone are at. */
interface World {
  readonly here: Service
  readonly there: Service
  readonly shop: FormShop
  readonly browser: OpenBrowser
  /** Does it when the journey is over. */
  readonly afterwards: (act: () => Promise<void>) => void
}

const settings = { pagesPerMinute: 1e9 }

const hasTwo = inject("database") === "postgres"

const startServers = async () => {
  const here = await start({ settings })
  return { here, there: hasTwo ? await start({ beside: here, settings }) : here }
}

/** A merchant of their own, and customers who speak `language`. */
const actors = async ({ here, there, browser, afterwards }: World, language: Language) => {
  const key = await there.key()
  const texts = textsOf(language)
  const api = async (method: string, path: string, body?: object): Promise<Json> => {
    const answer = await call(there, method, `/api/v1${path}`, { key, body })
    expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)])
    return answer.body
  }
  const post = (path: string, body: object = {}) => api("POST", path, body)
  const simulate = (id: string, status: string) => post(`/invoices/${id}/simulate`, { status })
  const read = (id: string) => api("GET", `/invoices/${id}`)
  const pass = async (ms: number) => {
    // Who moves the clock acts at it at once; another server after half a second.
    for (const [server, byMs] of new Map([[there, ms]]).set(here, here === there ? ms : 1)) {
      const { sandboxTime } = await server.run(Engine)
      await server.run(sandboxTime.advance(key.organizationId as OrganizationId, byMs))
    }
  }
  const payPath = (id: unknown) => `/pay/${id}?lang=${language}`

  /** All invoices, and what the page of the one at this path shows. */
  const standing = async (path: string) => {
    const [id] = /inv_\w{26}/.exec(path) ?? []
    const shown = id === undefined ? null : (await call(there, "GET", `/pay/${id}/status`)).body["seen"]
    return { invoices: await api("GET", "/invoices"), shown }
  }

  /** A customer at a browser of their own, which has nothing to complain of in the end. */
  const customer = async (view: View = {}, server = here) => {
    const { page, troubles, close } = await browser.visitor(view)
    afterwards(async () => {
      await close()
      expect(troubles.filter((line) => !/ERR_INTERNET_DISCONNECTED|status of (422|502)/.test(line))).toEqual([])
    })
    page.setDefaultTimeout(60_000)
    const heading = (name: string) => page.getByRole("heading", { name, exact: true }).waitFor()
    const press = (name: string) => page.getByRole("button", { name, exact: true }).click()
    const follow = (name: string) => page.getByRole("link", { name, exact: true }).click()
    return {
      page,
      heading,
      press,
      follow,
      /** Opens an address, after those who preview it: these change nothing, and no code is made. */
      open: async (path: string) => {
        const before = await standing(path)
        for (const status of await preview(`${server.url}${path}`)) expect(status).toBeLessThan(500)
        expect(await standing(path)).toEqual(before)
        await page.goto(`${server.url}${path}`)
      },
      code: () => page.getByRole("img", { name: texts.qrLabel }).waitFor(),
      state: (state: keyof typeof texts.states) => heading(texts.states[state].title),
      /** The invoice whose page is shown. */
      id: () => new URL(page.url()).pathname.slice("/pay/".length)
    }
  }
  return { texts, post, simulate, read, pass, payPath, customer }
}

type Journey = (world: World) => Promise<void>

/** A link with one amount, and the invoice of a customer who has sent its form. */
const linkInvoice = async ({ post, payPath }: Awaited<ReturnType<typeof actors>>, { here }: World) => {
  const { slug } = await post("/payment-links", { title: "Шай", amount: 700 })
  const { invoiceId } = (await call(here, "POST", `/l/${slug}`)).body
  return { id: String(invoiceId), path: payPath(invoiceId) }
}

const byCode: Journey = async (world) => {
  const { texts, post, payPath, customer } = await actors(world, "kk")
  const { id, qrUrl } = await post("/invoices", { amount: 1500, description: "Екі кофе" })
  const desk = await customer({ width: 1280 })
  await desk.open(payPath(id))
  await desk.code()
  expect(await desk.page.getByRole("timer").textContent()).toMatch(/[23]:\d\d/)
  const phone = await customer({ touch: true, dark: true }, world.there)
  await phone.open(`${new URL(String(qrUrl)).pathname}?lang=kk`)
  await desk.state("scanned")
  await desk.page.getByText(texts.codeAgain).click()
  await desk.code()
  await phone.press(texts.bank.pay)
  await phone.heading(texts.bank.over.paid)
  await desk.state("paid")
  await desk.follow(texts.openReceipt)
  await desk.heading(texts.receipt)
  await desk.page.goBack()
  await desk.state("paid")
}

const byPhone: Journey = async (world) => {
  const { post, simulate, payPath, customer } = await actors(world, "ru")
  const { id } = await post("/invoices", { amount: 1500, kind: "phone", customer: { phone: "77011234567" } })
  const { page, open, state } = await customer({ touch: true })
  await open(payPath(id))
  await state("app")
  await page.getByText("+7 701 ••• 45 67").waitFor()
  await simulate(String(id), "paid")
  await state("paid")
}

const byLink: Journey = async (world) => {
  const { texts, post, read, customer } = await actors(world, "en")
  const fields = { name: "required" }
  const link = { title: "Yoga", minAmount: 500, presets: [1000, 3000], fields, thankYou: "See you on Monday" }
  const { slug } = await post("/payment-links", link)
  const words = linkTextsOf("en")
  const { page, open, press, code, state, id } = await customer({ touch: true })
  await open(`/l/${slug}?lang=en`)
  await page.getByLabel("3 000 ₸").check()
  await press(words.pay)
  await page.getByRole("alert").waitFor()
  await page.getByLabel(words.fields.name).fill("Айгүл")
  await press(words.pay)
  await code()
  expect(await read(id())).toMatchObject({ amount: 3000, customer: { name: "Айгүл" }, status: "pending" })
  // On one device: from the page to the bank and back.
  await page.getByRole("link", { name: texts.payInApp }).click()
  await press(texts.bank.pay)
  await page.getByRole("link", { name: texts.bank.back }).click()
  await state("paid")
  await page.getByText("See you on Monday").waitFor()
}

const byForm: Journey = async (world) => {
  const { shop, here } = world
  const { post, simulate, read, customer } = await actors(world, "en")
  const successUrl = `${shop.url}/thanks?invoice={INVOICE_ID}&status={STATUS}`
  const hook = await post("/form-hooks", { name: "Form", successUrl, allowedOrigins: [shop.url], honeypot: "website" })
  const { page, open, press, heading, code, id } = await customer()
  const action = `/f/${hook["id"]}?redirect=1&lang=en`
  await open(action)
  await heading(hookTextsOf("en").explained.title)
  await page.goto(`${shop.url}/?to=${encodeURIComponent(`${here.url}${action}`)}`)
  await page.locator("[name=amount]").fill("three thousand")
  await page.locator("[name=phone]").fill("123")
  await press("Buy")
  await heading(hookTextsOf("en").mend.title)
  expect(await page.getByLabel("Amount, ₸").inputValue()).toBe("three thousand")
  await page.getByLabel("Amount, ₸").fill("₸3\u00a0500,50")
  await page.getByLabel("Phone").fill("8 701 123-45-67")
  await press(hookTextsOf("en").send)
  await code()
  expect(await read(id())).toMatchObject({ amount: 3500.5, customer: { phone: "77011234567" } })
  const paid = id()
  await simulate(paid, "paid")
  await page.waitForURL(`${shop.url}/thanks?invoice=${paid}&status=paid`)
}

const lateMoney: Journey = async (world) => {
  const { texts, post, simulate, pass, payPath, customer } = await actors(world, "ru")
  const { id } = await post("/invoices", { amount: 1500 })
  const { open, code, state, heading, follow } = await customer()
  await open(payPath(id))
  await code()
  await pass(tooLateMs)
  await state("expired")
  await simulate(String(id), "paid")
  await state("paid")
  await follow(texts.openReceipt)
  await heading(texts.receipt)
}

const refusal: Journey = async (world) => {
  const all = await actors(world, "kk")
  const { texts, read, payPath, customer } = all
  const { id, path } = await linkInvoice(all, world)
  const { open, code, state, press, page, id: shown } = await customer()
  await open(path)
  await code()
  const phone = await customer({ touch: true }, world.there)
  await phone.open(`/pay/${id}/bank?lang=kk`)
  await phone.press(texts.bank.decline)
  await phone.heading(texts.bank.over.other)
  await state("failed")
  await press(texts.again)
  await page.waitForURL((now) => !now.href.includes(id))
  await code()
  const next = await customer({ touch: true }, world.there)
  await next.open(payPath(`${shown()}/bank`))
  await next.press(texts.bank.pay)
  await state("paid")
  expect([(await read(id))["status"], (await read(shown()))["status"]]).toEqual(["failed", "paid"])
}

const newCode: Journey = async (world) => {
  const all = await actors(world, "en")
  const { texts, simulate, pass, customer } = all
  const { id, path } = await linkInvoice(all, world)
  const { open, code, state, press, page, id: shown } = await customer()
  await open(path)
  await code()
  await pass(tooLateMs)
  await state("expired")
  await press(texts.again)
  await page.waitForURL((now) => !now.href.includes(id))
  await code()
  // Another who was sent the first address gets the same second code.
  const friend = await customer()
  await friend.open(path)
  await friend.press(texts.again)
  await friend.code()
  expect(friend.id()).toBe(shown())
  await simulate(shown(), "paid")
  await state("paid")
  await friend.state("paid")
}

const withoutScripts: Journey = async (world) => {
  const { shop } = world
  const { texts, post, simulate, read, pass, customer } = await actors(world, "ru")
  const words = linkTextsOf("ru")
  const link = { title: "Йога", minAmount: 500, successUrl: `${shop.url}/thanks` }
  const { slug } = await post("/payment-links", link)
  const { page, open, press, code, state, id } = await customer({ scripts: false })
  await open(`/l/${slug}?lang=ru`)
  await page.getByLabel(words.fields.amount).fill("3 500,50 тг")
  await press(words.pay)
  await state("ready")
  const first = id()
  expect(await read(first)).toMatchObject({ amount: 3500.5, status: "new" })
  await press(texts.showCode)
  await code()
  await pass(tooLateMs)
  await page.reload()
  await state("expired")
  await press(texts.again)
  await press(texts.showCode)
  await code()
  expect(id()).not.toBe(first)
  await simulate(id(), "paid")
  // It loads itself anew, by a line of its head.
  await state("paid")
}

const offlineAndBack: Journey = async (world) => {
  const { texts, post, simulate, payPath, customer } = await actors(world, "en")
  const { id } = await post("/invoices", { amount: 1500 })
  const { page, open, code, state } = await customer({ touch: true })
  await open(payPath(id))
  await code()
  await page.context().setOffline(true)
  await page.getByText(texts.offline).waitFor()
  await simulate(String(id), "paid")
  await page.context().setOffline(false)
  await state("paid")
}

const withoutStreams: Journey = async (world) => {
  const { post, simulate, payPath, customer } = await actors(world, "kk")
  const { id } = await post("/invoices", { amount: 1500 })
  const { page, open, code, state } = await customer()
  await page.route("**/changes", (route) => route.fulfill({ status: 502 }))
  const asked = page.waitForRequest((request) => /\/status\?seen=/.test(request.url()))
  await open(payPath(id))
  await code()
  await asked
  await simulate(String(id), "paid")
  await state("paid")
}

const testPanel: Journey = async (world) => {
  const { texts, post, payPath, customer } = await actors(world, "en")
  const { open, press, state, follow, heading } = await customer()
  const fresh = async () => payPath((await post("/invoices", { amount: 1500 }))["id"])
  for (const [outcome, shown] of [
    ["paid", "paid"],
    ["failed", "failed"],
    ["expired", "expired"],
    ["late", "paid"]
  ] as const) {
    await open(await fresh())
    await press(texts.panel.outcomes[outcome])
    await state(shown)
  }
  await open(await fresh())
  await follow(texts.panel.bank)
  await heading(texts.bank.question)
}

const journeys: Readonly<Record<string, Journey>> = {
  "by the code on a screen, with their phone": byCode,
  "by a push to their phone": byPhone,
  "by a link, on one device": byLink,
  "by the form of a shop, and return there": byForm,
  "when the time was over, and the money counts": lateMoney,
  "with a new code after they have declined": refusal,
  "with a new code after the first has expired, as does a friend": newCode,
  "without scripts, and with a new code": withoutScripts,
  "while the page is offline, which shows it once it is back": offlineAndBack,
  "where a proxy lets no stream through": withoutStreams,
  "by the buttons of the sandbox": testPanel
}

describe.skipIf(chromiumPath === null)(`a customer pays${needsChromium}`, () => {
  let world: Omit<World, "afterwards">
  beforeAll(async () => {
    world = { ...(await startServers()), shop: await openShop(), browser: await openBrowser() }
  })
  afterAll(async () => {
    await world?.browser.close()
    await world?.shop.stop()
    if (world?.there !== world?.here) await world?.there.stop()
    await world?.here.stop()
  })

  // Several at once: most of their time they wait.
  for (const [title, play] of Object.entries(journeys)) {
    it.concurrent(title, ({ onTestFinished }) => play({ ...world, afterwards: onTestFinished }))
  }
})
