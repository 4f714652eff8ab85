import { once } from "node:events"
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { call } from "@tolem/testing-harness/Client"
import { describe, expect, it, onTestFinished } from "vitest"
import { folder, result, run, service } from "./support.ts"

const openShop = (cwd: string) => result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")

const refusal = (text: string) => JSON.parse(text).error

describe("migrate", () => {
  it("makes the database with its folder, and may be repeated", async () => {
    const cwd = folder()
    const database = "sqlite:data/shop.db"
    const expected = { database, upToDate: true }
    expect(await result(cwd, "migrate", "--database", database)).toEqual(expected)
    expect(await result(cwd, "migrate", "--database", database)).toEqual(expected)
    expect(existsSync(join(cwd, "data/shop.db"))).toBe(true)
  })

  it("takes the database of the environment, and lets a flag go before it", async () => {
    const cwd = folder()
    await run(cwd, ["migrate"], { TOLEM_DATABASE: "sqlite:a.db" })
    await run(cwd, ["migrate", "--database", "sqlite:b.db"], { TOLEM_DATABASE: "sqlite:c.db" })
    expect(["a.db", "b.db", "c.db", ".tolem"].map((name) => existsSync(join(cwd, name)))).toEqual([
      true,
      true,
      false,
      false
    ])
  })

  it("prints the statements for another tool, and touches no database", async () => {
    const cwd = folder()
    const { stdout } = await run(cwd, ["migrate", "--sql", "--database", "sqlite:shop.db"])
    expect(existsSync(join(cwd, "shop.db"))).toBe(false)
    const database = new DatabaseSync(join(cwd, "shop.db"))
    database.exec(stdout)
    database.close()
    const key = { TOLEM_SECRET_KEY: "rg3lTq0vQm1nZbW8yKx4Hc7dJs2fPa9u" }
    const verified = await run(cwd, ["verify", "--database", "sqlite:shop.db"], key)
    expect(verified).toMatchObject({ code: 0, stdout: expect.stringContaining('"findings":[]') })
    const address = "postgres://nobody@db.invalid/shop?schema=pay&prefix=p_"
    const later = await run(cwd, ["migrate", "--sql", "--after", "17", "--database", address])
    expect(later.stdout).toContain('create table "pay"."p_chain_links"')
    expect(later.stdout).not.toContain('create table "pay"."p_invoices" (')
    const whole = await result(cwd, "migrate", "--sql", "--json", "--database", address)
    expect(whole).toEqual({ sql: expect.stringContaining('create table "pay"."p_invoices" (') })
  })

  it("ends with 1 where the file is no database", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "letter.txt"), "Dear Sir or Madam, this is certainly no database. ".repeat(100))
    const variables = { TOLEM_SECRET_KEY: "rg3lTq0vQm1nZbW8yKx4Hc7dJs2fPa9u" }
    const { code, stderr } = await run(cwd, ["migrate", "--database", "sqlite:letter.txt"], variables)
    expect(code).toBe(1)
    expect(refusal(stderr.trim().split("\n").at(-1) ?? "")).toBe("database_unavailable")
  })

  it("says in plain words that a database does not encrypt, and goes no further", async () => {
    const server = createServer((socket) => {
      socket.on("error", () => {})
      socket.on("data", () => socket.write("N"))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    onTestFinished(() => void server.close())
    const database = `127.0.0.1:${(server.address() as AddressInfo).port}/shop`
    const address = `postgres://tolem:Kyzyl-Tulpan@${database}?sslmode=verify-full`
    const { code, stderr } = await run(folder(), ["migrate", "--database", address])
    expect([code, JSON.parse(stderr)]).toEqual([
      1,
      {
        error: "database_unavailable",
        message:
          `Cannot open the database postgres://${database}: ` +
          "it does not offer TLS, which sslmode asks for; nothing was sent to it"
      }
    ])
  })
})

describe("while a server runs on the same file", () => {
  it("opens organizations, makes keys that work at once, and deletes them at once", async () => {
    const cwd = folder()
    const server = await service(cwd)
    const { organization, owner } = await openShop(cwd)
    expect(organization.id).toMatch(/^org_/)
    expect(owner.id).toMatch(/^acc_/)

    const of = ["--org", organization.id, "--name", "till", "--mode"]
    const key = await result(cwd, "key", "create", ...of, "sandbox", "--scopes", "invoices:read,invoices:write")
    expect(key.apiKey).toMatch(/^svc_test_/)
    const live = await result(cwd, "key", "create", ...of, "live", "--scopes", "all")
    expect(live.apiKey).toMatch(/^svc_live_/)
    expect(live.scopes).toContain("refunds:write")

    const created = await call(server.url, key.apiKey, "/invoices", { amount: 1500 })
    expect(created.status).toBe(201)
    const refused = await call(server.url, key.apiKey, `/invoices/${created.body.id}/refund`, {})
    expect(refused.body.error).toBe("insufficient_scope")

    expect(await result(cwd, "key", "delete", "--id", key.id)).toEqual({ id: key.id, deleted: true })
    expect((await call(server.url, key.apiKey, "/invoices")).status).toBe(401)
    expect(await result(cwd, "verify")).toMatchObject({ ok: true, findings: [] })
  })

  it("adds webhook endpoints whose secret signs what the server sends", async () => {
    const cwd = folder()
    const { organization } = await openShop(cwd)
    const server = await service(cwd)
    const of = ["--org", organization.id, "--mode", "sandbox"]
    const key = await result(cwd, "key", "create", ...of, "--name", "till", "--scopes", "all")
    const url = "http://127.0.0.1:9/hook"
    const webhook = await result(cwd, "webhook", "create", ...of, "--url", url, "--events", "invoice.paid")
    expect(webhook.secret).toMatch(/^whsec_/)
    // The server opens the secret that the command has sealed: both have the key file beside the database.
    const { status } = await call(server.url, key.apiKey, `/webhook-endpoints/${webhook.id}/test`, {})
    expect(status).toBe(202)
    const listed = await call(server.url, key.apiKey, "/webhook-endpoints")
    expect(listed.body.endpoints).toMatchObject([{ id: webhook.id, url, events: ["invoice.paid"] }])
    expect(server.said.stderr).not.toContain("SecretUnreadable")
  })
})

const key = ["key", "create", "--mode", "live", "--name", "n", "--scopes"]
const webhook = ["webhook", "create", "--mode", "live"]
const address = ["--url", "https://shop.kz/hook"]

/** Where `--org` comes last, the organization of the case is its value. */
const refusals: ReadonlyArray<readonly [code: string, args: ReadonlyArray<string>]> = [
  ["invalid_phone", ["org", "create", "--name", "Shop", "--owner-phone", "12345"]],
  ["invalid_name", ["org", "create", "--name", " ", "--owner-phone", "77001234567"]],
  ["organization_not_found", [...key, "all", "--org", "org_nobody"]],
  ["organization_not_found", [...webhook, ...address, "--org", "org_nobody"]],
  ["invalid_scopes", [...key, "invoices:burn", "--org"]],
  ["webhook_url_requires_https", [...webhook, "--url", "http://shop.kz/hook", "--org"]],
  ["invalid_events", [...webhook, ...address, "--events", "invoice.lost", "--org"]],
  ["key_not_found", ["key", "delete", "--id", "key_nobody"]]
]

// One case each: a case of many commands would pass on an idle machine only.
describe("refusals", () => {
  it.each(refusals)("end with 1 and %s: %j", async (code, args) => {
    const cwd = folder()
    await run(cwd, ["migrate"])
    const given = args.at(-1) === "--org" ? [...args, (await openShop(cwd)).organization.id] : args
    const ended = await run(cwd, given)
    expect(refusal(ended.stderr)).toBe(code)
    expect(ended.stdout).toBe("")
    expect(ended.code).toBe(1)
  })
})

describe("verify", () => {
  it("ends with 1 and a list if the data was changed behind the service's back", async () => {
    const cwd = folder()
    const { organization } = await openShop(cwd)
    const server = await service(cwd)
    const of = ["--org", organization.id, "--mode", "sandbox"]
    const { apiKey } = await result(cwd, "key", "create", ...of, "--name", "till", "--scopes", "all")
    const { body } = await call(server.url, apiKey, "/invoices", { amount: 1500 })
    await call(server.url, apiKey, `/invoices/${body.id}/simulate`, { status: "paid" })
    expect(await result(cwd, "verify")).toMatchObject({ ok: true, findings: [] })

    const db = new DatabaseSync(join(cwd, ".tolem/tolem.db"))
    db.prepare("delete from tolem_events where invoice_id = ? and sequence = 1").run(body.id)
    db.close()
    const { code, stdout, stderr } = await run(cwd, ["verify"])
    expect(code).toBe(1)
    const { ok, findings } = JSON.parse(stdout)
    expect(ok).toBe(false)
    expect(findings).toContainEqual(expect.objectContaining({ rule: "sequences_gap_free" }))
    expect(JSON.stringify(findings)).toContain(body.id)
    expect(refusal(stderr)).toBe("verification_failed")
  })
})

describe("the key file", () => {
  it("is made once, for its owner only, even by several commands at once", async () => {
    const cwd = folder()
    await Promise.all([run(cwd, ["migrate"]), run(cwd, ["migrate"]), run(cwd, ["migrate"])])
    const path = join(cwd, ".tolem/tolem.db.key")
    const text = readFileSync(path, "utf8")
    expect(Buffer.from(text, "base64")).toHaveLength(32)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await run(cwd, ["migrate"])
    expect(readFileSync(path, "utf8")).toBe(text)
  })

  it("is not made where the environment has the keys", async () => {
    const cwd = folder()
    const keys = [
      "rg3lTq0vQm1nZbW8yKx4Hc7dJs2fPa9u",
      "a sentence that nobody else has ever written down".replaceAll(" ", "-")
    ]
    const { code } = await run(cwd, ["migrate"], { TOLEM_SECRET_KEY: keys.join(", ") })
    expect(code).toBe(0)
    expect(existsSync(join(cwd, ".tolem/tolem.db.key"))).toBe(false)
  })

  it("is made with a new database only", async () => {
    const cwd = folder()
    await run(cwd, ["migrate"])
    const path = join(cwd, ".tolem/tolem.db.key")
    rmSync(path)
    const { code, stderr } = await run(cwd, ["verify"])
    expect([code, refusal(stderr)]).toEqual([1, "key_file_missing"])
    expect(stderr).toContain(".tolem/tolem.db.key")
    expect(readdirSync(join(cwd, ".tolem")).filter((name) => name.includes("key"))).toEqual([])
  })

  it("is warned about where others can read it", async () => {
    const cwd = folder()
    await run(cwd, ["migrate"])
    const path = join(cwd, ".tolem/tolem.db.key")
    expect((await run(cwd, ["verify"])).stderr).toBe("")
    chmodSync(path, 0o640)
    const { code, stderr } = await run(cwd, ["verify"])
    expect(code).toBe(0)
    expect(stderr).toContain("chmod 600 '.tolem/tolem.db.key'")
  })

  it("is not believed when it is damaged", async () => {
    const cwd = folder()
    await run(cwd, ["migrate"])
    writeFileSync(join(cwd, ".tolem/tolem.db.key"), "")
    const { code, stderr } = await run(cwd, ["verify"])
    expect(code).toBe(1)
    expect(refusal(stderr)).toBe("key_file_unusable")
  })
})
