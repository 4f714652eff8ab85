import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { folder, read, run } from "./support.ts"

const helps: Readonly<Record<string, ReadonlyArray<string>>> = {
  "": ["serve", "start", "demo", "migrate", "org", "key", "webhook", "verify", "--json", "TOLEM_SECRET_KEY"],
  serve: [
    ...["--port", "--host", "--database", "--base-url", "--reads-per-minute", "--writes-per-minute"],
    ...["TOLEM_PORT", "TOLEM_HOST", "TOLEM_DATABASE", "TOLEM_BASE_URL"],
    ...["TOLEM_READS_PER_MINUTE", "TOLEM_WRITES_PER_MINUTE", "3000", "sqlite:.tolem/tolem.db"],
    ...["--login-channel", "TOLEM_LOGIN_CHANNELS", "--trusted-proxies", "TOLEM_TRUSTED_PROXIES"],
    ...["--webhook-private-networks", "TOLEM_WEBHOOK_PRIVATE_NETWORKS"]
  ],
  start: ["--port", "--database"],
  demo: ["temporary database"],
  migrate: ["--database"],
  "org create": ["--database", "--name", "--owner-phone", "--owner-name", "--tariff"],
  "key create": ["--database", "--org", "--mode", "--name", "--scopes", "--connection", "invoices:write", "all"],
  "key delete": ["--database", "--id"],
  "webhook create": ["--database", "--org", "--mode", "--url", "--events", "invoice.paid"],
  "secrets reseal": ["--database", "first key"],
  seal: ["--database", "before there were seals"],
  verify: ["--database"]
}

describe("help", () => {
  it.each(Object.entries(helps))("tells the flags of `tolem %s`", async (command, words) => {
    const { code, stdout, stderr } = await run(folder(), [...command.split(" ").filter(Boolean), "--help"])
    expect(stderr).toBe("")
    expect(code).toBe(0)
    for (const word of words) expect(stdout).toContain(word)
  })

  it("tells the version of the package", async () => {
    const { code, stdout } = await run(folder(), ["--version"])
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
    expect(code).toBe(0)
    expect(stdout).toContain(version)
    const toPrograms = await run(folder(), ["--version", "--json"])
    expect(JSON.parse(toPrograms.stdout)).toEqual({ name: "tolem", version })
  })
})

const org = ["org", "create"]
const key = ["key", "create", "--org", "org_1", "--name", "n"]

type Call = readonly [what: string, args: ReadonlyArray<string>, variables?: Readonly<Record<string, string>>]

const wrong: ReadonlyArray<Call> = [
  ["no command", []],
  ["a group without its command", ["key"]],
  ["an unknown command", ["launch"]],
  ["an unknown flag", ["migrate", "--fast"]],
  ["a missing flag", [...org, "--name", "Shop"]],
  ["a flag without its value", [...org, "--owner-phone", "77001234567", "--name"]],
  ["an unknown tariff", [...org, "--name", "Shop", "--owner-phone", "77001234567", "--tariff", "gold"]],
  ["an unknown mode", [...key, "--mode", "test", "--scopes", "all"]],
  ["a port that is no number", ["serve", "--port", "http"]],
  ["a port out of range", ["serve", "--port", "65536"]],
  ["a port in the environment that is no number", ["serve"], { TOLEM_PORT: "http" }],
  ["a bound below nothing", ["serve", "--sandbox-invoices-per-day", "-1"]],
  ["a test address that is none", ["serve", "--sandbox-mail-to", "qa@example.kz,somebody"]],
  ["a rate of nothing", ["serve", "--reads-per-minute", "0"]],
  ["a channel of login codes that there is not", ["serve", "--login-channel", "console,pigeon"]],
  ["a proxy that is no network", ["serve", "--trusted-proxies", "10.0.0.0/8,everybody"]],
  ["a network of webhooks that is none", ["serve", "--webhook-private-networks", "10.0.0.0/8,http://shop"]],
  ["a base address that is none", ["serve", "--base-url", "example"]],
  ["an unknown kind of database", ["migrate", "--database", "mysql://localhost/tolem"]],
  ["a database without a file", ["migrate", "--database", "sqlite:"]],
  ["a database with a host", ["migrate", "--database", "sqlite://tolem.db"]],
  ["a database in the environment that is none", ["migrate"], { TOLEM_DATABASE: "tolem.db" }],
  ["a secret key that can be guessed", ["migrate"], { TOLEM_SECRET_KEY: "secret" }],
  ["one short secret key among others", ["migrate"], { TOLEM_SECRET_KEY: `rg3lTq0vQm1nZbW8yKx4Hc7dJs2fPa9u,short` }],
  ["a secret key of one character", ["migrate"], { TOLEM_SECRET_KEY: "k".repeat(40) }],
  ["a secret key that repeats itself", ["migrate"], { TOLEM_SECRET_KEY: "correct-horse-battery".repeat(3) }],
  ["a secret key that counts", ["migrate"], { TOLEM_SECRET_KEY: "abcdefghijklmnopqrstuvwxyz0123456789" }],
  ["an unknown level of logs", ["migrate"], { TOLEM_LOG_LEVEL: "loud" }],
  ["an unknown form of logs", ["migrate"], { TOLEM_LOG_FORMAT: "xml" }]
]

describe("wrong usage", () => {
  it.each(wrong.map(([what, args, variables]) => ({ what, args, variables })))("ends with 2: $what", async (call) => {
    const cwd = folder()
    const { code, stdout, stderr } = await run(cwd, call.args, call.variables)
    expect(stdout).toBe("")
    expect(JSON.parse(stderr)).toEqual({ error: "usage", message: expect.stringMatching(/\S/) })
    expect(code).toBe(2)
    expect(existsSync(join(cwd, ".tolem/tolem.db"))).toBe(false)
  })

  it.each([
    [["launch"], "tolem --help", ""],
    [["key", "lst"], "tolem key --help", "list"],
    [["operator", "acount", "list"], "tolem operator --help", "account"],
    [["invoices", "list"], "tolem --help", "    invoice\n"]
  ])("%j leads to help that there is", async (args, help, meant) => {
    const { code, stderr } = await read(folder(), ...args)
    expect(code).toBe(2)
    expect(stderr.trim().split("\n").at(-1)).toBe(`See: ${help}`)
    expect(stderr).toContain(meant)
    expect((await run(folder(), [...help.split(" ").slice(1)])).code).toBe(0)
  })

  it("does not repeat a secret key or the address of a database, which may hold a password", async () => {
    const key = await run(folder(), ["migrate"], { TOLEM_SECRET_KEY: "hunter2" })
    const database = await run(folder(), ["migrate", "--database", "mysql://me:hunter2@localhost/tolem"])
    expect(key.stdout + key.stderr + database.stdout + database.stderr).not.toContain("hunter2")
  })
})
