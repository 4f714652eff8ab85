/** `tolem copy`: a shop moves, and its clients notice nothing but a pause. */
import { copyFileSync, existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { call } from "@tolem/testing-harness/Client"
import { receive } from "@tolem/testing-harness/Receiver"
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { describe, expect, it, onTestFinished } from "vitest"
import { eventually } from "../support/eventually.ts"
import { begin, folder, readWith, result, run, service } from "./support.ts"

const file = "sqlite:.tolem/tolem.db"

const database = async () => {
  const made = await createDatabase()
  onTestFinished(() => made.drop())
  return made
}

const refusal = (text: string) => JSON.parse(text.trim().split("\n").at(-1) ?? "")

/** Brings the key file where servers on that database look for it. */
const withKeys = (cwd: string, url: string) => {
  const { host, pathname } = new URL(url)
  const name = `${host}${pathname}`.replace(/[^A-Za-z0-9.-]+/g, "_")
  copyFileSync(join(cwd, ".tolem/tolem.db.key"), join(cwd, `.tolem/${name}.key`))
}

const logIn = async (server: Awaited<ReturnType<typeof service>>) => {
  const post = (path: string, body: object) =>
    fetch(`${server.url}/panel${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const { challengeId } = await (await post("/login/code", { phone: "77001234567" })).json()
  const code = await eventually(() => {
    const [, found] = /"code":"(\d+)"/.exec(server.said.stderr) ?? []
    return found ?? Promise.reject(new Error("not logged yet"))
  })
  const opened = await post("/login/verify", { challengeId, code })
  return (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
}

/** A shop with something of everything that its clients see; and how they see it on a server. */
const shop = async (cwd: string) => {
  const { organization } = await result(cwd, "org", "create", "--name", "Shop", "--owner-phone", "77001234567")
  const of = ["--org", organization.id, "--mode", "sandbox"]
  const { apiKey } = await result(cwd, "key", "create", ...of, "--name", "k", "--scopes", "all")
  const receiver = await receive()
  onTestFinished(() => receiver.close())
  const endpoint = await result(cwd, "webhook", "create", ...of, "--url", `${receiver.url}/hook`)
  receiver.secret = endpoint.secret
  const deliveries = `/webhook-endpoints/${endpoint.id}/deliveries`
  const settings = [
    "--webhook-private-networks",
    "127.0.0.0/8",
    "--login-channel",
    "console",
    "--base-url",
    "https://shop.example"
  ]
  const seen = async (url: string, cookie: string, id: string) => {
    const paths = ["/invoices?limit=50", `/invoices/${id}`, "/subscriptions", "/payment-links", "/form-hooks"]
    const more = ["/events?limit=3", "/events", "/webhook-endpoints", deliveries]
    const answers = await Promise.all([...paths, ...more].map((path) => call(url, apiKey, path)))
    const session = await fetch(`${url}/panel/session`, { headers: { cookie } })
    return { answers: answers.map(({ status, body }) => ({ status, body })), session: await session.json() }
  }
  return { apiKey, receiver, settings, seen, deliveries }
}

const daily = {
  amount: 500,
  schedule: { every: 1, unit: "day" },
  startAt: "2030-01-01T00:00:00Z"
}

describe("a shop on SQLite", () => {
  it("answers the same on PostgreSQL, and signs the same", async () => {
    const cwd = folder()
    const { apiKey, receiver, settings, seen, deliveries } = await shop(cwd)
    const { url } = await database()
    const old = await service(cwd, ["serve", ...settings])
    const cookie = await logIn(old)
    const metadata = { note: "ә \u2028 👩\u200d👧", big: 12_345_678_901_234 }
    const { body: invoice } = await call(old.url, apiKey, "/invoices", { amount: 1500, metadata })
    for (const amount of [1, 2, 3]) await call(old.url, apiKey, "/invoices", { amount })
    await call(old.url, apiKey, `/invoices/${invoice.id}/simulate`, { status: "paid" })
    const made = await Promise.all([
      call(old.url, apiKey, "/subscriptions", daily),
      call(old.url, apiKey, "/payment-links", { title: "Tea", slug: "tea-of-a-copy" }),
      call(old.url, apiKey, "/form-hooks", { name: "Form" })
    ])
    expect(made.map(({ status, body }) => [status, body])).toEqual(made.map(({ body }) => [201, body]))
    await expect.poll(() => receiver.arrivals.length).toBe(1)
    await expect.poll(async () => (await call(old.url, apiKey, deliveries)).body.deliveries[0].status).toBe("delivered")
    const before = await seen(old.url, cookie, invoice.id)
    const { body: page } = await call(old.url, apiKey, "/events?limit=2")

    const refused = await run(cwd, ["copy", "--from", file, "--to", url])
    expect([refused.code, refusal(refused.stderr).error]).toEqual([1, "copy_source_in_use"])
    await old.stop()

    const copied = await result(cwd, "copy", "--from", file, "--to", url)
    expect(copied).toMatchObject({ ok: true, from: file, resumed: 0, tables: { invoices: 4, sessions: 1 } })
    expect(JSON.stringify(copied)).not.toContain(new URL(url).password || "no password")
    expect(copied.hint).toContain("copy .tolem/tolem.db.key to .tolem/")
    withKeys(cwd, url)
    expect(await result(cwd, "verify", "--database", url)).toMatchObject({ ok: true })

    const fresh = await service(cwd, ["serve", "--database", url, ...settings])
    expect(before.answers.map(({ status }) => status)).toEqual(before.answers.map(() => 200))
    expect(await seen(fresh.url, cookie, invoice.id)).toEqual(before)
    const { body: rest } = await call(fresh.url, apiKey, `/events?after=${page.cursor}`)
    const { body: whole } = await call(fresh.url, apiKey, "/events")
    expect([...page.events, ...rest.events]).toEqual(whole.events)
    const { body: another } = await call(fresh.url, apiKey, "/invoices", { amount: 4 })
    await call(fresh.url, apiKey, `/invoices/${another.id}/simulate`, { status: "paid" })
    await expect.poll(() => receiver.arrivals.length).toBe(2)
    expect(receiver.arrivals.map(({ isSigned }) => isSigned)).toEqual([true, true])
    const { body: next } = await call(fresh.url, apiKey, "/events")
    expect(next.events.slice(0, -2)).toEqual(whole.events)
    await fresh.stop()
  })

  it("is served by none until a copy that was killed has ended", async () => {
    const cwd = folder()
    await shop(cwd)
    const { url, query } = await database()
    const copying = begin(cwd, ["copy", "--from", file, "--to", url])
    await expect
      .poll(async () => (await query("select to_regclass('tolem_copy')::text as mark"))[0]?.["mark"], { interval: 5 })
      .toBe("tolem_copy")
    await copying.kill()
    withKeys(cwd, url)
    const [marked] = await query("select to_regclass('tolem_copy')::text as mark")
    if (marked?.["mark"] !== null) {
      const serving = await run(cwd, ["serve", "--database", url, "--port", "0"])
      expect([serving.code, refusal(serving.stderr).error]).toEqual([1, "copy_unfinished"])
      expect(await result(cwd, "copy", "--from", file, "--to", url)).toMatchObject({ ok: true, hint: null })
    }
    expect(await result(cwd, "verify", "--database", url)).toMatchObject({ ok: true })
  })

  it("is told to people in words, and goes back into a file", async () => {
    const cwd = folder()
    await shop(cwd)
    const { url } = await database()
    await result(cwd, "copy", "--from", file, "--to", url)
    withKeys(cwd, url)
    const told = await readWith({}, cwd, "copy", "--from", url, "--to", "sqlite:back/shop.db")
    // Each of its tasks is counted from nothing.
    const labels = told.stderr.split("\r\u{1b}[2K").flatMap((line) => /^[A-Z][a-z ]+(?=: \d+ %)/.exec(line) ?? [])
    expect(Array.from(new Set(labels))).toEqual(["Making tables", "Copying", "Checking"])
    expect(told.stdout).toMatch(
      /^Copied \d+ rows from postgres.* to sqlite:back\/shop.db, and compared each of them\.\n/
    )
    expect(told.stdout).toContain("Give servers on sqlite:back/shop.db the same keys before they start")
    copyFileSync(join(cwd, ".tolem/tolem.db.key"), join(cwd, "back/shop.db.key"))
    expect(await result(cwd, "verify", "--database", "sqlite:back/shop.db")).toMatchObject({ ok: true })
  })
})

describe("a copy is refused", () => {
  const cases: ReadonlyArray<readonly [error: string, from: string, to: string]> = [
    ["database_not_found", "sqlite:none.db", "sqlite:new.db"],
    ["usage", file, file],
    ["usage", file, "sqlite::memory:"],
    ["usage", file, "mysql://host/shop"],
    ["copy_target_not_empty", file, "sqlite:other/tolem.db"],
    ["secret_key_wrong", file, "sqlite:other/new.db"]
  ]

  it.each(cases)("with %s: from %s to %s", async (error, from, to) => {
    const cwd = folder()
    await shop(cwd)
    await result(cwd, "migrate", "--database", "sqlite:other/tolem.db")
    copyFileSync(join(cwd, "other/tolem.db.key"), join(cwd, "other/new.db.key"))
    if (error === "copy_target_not_empty") {
      copyFileSync(join(cwd, ".tolem/tolem.db.key"), join(cwd, "other/tolem.db.key"))
    }
    const ended = await run(cwd, ["copy", "--from", from, "--to", to])
    expect([ended.code, refusal(ended.stderr).error]).toEqual([error === "usage" ? 2 : 1, error])
    expect(existsSync(join(cwd, "other/new.db"))).toBe(false)
  })
})

describe("what cannot begin", () => {
  const away = (url: string) => Object.assign(new URL(url), { pathname: "/tolem_nowhere" }).href

  it("is a copy, which tells which of the two is not there, or is none, and what to do", async () => {
    const cwd = folder()
    await result(cwd, "migrate")
    writeFileSync(join(cwd, "some.log"), "no database at all, but long enough to look like one. ".repeat(20))
    const { url } = await database()
    const told = async (from: string, to: string) => {
      const { code, stderr } = await run(cwd, ["copy", "--from", from, "--to", to])
      const { error, message } = refusal(stderr)
      return [code, error, message]
    }
    const missing = (words: RegExp) => [1, "database_not_found", expect.stringMatching(words)]
    const unusable = (words: RegExp) => [1, "database_unavailable", expect.stringMatching(words)]
    expect(await told("sqlite:none.db", url)).toEqual(missing(/Name the one that is to be copied with --from$/))
    expect(await told(away(url), "sqlite:new.db")).toEqual(missing(/Name the one that is to be copied with --from$/))
    expect(await told(file, away(url))).toEqual(missing(/^There is no .*with --to, or make it on that server/))
    expect(await told("sqlite:some.log", url)).toEqual(unusable(/is not a database.* with --from$/))
    expect(await told(file, "sqlite:some.log")).toEqual(unusable(/is not a database.* with --to$/))
    expect(await told(file, "postgres://user@127.0.0.1:1/x")).toEqual(unusable(/^Cannot open the database .*REFUSED/))
    expect(await told(url, "sqlite:new.db")).toEqual([
      1,
      "schema_outdated",
      expect.stringMatching(/has no tables of Tölem yet: there is nothing to copy\. Name another with --from$/)
    ])
    expect(existsSync(join(cwd, "new.db"))).toBe(false)
  })

  it("is any other command, which says so in one line", async () => {
    const cwd = folder()
    const { url, query } = await database()
    writeFileSync(join(cwd, "empty.db"), "")
    const told = async (address: string) => {
      const { code, stderr } = await run(cwd, ["verify", "--database", address])
      const { error, message } = refusal(stderr)
      return [code, error, message]
    }
    expect(await told(away(url))).toEqual([
      1,
      "database_not_found",
      expect.stringMatching(/^There is no .*tolem_nowhere\. Name another with --database, or make it .*: tolem migrate/)
    ])
    const bare = [
      1,
      "schema_outdated",
      expect.stringMatching(/^.{1,100} has no tables of Tölem yet\. .*: tolem migrate/)
    ]
    expect(await told(url)).toEqual(bare)
    expect(await told("sqlite:empty.db")).toEqual(bare)
    await result(cwd, "migrate", "--database", url)
    await query("delete from tolem_migrations where migration_id > 1")
    const older = /lacks 0002_views, 0003_secret_checks, 0004_connections and \d+ more\. Run, .*: tolem migrate/
    expect(await told(url)).toEqual([1, "schema_outdated", expect.stringMatching(older)])
  })
})
