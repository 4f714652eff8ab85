/** `tolem backup`: one moment of a database on which a server works, or nothing at all. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { call } from "@tolem/testing-harness/Client"
import { expect, it } from "vitest"
import { folder, read, result, run, service } from "./support.ts"

/** A folder with a database, a key of a merchant and 30 invoices. */
const shop = async () => {
  const cwd = folder()
  const { organization } = await result(cwd, "org", "create", "--name", "A", "--owner-phone", "77001234567", "--json")
  const key = ["--org", organization.id, "--mode", "sandbox", "--name", "k", "--scopes", "all"]
  const { apiKey } = await result(cwd, "key", "create", ...key, "--json")
  return { cwd, apiKey }
}

const refused = async (cwd: string, ...args: ReadonlyArray<string>) => {
  const { code, stderr } = await run(cwd, ["backup", ...args, "--json"])
  return { code, ...JSON.parse(stderr.trim().split("\n").at(-1) ?? "") }
}

it("holds all that was acknowledged before it began, whatever is written meanwhile, and nothing by half", async () => {
  const { cwd, apiKey } = await shop()
  const server = await service(cwd)
  const ids: Array<string> = []
  const load = (async () => {
    for (let n = 0; n < 60; n++) ids.push((await call(server.url, apiKey, "/invoices", { amount: 10 })).body.id)
  })()
  while (ids.length < 20) await new Promise<void>((resolve) => setImmediate(resolve))
  const before = [...ids]
  const to = join(cwd, "backups", "today.db")
  mkdirSync(join(cwd, "backups"))
  const made = await result(cwd, "backup", "--to", to, "--json")
  await load
  expect(made).toMatchObject({ ok: true, database: "sqlite:.tolem/tolem.db", to, findings: [], note: null })
  expect(made.bytes).toBe(statSync(to).size)
  expect(readdirSync(join(cwd, "backups"))).toEqual(["today.db"])
  if (process.platform !== "win32") expect(statSync(to).mode & 0o777).toBe(0o600)
  const copy = new DatabaseSync(to, { readOnly: true })
  const found = new Set(
    copy
      .prepare("select id from tolem_invoices")
      .all()
      .map(({ id }) => id)
  )
  copy.close()
  expect(before.filter((id) => !found.has(id))).toEqual([])
})

it("is refused where it would overwrite, where there is no folder, and of what is no SQLite file", async () => {
  const { cwd } = await shop()
  writeFileSync(join(cwd, "taken.db"), "mine")
  writeFileSync(join(cwd, "text.db"), "no database at all, but long enough to look like one. ".repeat(100))
  expect(await refused(cwd, "--to", "taken.db")).toMatchObject({ code: 1, error: "backup_target_exists" })
  expect(readFileSync(join(cwd, "taken.db"), "utf8")).toBe("mine")
  expect(await refused(cwd, "--to", "none/b.db")).toMatchObject({ code: 1, error: "backup_target_unwritable" })
  const text = await refused(cwd, "--to", "b.db", "--database", "sqlite:text.db")
  expect(text).toMatchObject({ code: 1, error: "backup_source_unreadable" })
  const none = await refused(cwd, "--to", "b.db", "--database", "sqlite:none.db")
  expect(none).toMatchObject({ code: 1, error: "database_not_found" })
  const memory = await refused(cwd, "--to", "b.db", "--database", "sqlite::memory:")
  expect(memory).toMatchObject({ code: 2, error: "usage" })
  const postgres = await refused(cwd, "--to", "b.db", "--database", "postgres://user@host/name")
  expect(postgres).toMatchObject({ code: 2, error: "usage" })
  expect(postgres.message).toContain("pg_dump")
  expect(readdirSync(cwd).toSorted()).toEqual([".tolem", "taken.db", "text.db"])
})

it("is not made if it could not be checked, or if there is nothing to back up", async () => {
  const { cwd } = await shop()
  copyFileSync(join(cwd, ".tolem/tolem.db"), join(cwd, "moved.db"))
  const moved = await refused(cwd, "--to", "b.db", "--database", "sqlite:moved.db")
  expect(moved).toMatchObject({ code: 1, error: "key_file_missing" })
  expect(moved.message).toContain("moved.db.key")
  writeFileSync(join(cwd, "empty.db"), "")
  const empty = await refused(cwd, "--to", "b.db", "--database", "sqlite:empty.db")
  expect(empty).toMatchObject({ code: 1, error: "backup_source_empty" })
  expect(readdirSync(cwd).toSorted()).toEqual([".tolem", "empty.db", "moved.db"])
})

it("of a damaged file is none", async () => {
  const { cwd } = await shop()
  const file = join(cwd, ".tolem/tolem.db")
  const db = new DatabaseSync(file)
  const [page] = db.prepare("select rootpage from sqlite_schema where name = 'tolem_accounts'").all()
  db.exec("pragma wal_checkpoint(truncate)")
  db.close()
  const bytes = readFileSync(file)
  const pageSize = bytes.readUInt16BE(16)
  bytes.fill(0xff, (Number(page?.["rootpage"]) - 1) * pageSize + 8, Number(page?.["rootpage"]) * pageSize)
  writeFileSync(file, bytes)
  expect(await refused(cwd, "--to", "b.db")).toMatchObject({ code: 1, error: "backup_damaged" })
  expect(readdirSync(cwd)).toEqual([".tolem"])
})

it("stays, and is told of, if the rules find something in it; and says so to people", async () => {
  const { cwd, apiKey } = await shop()
  const server = await service(cwd)
  const { id } = (await call(server.url, apiKey, "/invoices", { amount: 10 })).body
  const clean = await read(cwd, "backup", "--to", "clean.db")
  expect(clean.stdout).toContain("All checks of tolem verify passed on it.")
  expect(clean.stdout).toContain("The keys that open its secrets are not in it: keep .tolem/tolem.db.key elsewhere.")
  const db = new DatabaseSync(join(cwd, ".tolem/tolem.db"))
  db.exec(`update tolem_invoices set refunded = 7 where id = '${id}'`)
  db.close()
  const found = await refused(cwd, "--to", "b.db")
  expect(found).toMatchObject({ code: 1, error: "verification_failed" })
  expect(found.message).toContain(id)
  expect(readdirSync(cwd)).toContain("b.db")
  // Where its keys are not, it is no backup that could be restored.
  const other = folder()
  copyFileSync(join(cwd, "clean.db"), join(other, "clean.db"))
  const locked = await refused(other, "--to", "b.db", "--database", "sqlite:clean.db")
  expect(locked.code).toBe(1)
})

it("of a schema of an earlier version is made, and not checked by the rules of this one", async () => {
  const { cwd } = await shop()
  const db = new DatabaseSync(join(cwd, ".tolem/tolem.db"))
  db.exec("delete from tolem_migrations where migration_id = (select max(migration_id) from tolem_migrations)")
  db.close()
  expect(await result(cwd, "backup", "--to", "b.db", "--json")).toMatchObject({
    ok: true,
    findings: [],
    note: expect.stringContaining("schema of an earlier version")
  })
})
