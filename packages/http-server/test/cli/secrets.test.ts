import { mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { folder, run } from "./support.ts"

const [oldKey, newKey] = ["an-old-text-for-tests-only-of-no-use", "a-new-text-for-tests-only-of-no-use"]

it("tolem secrets reseal: the old key is not needed afterwards, nor of any use", async () => {
  const cwd = folder()
  const using = (...keys: ReadonlyArray<string>) => ({
    TOLEM_DATABASE: "sqlite:s.db",
    TOLEM_SECRET_KEY: keys.join(",")
  })
  const made = await run(cwd, ["org", "create", "--name", "Shop", "--owner-phone", "77001234567"], using(oldKey))
  const of = ["--org", JSON.parse(made.stdout).organization.id, "--mode", "sandbox"]
  const url = ["--url", "https://example.com/hook"]
  expect(await run(cwd, ["webhook", "create", ...of, ...url], using(oldKey))).toMatchObject({ code: 0 })

  // The endpoint's secret, and the ends of chains: audit, account, organization, endpoint, and that of all chains.
  const sealed = await run(cwd, ["secrets", "reseal"], using(newKey, oldKey))
  expect([sealed.code, JSON.parse(sealed.stdout)]).toEqual([0, { resealed: 6, unreadable: [] }])
  const again = await run(cwd, ["secrets", "reseal"], using(newKey))
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { resealed: 0, unreadable: [] }])
  const late = await run(cwd, ["secrets", "reseal"], using(oldKey))
  expect([late.code, JSON.parse(late.stderr).error]).toEqual([1, "secret_key_wrong"])
})

it("keys are not asked for where something else than a database is", async () => {
  const cwd = folder()
  writeFileSync(join(cwd, "some.log"), "no database at all, but long enough to look like one. ".repeat(20))
  mkdirSync(join(cwd, "some"))
  const told = async (name: string, variables = {}) => {
    const { code, stderr } = await run(cwd, ["verify", "--database", `sqlite:${name}`], variables)
    return [code, JSON.parse(stderr.trim().split("\n").at(-1) ?? "")]
  }
  const refusal = (what: string) => [
    1,
    { error: "database_unavailable", message: `sqlite:${what}. Name the right one with --database` }
  ]
  const log = refusal("some.log is not a database: the file holds something else")
  expect(await told("some.log")).toEqual(log)
  expect(await told("some.log", { TOLEM_SECRET_KEY: newKey })).toEqual(log)
  expect(await told("some")).toEqual(refusal("some is not a database: it is a folder"))
  expect(readdirSync(cwd).toSorted()).toEqual(["some", "some.log"])
})
