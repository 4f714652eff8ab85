/** `tolem.config.ts`: own parts and settings in the reference server, and what is said of a file that is wrong. */
import { once } from "node:events"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { defaults } from "@tolem/core/engine/Settings"
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it, onTestFinished } from "vitest"
import { examples, faultOf } from "../../src/cli/config/ConfigCheck.ts"
import { eventually } from "../support/eventually.ts"
import { folder, result, run, service } from "./support.ts"

const own = new URL("programs/tolem.config.ts", import.meta.url)
const modules = new URL("../../../../node_modules", import.meta.url)

/** A folder with these files, in which packages are found. */
const withFiles = (files: Readonly<Record<string, string>>) => {
  const cwd = folder()
  symlinkSync(modules, join(cwd, "node_modules"))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return cwd
}

/** A gateway that takes codes, and keeps them. */
const gateway = async () => {
  const codes: Array<string> = []
  const server = createServer(async (request, response) => {
    codes.push(JSON.parse(Buffer.concat(await request.toArray()).toString()).code)
    response.end()
  }).listen(0, "127.0.0.1")
  onTestFinished(() => void server.close())
  await once(server, "listening")
  return { codes, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe("a server with a configuration file", () => {
  it("has its provider, channels, tariffs and settings, and so have its commands", async () => {
    const cwd = withFiles({ "tolem.config.ts": `export { default } from "${own}"` })
    const { codes, url } = await gateway()
    const { organization } = await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
    expect(organization.tariff).toBe("free")
    expect(await result(cwd, "tariff", "list")).toMatchObject([
      { code: "free", dailyLimit: 7, price: null },
      { code: "paid", dailyLimit: 200, price: 900 }
    ])
    const org = ["--org", organization.id]
    const cashier = await result(cwd, "connection", "create", ...org, "--name", "Till", "--code", "4321")
    expect(cashier.status).toBe("active")
    await result(cwd, "org", "mode", ...org, "--mode", "live")
    const key = ["--mode", "live", "--name", "k", "--scopes", "all"]
    const { apiKey } = await result(cwd, "key", "create", ...org, ...key)

    const server = await service(cwd, ["serve", "--writes-per-minute", "900"], { GATEWAY: url, TOLEM_PORT: "1" })
    const made = await call(server.url, apiKey, "/invoices", { amount: 1500 })
    expect(made.body).toMatchObject({ status: "pending", qrUrl: `https://bank.example/${made.body.id}` })
    const read = () => call(server.url, apiKey, `/invoices/${made.body.id}`)
    const paid = await call(server.url, apiKey, `/invoices/${made.body.id}?live=1`)
    expect(paid.body).toMatchObject({ status: "paid", receiptNumber: "77" })
    // The flag goes before the file, the file before the default.
    expect(made.headers.get("x-ratelimit-limit")).toBe("900")
    expect((await read()).headers.get("x-ratelimit-limit")).toBe("5")

    const post = (path: string, body: object) =>
      fetch(`${server.url}/panel${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body)
      })
    const { challengeId, channels } = await (await post("/login/code", { phone: "77001234567" })).json()
    expect(channels).toEqual(["sms"])
    await eventually(() => expect(codes).toHaveLength(1))
    expect((await post("/login/verify", { challengeId, code: codes[0] })).status).toBe(200)
    const { stderr } = await server.stop()
    expect(stderr).toContain('"file":"tolem.config.ts"')
    expect(stderr).not.toContain(codes[0])
  })

  it("is told by a variable before the file, and by a flag before both", async () => {
    const config = "export default { tariffs: [{ code: 'x', name: 'X', monthlyLimit: 1 }] }"
    const cwd = withFiles({ "tolem.config.mjs": config, "named.js": config.replace("'x'", "'y'") })
    mkdirSync(join(cwd, "empty"))
    const codesOf = async (args: ReadonlyArray<string>, variables: Readonly<Record<string, string>>, at = cwd) => {
      const { stdout } = await run(at, ["tariff", "list", ...args], variables)
      return JSON.parse(stdout).map(({ code }: { readonly code: string }) => code)
    }
    expect(await codesOf([], {})).toEqual(["x"])
    expect(await codesOf([], { TOLEM_CONFIG: "named.js" })).toEqual(["y"])
    expect(await codesOf(["--config", "tolem.config.mjs"], { TOLEM_CONFIG: "named.js" })).toEqual(["x"])
    expect(await codesOf([], {}, join(cwd, "empty"))).toEqual(defaults.tariffs.catalogue.map(({ code }) => code))
  })
})

const head = 'import { defineConfig } from "@tolem/http-server"\n\n'
const exported = (body: string) => `${head}export default defineConfig({\n  ${body}\n})\n`

/** What is in the file, and what is said of it. */
const wrong: ReadonlyArray<readonly [what: string, text: string, says: string]> = [
  ["a member that is misspelled", exported("chanels: []"), ":4: chanels is not known: is it channels?"],
  [
    "a setting that is misspelled",
    exported("// timeout: 1\n  settings: {\n    webhook: { timeoutMS: 5 }\n  }"),
    ":6: settings.webhook.timeoutMS is not known: is it timeoutMs?"
  ],
  [
    "a setting of another type",
    exported('settings: { webhook: { timeoutMs: "8s" } }'),
    ":4: settings.webhook.timeoutMs must be a number that is not negative, not a text"
  ],
  [
    "a setting below nothing",
    exported("settings: { maxKeys: -1 }"),
    ":4: settings.maxKeys must be a number that is not negative, not a negative one"
  ],
  [
    "a list with something else in it",
    exported('settings: {\n    live: { paidCheckDelaysMs: [1, "2"] } }'),
    ":5: settings.live.paidCheckDelaysMs[1] must be a number that is not negative, not a text"
  ],
  [
    "half of a seller",
    exported('settings: { tariffs: { seller: { organizationId: "org_1" } } }'),
    ":4: settings.tariffs.seller lacks mode"
  ],
  [
    "an address that is none",
    exported('settings: { baseUrl: "shop.kz" }'),
    ":4: settings.baseUrl must be an http or https address"
  ],
  [
    "a provider that is not defined",
    exported('provider: { name: "Bank" }'),
    ":4: provider must be what defineProvider answers, not an object"
  ],
  [
    "a channel without send",
    exported('channels: [{ name: "sms" }]'),
    ":4: channels[0].send must be a function, not nothing"
  ],
  [
    "a channel twice",
    exported('channels: [\n    { name: "sms", send() {} },\n    { name: "sms", send() {} }\n  ]'),
    ":5: channels[1].name is taken by another one of the list"
  ],
  ["a tariff without a limit", exported('tariffs: [{ code: "a", name: "A" }]'), ":4: tariffs[0] lacks monthlyLimit"],
  ["tariffs that are none", exported("tariffs: []"), ':4: tariffs must not be empty; write "none"'],
  ["no default export", "export const config = {}\n", ": must export defineConfig({ … }) as its default"],
  [
    "a throw",
    `${head}const url = () => {\n  throw new Error("SMS_URL is not set")\n}\nurl()\n`,
    ":4: SMS_URL is not set"
  ],
  ["a throw of a text", 'throw "no"\n', ": has thrown no"],
  ["a name that is not there", exported("channels: [missing]"), ":4: missing is not defined"],
  ["a syntax error", exported("channels: [,,\n"), ":6: "],
  ["TypeScript that is more than types", "enum Kind { A }\n", ":1: TypeScript enum is not supported"],
  ["a package that is not there", 'import "@nope/sms"\n', ": Cannot find package '@nope/sms' imported from"],
  [
    "an export that is not there",
    'import { no } from "@tolem/core"\n',
    ":1: The requested module '@tolem/core' does not"
  ],
  [
    "a provider that lacks a call",
    'import { defineProvider } from "@tolem/core"\n\nexport default {\n  provider: defineProvider({ name: "B" })\n}\n',
    ":4: The provider B lacks stateByOurs: write it, or say can: { findByOurs: false }"
  ]
]

describe("a file that is wrong", () => {
  const inform = async (cwd: string, args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await run(cwd, args)
    expect([code, stdout]).toEqual([2, ""])
    const { error, message } = JSON.parse(stderr)
    expect(error).toBe("usage")
    expect(message).not.toContain("\n")
    return message as string
  }

  it.each(wrong.map(([what, text, says]) => ({ what, text, says })))("is told apart: $what", async ({ text, says }) => {
    const cwd = withFiles({ "tolem.config.ts": text })
    expect(await inform(cwd, ["verify"])).toSatisfy((message: string) => message.startsWith(`tolem.config.ts${says}`))
  })

  it("is told apart in JavaScript too, with its line", async () => {
    const cwd = withFiles({ "own.mjs": "\nexport default {\n  tariffs: [,,}\n" })
    expect(await inform(cwd, ["verify", "--config", "own.mjs"])).toMatch(/^own\.mjs:3: \S/)
  })

  it("is told apart where another module is at fault", async () => {
    const cwd = withFiles({ "tolem.config.ts": 'import "./sms.ts"\n', "sms.ts": '\nthrow new Error("no key")\n' })
    expect(await inform(cwd, ["verify"])).toMatch(/sms\.ts:2: no key \(imported by tolem\.config\.ts\)$/)
  })

  it("is refused before anything is made", async () => {
    const cwd = withFiles({ "tolem.config.ts": exported("provder: 1") })
    await inform(cwd, ["serve", "--port", "0"])
    await inform(cwd, ["org", "create", "--name", "A", "--owner-phone", "77001234567"])
    expect((await run(cwd, ["org", "create", "--help"])).code).toBe(0)
    expect(await inform(withFiles({}), ["migrate", "--config", "absent.ts"])).toBe(
      "absent.ts: there is no such file; see --config"
    )
    const both = withFiles({ "tolem.config.ts": "", "tolem.config.js": "" })
    expect(await inform(both, ["migrate"])).toBe("tolem.config.ts and tolem.config.js: there may be one of them only")
  })

  it("is told for every setting: each has an example, and the defaults pass", () => {
    expect(faultOf({ settings: defaults })).toBeUndefined()
    expect(faultOf({ settings: examples })).toBeUndefined()
    const bare = (value: unknown, path: string): ReadonlyArray<string> => {
      if (value === null || (Array.isArray(value) && value.length === 0)) return [path]
      if (typeof value !== "object") return []
      return Object.entries(value).flatMap(([name, each]) => bare(each, `${path}.${name}`))
    }
    expect(bare(examples, "settings")).toEqual([])
  })
})
