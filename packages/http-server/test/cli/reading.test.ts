/** Commands that only read change nothing: no file, no folder, no schema, no key. */
import { execFile } from "node:child_process"
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { type Ended, madeOf, program } from "@tolem/testing-harness/Program"
import { describe, expect, it } from "vitest"
import { folder, read, result, run } from "./support.ts"

const secretKey = { TOLEM_SECRET_KEY: "rg3lTq0vQm1nZbW8yKx4Hc7dJs2fPa9u" }

/** Modes do not stop root, so there it is done as a user that owns nothing. */
const stranger = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** Runs the program as a user who may not write in `cwd`. */
const asReader = (cwd: string, args: ReadonlyArray<string>) =>
  new Promise<Ended>((resolve) => {
    const options = { cwd, env: { PATH: process.env["PATH"], ...secretKey }, ...stranger }
    const child = execFile(process.execPath, [madeOf(program), ...args], options, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr })
    )
  })

/** Everything about the files in a folder that a command could have changed. */
const stateOf = (path: string) =>
  readdirSync(path).map((name) => {
    const { size, mtimeMs, mode } = statSync(join(path, name))
    return { name, size, mtimeMs, mode, bytes: readFileSync(join(path, name)).toString("base64") }
  })

const refusal = (text: string) => JSON.parse(text.trim().split("\n").at(-1) ?? "")

/** A database with an organization, sealed with the key of the environment; where it is and its organization's id. */
const shop = async (cwd: string) => {
  const made = await run(cwd, ["org", "create", "--name", "Shop", "--owner-phone", "77001234567"], secretKey)
  const { organization } = JSON.parse(made.stdout)
  return { data: join(cwd, ".tolem"), file: join(cwd, ".tolem/tolem.db"), id: organization.id as string }
}

describe("where nothing can be written", () => {
  it.each([
    [[["verify"], ["operator", "audit"], ["operator", "account", "list"]]],
    [
      [
        ["operator", "org", "list"],
        ["operator", "member", "list", "--org"],
        ["operator", "earnings", "list"]
      ]
    ],
    [
      [
        ["key", "list", "--org"],
        ["connection", "list", "--org"],
        ["tariff", "show", "--org"]
      ]
    ]
  ])("%j work and change nothing", async (commands) => {
    const cwd = folder()
    const { data, file, id } = await shop(cwd)
    for (const [path, mode] of [[file, 0o444] as const, [data, 0o555] as const, [cwd, 0o755] as const]) {
      chmodSync(path, mode)
    }
    const before = stateOf(data)
    const ended = await Promise.all(
      commands.map((args) => asReader(cwd, args.at(-1) === "--org" ? [...args, id] : args))
    )
    for (const { code, stdout, stderr } of ended) {
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('"error"')])
      expect(() => JSON.parse(stdout)).not.toThrow()
    }
    expect(stateOf(data)).toEqual(before)
    chmodSync(data, 0o755)
  })

  it("a log that cannot be read there is told of, and not passed over", async () => {
    const cwd = folder()
    const { file } = await shop(cwd)
    const data = join(cwd, "copy")
    mkdirSync(data)
    const server = new DatabaseSync(file)
    server.exec("create table unseen (a integer)")
    for (const suffix of ["", "-wal"]) {
      copyFileSync(`${file}${suffix}`, join(data, `shop.db${suffix}`))
      chmodSync(join(data, `shop.db${suffix}`), 0o444)
    }
    server.close()
    for (const [path, mode] of [[data, 0o555] as const, [cwd, 0o755] as const]) chmodSync(path, mode)
    const { code, stderr } = await asReader(cwd, ["verify", "--database", "sqlite:copy/shop.db"])
    expect([code, refusal(stderr).error]).toEqual([1, "database_unavailable"])
    expect(refusal(stderr).message).toContain("copy/shop.db-wal holds changes")
    chmodSync(data, 0o755)
  })
})

describe("verify", () => {
  it("leaves the files as they were, and none beside them", async () => {
    const cwd = folder()
    await result(cwd, "migrate")
    const before = stateOf(join(cwd, ".tolem"))
    expect(before.map(({ name }) => name)).toEqual(["tolem.db", "tolem.db.key"])
    expect(await result(cwd, "verify")).toMatchObject({ ok: true })
    expect(stateOf(join(cwd, ".tolem"))).toEqual(before)
  })

  it("says what was checked", async () => {
    const cwd = folder()
    await result(cwd, "migrate")
    expect(await result(cwd, "verify")).toMatchObject({ database: "sqlite:.tolem/tolem.db", ok: true })
    const { stdout } = await read(cwd, "verify")
    expect(stdout).toMatch(
      /^Checked: sqlite:.tolem\/tolem.db\.\nRows: .*invoices 0.*\nRules: \d+\.\nAll checks passed\.\n$/s
    )
  })

  it("makes neither a database nor a key", async () => {
    const cwd = folder()
    const ended = await Promise.all(
      ["sqlite:.tolem/tolem.db", "sqlite::memory:"].map((url) => run(cwd, ["verify", "--database", url]))
    )
    for (const { code, stderr } of ended) expect([code, refusal(stderr).error]).toEqual([1, "database_not_found"])
    expect(readdirSync(cwd)).toEqual([])
  })

  it("leaves an older schema as it is, and tells what to do", async () => {
    const cwd = folder()
    await result(cwd, "migrate")
    const db = new DatabaseSync(join(cwd, ".tolem/tolem.db"))
    db.exec("delete from tolem_migrations where migration_id > 1")
    db.close()
    const before = stateOf(join(cwd, ".tolem"))
    const { code, stderr } = await run(cwd, ["verify"])
    expect([code, refusal(stderr).error]).toEqual([1, "schema_outdated"])
    expect(refusal(stderr).message).toMatch(/lacks 0002_views, .*: tolem migrate --database 'sqlite:.tolem\/tolem.db'$/)
    expect(stateOf(join(cwd, ".tolem"))).toEqual(before)
  })
})

const organization = ["--org", "org_1"]
const sandbox = [...organization, "--mode", "sandbox"]

describe("a database that is not there", () => {
  it.each([
    [["key", "create", ...sandbox, "--name", "n", "--scopes", "all"]],
    [["key", "delete", "--id", "key_1"]],
    [["webhook", "create", ...sandbox, "--url", "https://shop.kz/hook"]],
    [["connection", "create", ...organization, "--name", "Till"]],
    [["org", "mode", ...sandbox]],
    [["clock", "advance", ...organization, "--by", "1d"]],
    [["tariff", "buy", ...organization, "--tariff", "trial"]],
    [["operator", "account", "block", "--id", "acc_1"]],
    [["secrets", "reseal"]],
    [["seal"]]
  ])("is not made by %j", async (args) => {
    const cwd = folder()
    const { code, stderr } = await run(cwd, args)
    expect([code, refusal(stderr).error]).toEqual([1, "database_not_found"])
    expect(refusal(stderr).message).toContain("tolem migrate --database 'sqlite:.tolem/tolem.db'")
    expect(readdirSync(cwd)).toEqual([])
  })

  it("leads to the one that is", async () => {
    const cwd = folder()
    await result(cwd, "migrate")
    const { stderr } = await run(cwd, ["verify", "--database", "sqlite:.tolem/tolme.db"])
    expect(refusal(stderr).message).toContain("Did you mean sqlite:.tolem/tolem.db?")
  })
})
