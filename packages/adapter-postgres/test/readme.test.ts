/** The README's lines about PostgreSQL, as they stand. */
import { execFile } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { createDatabase, type TestDatabase } from "@tolem/testing-postgres/Databases"
import { afterAll, assert, beforeAll, it } from "vitest"

const root = fileURLToPath(new URL("../../../", import.meta.url))
let database: TestDatabase
let folder: string
beforeAll(async () => {
  database = await createDatabase()
  // Inside of the repository, so that the packages are found.
  folder = mkdtempSync(join(root, "packages/adapter-postgres/test/.readme-"))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await database.drop()
})

it("the README's lines about PostgreSQL work word for word, but for the address", { timeout: 60_000 }, async () => {
  const readme = readFileSync(join(root, "README.md"), "utf8")
  const [, lines] = /```ts\n([^`]*adapter-postgres[^`]*)```/.exec(readme) ?? []
  assert.isDefined(lines)
  const written = "postgres://tolem:password@db.example:5432/shop"
  assert.include(lines, written)
  const program = `${lines.replace(written, database.url)}
    const shop = await engine.merchant({ key: "k", name: "Shop", mode: "sandbox" })
    const { id } = await shop.invoices.create({ amount: 1500, description: "Two coffees" })
    await shop.invoices.simulate(id, "paid")
    console.log((await shop.invoices.get(id)).status)
    await engine.close()`
  writeFileSync(join(folder, "main.mjs"), program)
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "main.mjs")])
  assert.match(stdout, /^paid$/m)
})
