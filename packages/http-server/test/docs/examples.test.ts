/**
 * Every example of the documentation is sent to a real server as it stands, by the shell, by JavaScript and by Python,
 * and has success.
 */
import { execFile, execFileSync } from "node:child_process"
import { promisify } from "node:util"
import { Engine } from "@tolem/core/engine/Engine"
import { defaults } from "@tolem/core/engine/Settings"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { inRealTime } from "@tolem/core/time/SandboxClocks"
import * as InProcess from "@tolem/provider-sandbox/InProcess"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import { Layer } from "effect"
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest"
import { type Content, contentOf } from "../../src/docs/Content.ts"
import { docLanguages, pages } from "../../src/docs/Site.ts"
import { call, type Json } from "../support/calls.ts"
import { PNG } from "../support/png.ts"
import { type Key, type Service, start } from "../support/service.ts"

const has = (program: string): boolean => {
  try {
    execFileSync(program, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}
const without = (...programs: ReadonlyArray<string>) => {
  const missing = programs.filter((program) => !has(program))
  return { skipped: missing.length > 0, why: missing.length > 0 ? ` (skipped: no ${missing.join(", ")} here)` : "" }
}
const shell = without("bash", "curl")
const python = without("python3")

const inProcess = InProcess.make(SandboxBank.make(), { timeoutMs: 2_000 })
/** A bank that knows nothing of the clocks of sandboxes. */
const bank: PaymentProvider["Service"] = {
  ...inProcess,
  initLogin: () => inRealTime(inProcess.initLogin()),
  sendPhone: (request) => inRealTime(inProcess.sendPhone(request)),
  verifyOtp: (request) => inRealTime(inProcess.verifyOtp(request))
}

let service: Service
let partner: Key
let content: Content
beforeAll(async () => {
  service = await start({ provider: Layer.succeed(PaymentProvider, bank) })
  const { id: organizationId } = await service.organization({ tariff: "partner" })
  partner = await service.key({ organizationId })
  content = contentOf({ ...defaults, baseUrl: service.url })
})
afterAll(() => service.stop())

type Variables = Record<string, string>

const post = async (path: string, body: object = {}, key: Key = partner): Promise<Json> => {
  const answer = await call(service, "POST", `/api/v1${path}`, { key, body })
  expect([path, answer.status]).toEqual([path, expect.toSatisfy((status: number) => status < 300)])
  return answer.body
}

/** What there has to be before a request: fresh each time, since some requests end what they are about. */
const prepare = async (request: string): Promise<Variables> => {
  const key = request.includes("/partner/") ? partner : await service.key()
  const variables: Variables = { TOLEM_KEY: key.apiKey }
  const made = async (path: string, body: object = {}) => post(path, body, key)
  if (/invoices\/|\/pay\/|\/receipts\//.test(request) && !request.includes("bulk")) {
    const { id } = await made("/invoices", { amount: 1500 })
    if (/refund|receipts/.test(request)) await made(`/invoices/${id}/simulate`, { status: "paid" })
    variables["INVOICE_ID"] = String(id)
  }
  if (request.includes("/subscriptions/")) {
    const { id } = await made("/subscriptions", { amount: 1500 })
    if (request.endsWith("/resume")) await made(`/subscriptions/${id}/pause`)
    variables["SUBSCRIPTION_ID"] = String(id)
  }
  if (/payment-links\/|\/l\//.test(request)) {
    const { id, slug } = await made("/payment-links", { title: "Yoga", amount: 1500 })
    Object.assign(variables, { LINK_ID: String(id), LINK_SLUG: String(slug) })
  }
  if (/form-hooks\/|\/f\//.test(request))
    variables["HOOK_ID"] = String((await made("/form-hooks", { name: "Form" }))["id"])
  if (request.includes("/pictures/")) {
    const { profiles } = await service.run(Engine)
    const { logo } = await service.run(profiles.setLogo(key.organizationId, PNG))
    variables["PICTURE"] = String(logo)
  }
  if (request.includes("/webhook-endpoints/")) {
    const { id } = await made("/webhook-endpoints", { url: "https://shop.example.kz/webhooks" })
    const delivery = await made(`/webhook-endpoints/${id}/test`)
    Object.assign(variables, { ENDPOINT_ID: String(id), DELIVERY_ID: String(delivery["id"]) })
  }
  if (request.includes("/partner/organizations/")) {
    const { organization } = await made("/partner/organizations", { name: "Bakery", ownerPhone: "77012223344" })
    const at = `/partner/organizations/${String(organization?.["id"])}`
    const connection = await made(`${at}/connections`, { name: "Till" })
    const login = `${at}/connections/${String(connection["id"])}/provider`
    const { processId } = /provider\//.test(request) ? await made(`${login}/init`) : { processId: "" }
    if (request.endsWith("verify-otp")) await made(`${login}/send-phone`, { processId, phone: "77011234567" })
    variables["ORGANIZATION_ID"] = String(organization?.["id"])
    variables["CONNECTION_ID"] = String(connection["id"])
    variables["PROCESS_ID"] = String(processId)
  }
  return variables
}

/** Runs in the shell what a page says; answers statuses and the bodies that came. */
const run = async (block: string, variables: Variables) => {
  const counted = `curl() { command curl -w '\\n%{http_code}\\n' "$@"; }\n${block}`
  const { stdout } = await promisify(execFile)("bash", ["-c", counted], { env: { ...process.env, ...variables } })
  const lines = stdout.trimEnd().split("\n")
  return { status: Number(lines.at(-1)), text: lines.slice(0, -1).join("\n") }
}

interface Example {
  readonly request: string
  readonly code: string
}

/** The examples of a reference page in one language, each with the request that it is of. */
const examplesOf = (slug: string, language: string): ReadonlyArray<Example> => {
  const page = pages.find((one) => one.slug === slug)
  if (page === undefined) throw new Error(`no page ${slug}`)
  return content(page, "en")
    .split(/^## /m)
    .flatMap((section) => {
      const request = /^`([A-Z]+ \/.*)`$/m.exec(section)?.[1]
      const code = new RegExp(`^\`\`\`${language} .*\\n([\\s\\S]*?)\\n\`\`\`$`, "m").exec(section)?.[1]
      return request === undefined || code === undefined ? [] : [{ request, code }]
    })
}

const reference = pages.filter(({ tags }) => tags !== undefined).map(({ slug }) => slug)

describe("the reference", () => {
  it("has an example in three languages of every operation", () => {
    const all = (language: string) =>
      reference.flatMap((slug) => examplesOf(slug, language).map(({ request }) => request))
    expect(all("sh").length).toBeGreaterThan(50)
    expect(new Set(all("sh")).size).toBe(all("sh").length)
    expect(all("js")).toEqual(all("sh"))
    expect(all("python")).toEqual(all("sh"))
  })

  it.skipIf(shell.skipped).each(reference)(`%s: every call of the shell has success${shell.why}`, async (slug) => {
    for (const { request, code } of examplesOf(slug, "sh")) {
      const { status, text } = await run(code, await prepare(request))
      expect([request, status, status < 300 ? "" : text]).toEqual([request, status, ""])
    }
  })

  it.each(reference)("%s: every call of JavaScript has success", async (slug) => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {})
    try {
      for (const { request, code } of examplesOf(slug, "js")) {
        const variables = await prepare(request)
        for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
        await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(`${code}\n// ${Math.random()}`)}`)
        const [status, body] = log.mock.lastCall ?? []
        expect([request, status, Number(status) < 300 ? "" : body]).toEqual([request, status, ""])
      }
    } finally {
      vi.unstubAllEnvs()
      log.mockRestore()
    }
  })

  it.skipIf(python.skipped)(`every call of Python has success${python.why}`, async () => {
    const calls = []
    for (const { request, code } of reference.flatMap((slug) => examplesOf(slug, "python"))) {
      calls.push({ request, code, env: await prepare(request) })
    }
    // One interpreter for all: it takes longer to start than a call.
    const program = [
      "import json, os, sys",
      "for call in json.load(open(0)):",
      "    os.environ.update(call['env'])",
      "    try:",
      "        exec(call['code'], {})",
      "    except Exception as error:",
      "        print('FAILED', call['request'], error)"
    ].join("\n")
    const running = promisify(execFile)("python3", ["-c", program], { maxBuffer: 1e8 })
    running.child.stdin?.end(JSON.stringify(calls))
    const { stdout } = await running
    expect(stdout.split("\n").filter((line) => line.startsWith("FAILED"))).toEqual([])
    expect(stdout.match(/^20\d /gm)).toHaveLength(calls.length)
  })
})

describe.skipIf(shell.skipped)(`a guide${shell.why}`, () => {
  const guides = pages.filter(({ tags }) => tags === undefined)

  // The same calls in other words: in `npm run test:slow`.
  it.each(docLanguages.filter((language) => language === "en" || inject("isWhole")))(
    "has calls that have success in the order in which it tells of them, in %s",
    async (language) => {
      let count = 0
      for (const page of guides) {
        const key = await service.key()
        const { id } = await post("/invoices", { amount: 1500 }, key)
        await post(`/invoices/${id}/simulate`, { status: "paid" }, key)
        const pending = await post("/invoices", { amount: 1500 }, key)
        const variables: Variables = {
          TOLEM_KEY: key.apiKey,
          PAID_INVOICE_ID: String(id),
          INVOICE_ID: String(pending["id"])
        }
        for (const [, block = ""] of content(page, language).matchAll(/^```sh\n([\s\S]*?)\n```$/gm)) {
          if (!block.startsWith("curl")) continue
          const { status, text } = await run(block, variables)
          const label = `${page.slug} ${block.slice(0, 90)}`
          expect([label, status, status < 300 ? "" : text]).toEqual([label, status, ""])
          Object.assign(variables, variablesOf(text))
          count += 1
        }
      }
      expect(count).toBeGreaterThan(25)
    }
  )
})

const kinds = { inv: "INVOICE_ID", sub: "SUBSCRIPTION_ID", lnk: "LINK_ID", hok: "HOOK_ID", whe: "ENDPOINT_ID" }

/** What a reader would keep of an answer. */
const variablesOf = (text: string): Variables => {
  const { id, slug } = text.startsWith("{") ? JSON.parse(text) : {}
  const name = kinds[String(id).slice(0, 3) as keyof typeof kinds]
  return { ...(name !== undefined && { [name]: String(id) }), ...(slug !== undefined && { LINK_SLUG: String(slug) }) }
}
