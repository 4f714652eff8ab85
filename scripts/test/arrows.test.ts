import { describe, expect, it } from "vitest"
import { arrows, circles, wrongArrows } from "../lib/Arrows.ts"
import { published, typescript } from "../lib/Workspace.ts"

const wrong = (path: string, specifier: string) =>
  wrongArrows([{ path, text: `import { a } from "${specifier}"` }]).map(({ message }) => message)

describe("arrows between packages", () => {
  it.each([
    ["packages/core/src/value/Money.ts", "node:crypto"],
    ["packages/core/src/value/Money.ts", "@tolem/adapter-sql/Store"],
    ["packages/core/src/value/Money.ts", "vitest"],
    ["packages/testing/src/suite.ts", "@effect/vitest"],
    ["packages/api/src/Api.ts", "@tolem/http-server"],
    ["packages/api/src/Api.ts", "node:crypto"],
    ["packages/adapter-sql/src/Sql.ts", "@tolem/adapter-sqlite"],
    ["packages/adapter-sqlite/src/Sqlite.ts", "@tolem/api"],
    ["packages/http-server/src/Server.ts", "@tolem/adapter-sqlite/Sqlite"],
    ["packages/core/src/value/Money.ts", "../../api/src/Api.ts"],
    ["packages/unheard-of/src/a.ts", "effect"]
  ])("%s may not import %s", (path, specifier) => expect(wrong(path, specifier)).toHaveLength(1))

  it.each([
    ["packages/core/src/value/Money.ts", "effect/http"],
    ["packages/core/src/invoice/Invoice.ts", "../Money.ts"],
    ["packages/api/src/Api.ts", "@tolem/core/ErrorCatalog"],
    ["packages/adapter-sqlite/src/Sqlite.ts", "node:sqlite"],
    ["packages/http-server/src/main.ts", "@tolem/adapter-sqlite"],
    ["packages/http-server/src/cli/serve.ts", "@tolem/adapter-node"],
    ["packages/core/test/Money.test.ts", "@tolem/adapter-sqlite"],
    ["examples/express/src/main.ts", "express"]
  ])("%s may import %s", (path, specifier) => expect(wrong(path, specifier)).toEqual([]))

  it("name what the package may import instead", () =>
    expect(wrong("packages/core/src/value/Money.ts", "node:fs")).toEqual([
      "core may not import `node:fs`. It may import effect"
    ]))
})

describe("circles of imports", () => {
  const file = (name: string, ...targets: ReadonlyArray<string>) => ({
    path: `packages/core/src/${name}.ts`,
    text: targets.map((target) => `import type { A } from "./${target}.ts"`).join("\n")
  })

  it("are found, however long", () => {
    expect(circles([file("a", "a")])).toHaveLength(1)
    expect(circles([file("a", "b"), file("b", "c"), file("c", "a")]).map(({ message }) => message)).toEqual([
      "circle of imports: a.ts → b.ts → c.ts → a.ts; move what both need into a third file"
    ])
  })

  it("are not seen where files only share one", () =>
    expect(circles([file("a", "b", "c"), file("b", "c"), file("c")])).toEqual([]))
})

it("the repository's packages keep to the arrows and have no circles", () => {
  const sources = typescript().filter(({ path }) => path.startsWith("packages/"))
  expect(Object.keys(arrows)).toEqual(expect.arrayContaining(published().map(({ folder }) => folder.slice(9))))
  expect([...wrongArrows(sources), ...circles(sources)]).toEqual([])
})
