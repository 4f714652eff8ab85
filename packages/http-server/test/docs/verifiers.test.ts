/** The verifiers of the webhook guide, each run in its language, take what the service signs and nothing else. */
import { execFile, execFileSync, spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { headersOf } from "@tolem/core/webhook/sending/Signature"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const body = '{"event":"invoice.paid","invoice":{"id":"inv_1","metadata":{"имя":"Әлия"}}}'
const now = 1_767_225_600

interface Case {
  readonly name: string
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly now: number
  readonly valid: boolean
}

let cases: ReadonlyArray<Case>
let folder: string

const signed = async (previous: string | null) => {
  const previousSecret = previous === null ? null : { secret: Redacted.make(previous), until: (now + 60) * 1000 }
  const headers = await Effect.runPromise(
    headersOf({
      delivery: { id: "dlv_1", kind: "invoice.paid" },
      endpoint: { secret: Redacted.make(secret), previousSecret },
      body,
      now: now * 1000
    }).pipe(Effect.provide(NodeCrypto.layer))
  )
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tolem-verifiers-"))
  const headers = await signed(null)
  const rotated = await signed("whsec_old")
  const right = { secret, headers, body, now, valid: true }
  cases = [
    { ...right, name: "as it was sent" },
    { ...right, name: "some seconds later", now: now + 299 },
    { ...right, name: "with the secret before a rotation", secret: "whsec_old", headers: rotated },
    { ...right, name: "with the secret after it", headers: rotated },
    { ...right, name: "too late", now: now + 301, valid: false },
    { ...right, name: "from the future", now: now - 301, valid: false },
    { ...right, name: "of another secret", secret: "whsec_other", valid: false },
    { ...right, name: "altered", body: body.replace("inv_1", "inv_2"), valid: false },
    { ...right, name: "without a signature", headers: { "x-webhook-timestamp": String(now) }, valid: false },
    { ...right, name: "without anything", headers: {}, valid: false },
    { ...right, name: "of an odd time", headers: { ...headers, "x-webhook-timestamp": "soon" }, valid: false },
    { ...right, name: "of a short signature", headers: { ...headers, "x-webhook-signature": "sha256=" }, valid: false }
  ]
  for (const name of ["verify.mjs", "verify.py", "verify.php", "verify.go", "verify.cs", "receive.mjs"]) {
    cpSync(new URL(`../../src/docs/content/code/${name}`, import.meta.url), join(folder, name))
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
  writeFileSync(join(folder, "cases.json"), JSON.stringify(cases))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** For each language a program of ours, which calls the function for every case and prints an array of its answers. */
const languages = [
  {
    name: "JavaScript",
    program: process.execPath,
    file: "run.mjs",
    args: ["run.mjs"]
  },
  {
    name: "Python",
    program: "python3",
    file: "run.py",
    args: ["run.py"]
  },
  {
    name: "PHP",
    program: "php",
    file: "run.php",
    args: ["run.php"]
  },
  {
    name: "Go",
    program: "go",
    file: "run.go",
    args: ["run", "run.go", "verify.go"]
  },
  {
    name: "C#",
    program: "dotnet",
    file: "Run.cs",
    args: ["run", "--project", "run.csproj"]
  }
]

const isThere = (program: string): boolean => {
  try {
    execFileSync(program, [program === "go" ? "version" : "--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

for (const { name, program, file, args } of languages) {
  const missing = !isThere(program)
  const why = missing ? ` (skipped: no ${program} on this machine)` : ""
  it.skipIf(missing)(`${name} takes what was signed, and nothing else${why}`, async () => {
    for (const each of [file, "run.csproj"]) {
      cpSync(new URL(`programs/${each}`, import.meta.url), join(folder, each))
    }
    const { stdout } = await promisify(execFile)(program, args, { cwd: folder })
    const answers: ReadonlyArray<boolean> = JSON.parse(stdout.trim().split("\n").at(-1) ?? "")
    expect(cases.map((one, at) => [one.name, answers[at]])).toEqual(cases.map((one) => [one.name, one.valid]))
  })
}

it("the receiver of the guide takes a signed message once, and refuses the others", async () => {
  const headers = await signedNow()
  const child = spawn(process.execPath, ["receive.mjs"], {
    cwd: folder,
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0", NODE_OPTIONS: "--import ./port.mjs" }
  })
  try {
    const port = await portOf(child)
    const send = async (text: string) =>
      (await fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body: text })).status
    expect(await send(body)).toBe(204)
    expect(await send(body)).toBe(204)
    expect(await send(body.replace("inv_1", "inv_2"))).toBe(401)
    await expect.poll(() => told.join("")).toContain("invoice.paid inv_1")
    expect(told.join("").match(/invoice\.paid/g)).toHaveLength(1)
  } finally {
    child.kill()
  }
})

const told: Array<string> = []

/** The port that the receiver got: it says nothing of it by itself, so that Node is asked. */
const portOf = (child: ReturnType<typeof spawn>): Promise<number> =>
  new Promise((resolve, reject) => {
    child.stderr?.on("data", (bytes: Buffer) => told.push(String(bytes)))
    child.stdout?.on("data", (bytes: Buffer) => {
      const port = /^port (\d+)$/m.exec(String(bytes))?.[1]
      if (port === undefined) told.push(String(bytes))
      else resolve(Number(port))
    })
    child.once("exit", () => reject(new Error(told.join(""))))
  })

const signedNow = async () => {
  writeFileSync(
    join(folder, "port.mjs"),
    `import { Server } from "node:net"
const { listen } = Server.prototype
Server.prototype.listen = function (...args) {
  return listen.apply(this, args).once("listening", () => console.log("port " + this.address().port))
}`
  )
  const { createHmac } = await import("node:crypto")
  const timestamp = String(Math.floor(Date.now() / 1000))
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")
  return { "x-webhook-timestamp": timestamp, "x-webhook-signature": `sha256=${signature}` }
}

it("the guide shows the files that were run", () => {
  const guide = readFileSync(new URL("../../src/docs/content/en/webhooks.md", import.meta.url), "utf8")
  for (const ext of ["mjs", "py", "php", "go", "cs"]) expect(guide).toContain(`@code verify.${ext} `)
})
