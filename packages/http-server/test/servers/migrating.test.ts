/** The schema of a PostgreSQL as an operator meets it: by commands, with a password that nobody else may read. */
import { randomBytes } from "node:crypto"
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { describe, expect, it } from "vitest"
import { folder, run, service } from "../cli/support.ts"
import { afterwards, times } from "../cluster/support/cluster.ts"

const variables = { TOLEM_SECRET_KEY: "a-key-for-tests-only-of-no-use-anywhere-else" }
const password = "Kyzyl-Tulpan-7"

/** An empty database, whose owner has a password that is no common word. */
const owned = async () => {
  const database = await createDatabase()
  afterwards(database.drop)
  const owner = `owner_${randomBytes(8).toString("hex")}`
  await database.query(`create role ${owner} login superuser password '${password}'`)
  afterwards(() => database.query(`drop role ${owner}`).catch(() => dropOwned(database, owner)))
  return { ...database, url: Object.assign(new URL(database.url), { username: owner, password }).href }
}

type Query = Awaited<ReturnType<typeof createDatabase>>["query"]

const dropOwned = async ({ query }: { readonly query: Query }, owner: string) => {
  await query(`drop owned by ${owner} cascade`)
  await query(`drop role ${owner}`)
}

const tolem = (url: string, ...args: ReadonlyArray<string>) =>
  run(folder(), [...args, "--json", "--database", url], variables)

const serve = ["serve", "--port", "0"]
const org = ["org", "create", "--name", "Dastarkhan", "--owner-phone", "77001234567"]

const refuses = async (url: string, args: ReadonlyArray<string>, error: string) => {
  const { code, stdout, stderr } = await tolem(url, ...args)
  expect(code, args.join(" ")).toBe(1)
  expect(JSON.parse(stderr || stdout).error).toBe(error)
  expect(stdout + stderr).not.toContain(password)
  return stdout + stderr
}

describe("the schema of a PostgreSQL", () => {
  it("is asked for by every command, and by a server, while it is missing or older", async () => {
    const { url, query } = await owned()
    for (const args of [serve, org, ["verify"]]) {
      expect(await refuses(url, args, "schema_outdated")).toContain("tolem migrate --database")
    }
    expect((await tolem(url, "migrate")).code).toBe(0)
    const removed = await query("delete from tolem_migrations where migration_id > 1 returning migration_id")
    expect(removed.length).toBeGreaterThan(0)
    const message = await refuses(url, serve, "schema_outdated")
    expect(message).toContain("tolem migrate --database")
    expect(message).not.toContain("0001_init")
  })

  it("needs the key that its secrets are sealed with: no command makes another", async () => {
    const { url } = await owned()
    await tolem(url, "migrate")
    const [first, second] = [folder(), folder()]
    const verify = ["verify", "--json", "--database", url]
    expect((await run(first, verify)).code).toBe(0)
    expect(existsSync(join(first, ".tolem"))).toBe(false)
    const open = ["org", "create", "--name", "Shop", "--owner-phone", "77001234567", "--database", url]
    expect((await run(first, open)).code).toBe(0)
    expect(readdirSync(join(first, ".tolem"))).toHaveLength(1)
    const { code, stderr } = await run(second, verify)
    expect([code, JSON.parse(stderr).error]).toEqual([1, "key_file_missing"])
    expect(existsSync(join(second, ".tolem"))).toBe(false)
    expect((await run(first, verify)).code).toBe(0)
  })

  it("may be that of a later version", async () => {
    const { url, query } = await owned()
    await tolem(url, "migrate")
    await query("insert into tolem_migrations (migration_id, name) values (9999, 'of_a_later_version')")
    const { ready, said } = await service(folder(), ["serve", "--host", "127.0.0.1", "--database", url], variables)
    expect(ready.port).toBeGreaterThan(0)
    expect(said.stdout + said.stderr).not.toContain(password)
  })

  it("is made once by four commands at once", async () => {
    const { url, query } = await owned()
    const ends = await Promise.all(times(4).map(() => tolem(url, "migrate")))
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    const made = ends.map(({ stdout }) => JSON.parse(stdout))
    expect(made.filter(({ steps }) => steps.length > 0)).toHaveLength(1)
    expect(made.every(({ upToDate, searchIndex }) => upToDate && searchIndex)).toBe(true)
    const doubled = "select migration_id from tolem_migrations group by migration_id having count(*) > 1"
    expect(await query(doubled)).toEqual([])
    expect(await query("select indisvalid as valid from pg_index where not indisvalid")).toEqual([])
    expect(JSON.stringify(ends)).not.toContain(password)
  })

  it("keeps sets of tables apart that are named by parameters", async () => {
    const { url, query } = await owned()
    const sets = [url, `${url}?schema=pay`, `${url}?schema=pay&prefix=second_`]
    for (const set of sets) {
      await refuses(set, ["verify"], "schema_outdated")
      expect((await tolem(set, "migrate")).code).toBe(0)
    }
    expect((await tolem(`${url}?schema=pay`, ...org)).code).toBe(0)
    const tables = ["public.tolem_organizations", "pay.tolem_organizations", "pay.second_organizations"]
    const counts = await Promise.all(tables.map((table) => query(`select count(*)::int as n from ${table}`)))
    expect(counts).toEqual([[{ n: 0 }], [{ n: 1 }], [{ n: 0 }]])
  })
})

describe("a password", () => {
  it("is never shown, whatever is wrong with the address", async () => {
    const { url } = await owned()
    const missing = Object.assign(new URL(url), { pathname: "/no_such_database" }).href
    const wrongs = [
      Object.assign(new URL(url), { password: `${password}-wrong` }).href,
      // Nothing listens there.
      Object.assign(new URL(url), { port: "1" }).href
    ]
    await Promise.all(wrongs.map((wrong) => refuses(wrong, ["migrate"], "database_unavailable")))
    await refuses(missing, ["migrate"], "database_not_found")
    await refuses(wrongs[0]!, serve, "database_unavailable")
    const malformed = [`${url}?pool_size=${password}`, `${url}?schema=${password};`, `postgres://u:${password}@`]
    for (const { code, stdout, stderr } of await Promise.all(malformed.map((each) => tolem(each, "migrate")))) {
      expect(code).not.toBe(0)
      expect(stdout + stderr).not.toContain(password)
    }
  })
})
