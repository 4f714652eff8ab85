/**
 * The language that a visitor has chosen goes with them from page to page, without cookies: every link and every form
 * of every public page leads to a page of the same language, whatever the browser would rather have.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { pages as docPages } from "../../src/docs/Site.ts"
import { askForCode, call, type Json } from "../support/calls.ts"
import { type Key, type Service, start } from "../support/service.ts"
import { attributeOf, contentOf, tagsOf } from "./support/markup.ts"

let service: Service
let key: Key
beforeAll(async () => {
  service = await start({ settings: { pagesPerMinute: 1e9 } })
  key = await service.key()
})
afterAll(() => service.stop())

const post = async (path: string, body: object = {}): Promise<Json> => {
  const answer = await call(service, "POST", `/api/v1${path}`, { key, body })
  expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)])
  return answer.body
}

/** A step that a visitor can take: a link that is followed, or a form that is sent. */
interface Step {
  readonly url: string
  readonly form: string | null
}

const attribute = (tag: string, name: string) => attributeOf(tag, name)

/** What of a page leads on, but for its own choice of languages. */
const stepsOf = (page: string, at: string): ReadonlyArray<Step> => {
  const body = page.replaceAll(/<nav aria-label=[\s\S]*?<\/nav>/g, (nav) => (nav.includes("aria-current") ? "" : nav))
  const on = (address: string) => new URL(address, at).href
  const links = tagsOf(body).flatMap((tag) => {
    const href = /^<a\s/.test(tag) && attribute(tag, "hreflang") === null ? attribute(tag, "href") : null
    const refreshed = /^<meta http-equiv="refresh"/.test(tag) ? attribute(tag, "content")?.split(";url=")[1] : undefined
    const address = href ?? refreshed ?? null
    return address === null ? [] : [{ url: on(address), form: null }]
  })
  const forms = [...body.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g)].flatMap(([form]) => {
    const action = attribute(/^<form[^>]*>/.exec(form)?.[0] ?? "", "action") ?? at
    const fields = new URLSearchParams()
    for (const tag of tagsOf(form).filter((one) => one.startsWith("<input"))) {
      const name = attribute(tag, "name")
      if (name !== null && !/type="radio"/.test(tag)) fields.set(name, attribute(tag, "value") || "500")
    }
    const buttons = tagsOf(form).filter((tag) => tag.startsWith("<button"))
    return buttons.map((tag) => ({ url: on(attribute(tag, "formaction") ?? action), form: String(fields) }))
  })
  return [...links, ...forms]
}

/** The address on the server that listens; null: it is elsewhere, or the console, which speaks English to all. */
const own = (url: string): string | null => {
  const { origin, pathname, search } = new URL(url)
  if (pathname === "/docs/console") return null
  const isOwn = origin === new URL(service.settings.baseUrl).origin || origin === service.url
  return isOwn ? `${pathname}${search}` : null
}

const walk = async (first: ReadonlyArray<string>, wrongForms: ReadonlyArray<string>, language: string) => {
  const from = "the address itself"
  const at = (path: string, form: string | null) => ({ url: `${service.url}${path}?lang=${language}`, form, from })
  const steps: Array<Step & { readonly from: string }> = first.map((path) => at(path, null))
  for (const path of wrongForms) steps.push(at(path, "amount=three"))
  const known = new Set<string>()
  const pages = new Set<string>()
  const strays = new Set<string>()
  for (const step of steps) {
    let path = own(step.url)
    if (path === null) continue
    const headers = { accept: "text/html", "accept-language": language === "ru" ? "en" : "ru" }
    let answer = await fetch(`${service.url}${path}`, {
      redirect: "manual",
      ...(step.form === null
        ? { headers }
        : {
            method: "POST",
            headers: {
              ...headers,
              "content-type": "application/x-www-form-urlencoded",
              "sec-fetch-site": "same-origin"
            },
            body: step.form
          })
    })
    const location = answer.headers.get("location")
    if (location !== null) {
      path = own(new URL(location, `${service.url}${path}`).href) ?? ""
      answer = await fetch(`${service.url}${path}`, { headers })
    }
    expect(answer.headers.get("set-cookie")).toBeNull()
    if (!answer.headers.get("content-type")?.startsWith("text/html")) continue
    const text = await answer.text()
    const title = contentOf(text, "title").replace(/[\s\S]*· /, "")
    const kind = new URL(step.url).pathname.replace(/(inv|hok)_\w{26}|(?<=^\/l\/)\w{16}/, "…")
    pages.add(`${step.form === null ? "GET" : "POST"} ${kind}`)
    const shown = /<html lang="(\w+)"/.exec(text)?.[1]
    if (shown !== language) strays.add(`${step.from} → ${step.form === null ? "" : "POST "}${step.url}: ${shown}`)
    for (const next of stepsOf(text, `${service.url}${path}`)) {
      const url = next.url.replace(/#.*/, "")
      // A page is the same page for every invoice that stands as this one does.
      const name = [next.form !== null, url.replaceAll(/inv_\w{26}/g, "…"), url.includes("/docs/") ? "" : title].join(
        " "
      )
      if (known.has(name)) continue
      known.add(name)
      steps.push({ url, form: next.form, from: `${title} (${path})` })
    }
  }
  return { pages: [...pages].toSorted(), strays: [...strays] }
}

describe("the language of a visitor", () => {
  it.each(["ru", "en"])("%s is kept by every link and form of every public page", async (language) => {
    const invoice = async (statuses: ReadonlyArray<string>, body: object = {}) => {
      const { id } = await post("/invoices", { amount: 1500, ...body })
      for (const status of statuses) await post(`/invoices/${id}/simulate`, { status })
      return `/pay/${id}`
    }
    const { slug } = await post("/payment-links", { title: "Yoga", fields: { name: "required" } })
    const hook = await post("/form-hooks", { name: "Form" })
    const refunded = await invoice(["paid"])
    await post(`/invoices/${refunded.slice("/pay/".length)}/refund`)
    const { slug: fixed } = await post("/payment-links", { title: "Tea", amount: 700 })
    const { invoiceId: lost } = (await call(service, "POST", `/l/${fixed}`)).body
    await askForCode(service, lost)
    await post(`/invoices/${lost}/simulate`, { status: "expired" })
    const first = [
      `/pay/${lost}`,
      await invoice([]),
      await invoice([], { kind: "phone", customer: { phone: "77011234567" } }),
      await invoice(["paid"], { successUrl: "https://shop.example.kz" }),
      await invoice(["failed"], { failUrl: "https://shop.example.kz" }),
      await invoice(["expired"]),
      refunded,
      `/l/${slug}`,
      `/l/${slug}/poster`,
      "/l/nothing-is-here",
      `/f/${hook["id"]}`,
      "/pay/nothing",
      "/receipts/nothing",
      "/",
      "/panel"
    ]
    const { pages, strays } = await walk(first, [`/f/${hook["id"]}`, `/l/${slug}`], language)
    expect(strays).toEqual([])
    const [docs, others] = [/ \/docs\//, /^(?!.* \/docs\/)/].map((form) => pages.filter((page) => form.test(page)))
    expect(docs?.length).toBe(docPages.length)
    expect(others).toEqual([
      "GET /",
      "GET /f/…",
      "GET /l/nothing-is-here",
      "GET /l/…",
      "GET /l/…/poster",
      "GET /panel",
      "GET /pay/nothing",
      "GET /pay/…",
      "GET /pay/…/bank",
      "GET /receipts/nothing",
      "GET /receipts/…",
      "POST /f/…",
      "POST /l/…",
      "POST /pay/…/again",
      "POST /pay/…/code",
      "POST /pay/…/simulate"
    ])
  })
})
