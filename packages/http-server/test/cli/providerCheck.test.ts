/** `tolem provider check`: what keeps the provider protocol passes, and what breaks it is named. */
import { spawn, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { complete } from "@tolem/core/provider/Abilities"
import * as SandboxBank from "@tolem/provider-sandbox/SandboxBank"
import * as SandboxServer from "@tolem/provider-sandbox/SandboxServer"
import { Redacted } from "effect"
import { HttpRouter } from "effect/http"
import { describe, expect, it, onTestFinished } from "vitest"
import { begin, folder, run } from "./support.ts"

const secret = "kW7pLq2vXz9RtYb4NcMd8HfGs1JaEu6o"

interface Checked {
  readonly url: string
  readonly outcomes: ReadonlyArray<{ readonly name: string; readonly outcome: string; readonly why: string | null }>
}

const check = async (url: string, more: ReadonlyArray<string> = [], variables = {}, timeoutMs = 1000) => {
  // Long enough for a call on a busy machine; one call of each check is waited for so long.
  const ended = await run(
    folder(),
    ["provider", "check", url, "--timeout-ms", `${timeoutMs}`, "--json", ...more],
    variables
  )
  const { outcomes = [] }: Partial<Checked> = ended.stdout === "" ? {} : JSON.parse(ended.stdout)
  const of = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).map(({ name }) => name)
  return { ...ended, outcomes, kept: of("kept"), broken: of("broken"), skipped: of("skipped") }
}

const sandbox = async (flags: ReadonlyArray<string> = [], variables = {}): Promise<string> => {
  const server = begin(folder(), ["provider-sandbox", "serve", "--port", "0", "--json", ...flags], variables)
  return JSON.parse((await server.says(/^\{.*\}\n/))[0]).url
}

/** What a proxy before the sandbox makes of an answer. */
type Fault = (asked: string, answer: Response) => Response | Promise<Response> | undefined

/** The sandbox with a fault of its own. */
const faulty = async (fault: Fault, lacks: SandboxBank.Options["can"] = {}, known?: string): Promise<string> => {
  // It claims everything, whatever it lacks.
  const bank = { ...SandboxBank.make({ can: lacks }), can: complete({}) }
  const { handler } = HttpRouter.toWebHandler(
    SandboxServer.routes(bank, known === undefined ? undefined : Redacted.make(known)),
    { disableLogger: true }
  )
  const server = createServer(async (request, response) => {
    let text = ""
    for await (const part of request.setEncoding("utf8")) text += part
    const { method = "GET", url = "/" } = request
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string])
    const init = method === "GET" ? { method, headers } : { method, headers, body: text }
    const sound = await handler(new Request(`http://127.0.0.1${url}`, init))
    const answer = (await fault(`${method} ${url}`, sound)) ?? sound
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
}

/** The answer with other members. */
const altered = async (answer: Response, change: (body: { readonly amount: number }) => object): Promise<Response> =>
  new Response(JSON.stringify(change(await answer.json())), { status: answer.status })

describe("tolem provider check", () => {
  it("passes the sandbox, which knows us by the secret of a file", async () => {
    const file = join(folder(), "secret")
    writeFileSync(file, `${secret}\n`)
    const url = await sandbox([], { TOLEM_PROVIDER_SANDBOX_SECRET: secret })
    const { code, broken, kept, outcomes, stdout } = await check(url, ["--secret-file", file])
    expect([code, broken]).toEqual([0, []])
    expect(kept).toContain("the protocol keeps strangers out")
    expect(kept.length).toBeGreaterThan(35)
    for (const { outcome, why } of outcomes) if (outcome === "skipped") expect(why).toMatch(/^the provider can: /)
    expect(stdout).not.toContain(secret)
  })

  it("leaves out what a provider cannot do, and says why", async () => {
    const lacks = "findByOurs,findRefunds,createOnce,refundOnce,showRefunds,showScans,cancel,push,endLogins"
    const { code, broken, outcomes } = await check(await sandbox(["--cannot", lacks]))
    expect([code, broken]).toEqual([0, []])
    const skipped = outcomes.filter(({ outcome }) => outcome === "skipped").map(({ why }) => why)
    expect(skipped).toContain("the provider cannot: findByOurs")
    expect(skipped).toContain("there is no secret")
  })

  it("refuses a provider that it cannot check, with the reason", async () => {
    const locked = await sandbox([], { TOLEM_PROVIDER_SANDBOX_SECRET: secret })
    const stranger = await check(locked)
    expect([stranger.code, stranger.stderr]).toEqual([1, expect.stringContaining("secret_rejected")])
    const other = await faulty((asked) => (asked === "GET /v1" ? new Response('{"protocol":"other"}') : undefined))
    expect((await check(other)).stderr).toContain(`GET ${other}/v1 does not answer as the protocol has it`)
    const uncontrolled = await faulty((asked) =>
      asked === "GET /control" ? new Response("", { status: 404 }) : undefined
    )
    expect((await check(uncontrolled)).stderr).toContain("/control does not answer as a check needs it")
    expect((await check("http://127.0.0.1:1")).stderr).toContain("connection")
    expect((await check("nowhere")).code).toBe(2)
    const weak = await check("http://127.0.0.1:1", [], { TOLEM_PROVIDER_SECRET: "short" })
    expect([weak.code, weak.stderr]).toEqual([2, expect.stringContaining("TOLEM_PROVIDER_SECRET must have 32")])
  })

  it.each([
    [
      { createOnce: false, refundOnce: false, findRefunds: false, showRefunds: false, cancel: false },
      [
        "creating a payment makes one payment of one id, however often and however concurrently it is asked",
        "refunding is done once for an id, however often and however concurrently it is asked",
        "refunding is found by our id",
        "refunding gives back a part, then the rest, and then nothing more",
        "cancelling a push withdraws it, and says so again when asked again"
      ]
    ],
    [
      { findByOurs: false, push: false },
      [
        "the state of a payment is refused if there is no such payment",
        "creating a payment pushes into an app, without links"
      ]
    ]
  ] as const)("names what is broken by one that claims everything, but %j", async (lacks, names) => {
    const { code, broken } = await check(await faulty(() => undefined, lacks))
    expect(code).toBe(1)
    expect(broken).toEqual(expect.arrayContaining([...names]))
  })

  it("names what is broken by one that lets strangers in and shows no receipts", async () => {
    const fault: Fault = (asked, answer) => {
      const isState = asked.startsWith("GET /v1/payments/")
      if (asked === "POST /v1/login" && answer.status === 401) return new Response("{}")
      if (asked === "POST /v1/login/phone" && answer.status === 422) return new Response("{}")
      if (asked === "GET /v1/session" && answer.status === 401) return new Response("{}")
      if (isState && answer.status === 404) return new Response("{}", { status: 403 })
      return isState && answer.ok ? altered(answer, (body) => ({ ...body, receipt: null })) : undefined
    }
    const { code, broken } = await check(await faulty(fault, {}, secret), [], { TOLEM_PROVIDER_SECRET: secret })
    expect(code).toBe(1)
    const named = [
      "the protocol keeps strangers out",
      "the protocol refuses what cannot be understood",
      "a lost session is also what every call says of one that never was",
      "the state of a payment is for the merchant's own cashiers only",
      "the state of a payment follows the customer to the payment, with a receipt"
    ]
    expect(broken).toEqual(expect.arrayContaining(named))
    expect(broken).not.toContain("a cashier's login refuses a wrong code, and takes the right one afterwards")
  })

  it("names a create that answers another amount than was asked, with what was seen", async () => {
    const fault: Fault = (asked, answer) =>
      asked === "POST /v1/payments" && answer.ok
        ? altered(answer, (body) => ({ ...body, amount: body.amount + 1 }))
        : undefined
    const { code, outcomes } = await check(await faulty(fault))
    const name = "creating a payment gives a QR with links, that can still be paid, for the amount asked"
    const why = expect.stringContaining("it must be accepted, and was")
    expect([code, outcomes.find((one) => one.name === name)]).toEqual([1, { name, outcome: "broken", why }])
  })

  const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]).status === 0
  it.skipIf(!hasPython)("passes a provider in another language (needs python3)", async () => {
    const program = fileURLToPath(new URL("../../../../examples/provider-python/provider.py", import.meta.url))
    const child = spawn("python3", ["-B", program, "0"], { env: { ...process.env, TOLEM_PROVIDER_SECRET: secret } })
    onTestFinished(() => void child.kill())
    const url = await new Promise<string>((resolve) =>
      child.stdout.once("data", (line) => resolve(String(line).trim()))
    )
    const { code, broken, kept } = await check(url, [], { TOLEM_PROVIDER_SECRET: secret }, 3000)
    expect([code, broken]).toEqual([0, []])
    expect(kept.length).toBeGreaterThan(30)
  })
})

it("sends no secret in the clear to a public host", async () => {
  const ended = await check("http://provider.kz", [], { TOLEM_PROVIDER_SECRET: secret })
  expect([ended.code, ended.stdout]).toEqual([2, ""])
  expect(ended.stderr).toContain("use https")
})
