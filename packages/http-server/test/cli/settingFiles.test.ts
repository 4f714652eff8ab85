/** Variables whose text is in a file, as containers have their secrets. */
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Redacted, Result } from "effect"
import { describe, expect, it } from "vitest"
import { parseDatabase } from "../../src/cli/kit/Database.ts"
import { folder, run } from "./support.ts"

const key = "a-text-for-tests-only-of-no-use-anywhere-else"

/** A folder with these files. */
const withFiles = (files: Readonly<Record<string, string>>) => {
  const cwd = folder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(cwd, name), text)
  return cwd
}

const makeOrg = ["org", "create", "--name", "Shop", "--owner-phone", "77001234567"]

describe("a setting in a file", () => {
  it("counts as the variable, without the line break at its end", async () => {
    const cwd = withFiles({ database: "sqlite:shop.db\n", key: `${key}\r\n` })
    const files = { TOLEM_DATABASE_FILE: "database", TOLEM_SECRET_KEY_FILE: "key" }
    const made = await run(cwd, makeOrg, files)
    expect(made).toMatchObject({ code: 0, stderr: "" })
    expect([existsSync(join(cwd, "shop.db")), existsSync(join(cwd, "shop.db.key"))]).toEqual([true, false])
    const { id } = JSON.parse(made.stdout).organization
    const url = ["--url", "https://example.com/hook"]
    const hook = await run(cwd, ["webhook", "create", "--org", id, "--mode", "sandbox", ...url], files)
    expect(hook.code).toBe(0)
    // What was sealed with the key of the file opens with the same text as a variable, and with no other.
    const database = { TOLEM_DATABASE: "sqlite:shop.db" }
    const same = await run(cwd, ["verify"], { ...database, TOLEM_SECRET_KEY: key })
    expect(same.code).toBe(0)
    const other = await run(cwd, ["verify"], { ...database, TOLEM_SECRET_KEY: key.toUpperCase() })
    expect(JSON.parse(other.stderr)).toMatchObject({ error: "secret_key_wrong" })
  })

  it.each([
    ["that cannot be read", { TOLEM_SECRET_KEY_FILE: "absent" }, "cannot read the file absent: NotFound"],
    ["that is empty", { TOLEM_SECRET_KEY_FILE: "empty" }, "the file empty is empty"],
    [
      "beside the variable",
      { TOLEM_SECRET_KEY_FILE: "key", TOLEM_SECRET_KEY: key },
      "set it or TOLEM_SECRET_KEY_FILE, not both"
    ],
    ["of a flag that cannot be read", { TOLEM_DATABASE_FILE: "absent" }, "cannot read the file absent: NotFound"]
  ])("ends the command where it is one %s", async (_, variables, reason) => {
    const cwd = withFiles({ key, empty: "\n" })
    const { code, stderr } = await run(cwd, ["migrate"], variables)
    const name = (Object.keys(variables)[0] ?? "").replace("_FILE", "")
    expect(JSON.parse(stderr)).toEqual({ error: "usage", message: `${name}: ${reason}` })
    expect(code).toBe(2)
    expect(stderr).not.toContain(key)
    expect(existsSync(join(cwd, ".tolem/tolem.db"))).toBe(false)
  })
})

describe("the password of a database", () => {
  const addressOf = (url: string) => {
    const location = Result.getOrThrow(parseDatabase(url, Redacted.make("p/s:%@ 1")))
    return location.kind === "postgres" ? { at: Redacted.value(location.options.url), shown: location.url } : undefined
  }

  it("is added to an address that has none, whatever it is made of, and is not shown", () => {
    const { at = "", shown } = addressOf("postgres://server@db.example:5432/tolem?schema=s") ?? {}
    expect(decodeURIComponent(new URL(at).password)).toBe("p/s:%@ 1")
    expect(new URL(at)).toMatchObject({ username: "server", host: "db.example:5432", pathname: "/tolem" })
    expect(shown).toBe("postgres://db.example:5432/tolem?schema=s")
  })

  it("gives way to the address's own, and is of no meaning to a file", () => {
    expect(addressOf("postgres://server:own@db.example/tolem")?.at).toContain("server:own@")
    expect(addressOf("sqlite:shop.db")).toBeUndefined()
  })

  it("comes from a file", async () => {
    const cwd = withFiles({ password: "hush\n" })
    const variables = { TOLEM_DATABASE: "postgres://me@127.0.0.1:1/none", TOLEM_DATABASE_PASSWORD_FILE: "password" }
    const { stderr } = await run(cwd, ["migrate"], variables)
    expect(JSON.parse(stderr)).toMatchObject({ error: "database_unavailable" })
    expect(stderr).not.toContain("hush")
    const absent = await run(cwd, ["migrate"], { ...variables, TOLEM_DATABASE_PASSWORD_FILE: "absent" })
    expect(JSON.parse(absent.stderr)).toMatchObject({ error: "usage" })
  })
})
