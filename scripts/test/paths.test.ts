/** The pages for contributors name files and folders that exist. */
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { describe, expect, it } from "vitest"
import { floors } from "../lib/Floors.ts"
import { root } from "../lib/Workspace.ts"

/** What stands in backquotes or behind a link and looks like a path of the repository. */
const pathsIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/[`(]([.\w][\w./@-]*)[`)#]/g), ([, path = ""]) => path).filter((path) =>
    /^(packages|testing|scripts|docs|examples|bench|deploy|\.changeset)\/|^[\w.]+\.(md|ts|json|yaml)$/.test(path)
  )

const names = new Set(
  globSync("{packages,testing,scripts,bench,examples}/**/*.{ts,md,json}", {
    cwd: root,
    exclude: (name) => name === "node_modules"
  }).map((path) => basename(path))
)

/** Paths are from the root of the repository; a bare name is that of some file. */
const isThere = (path: string): boolean => existsSync(join(root, path)) || names.has(path)

describe("the paths that a page names", () => {
  for (const page of ["ARCHITECTURE.md", "CONTRIBUTING.md"]) {
    it(`exist: ${page}`, () => {
      const paths = pathsIn(readFileSync(join(root, page), "utf8"))
      expect(paths.length).toBeGreaterThan(20)
      expect(paths.filter((path) => !isThere(path))).toEqual([])
    })
  }

  it("are found in backquotes and links", () => {
    expect(pathsIn("`scripts/check.ts`, [it](docs/none.md#part), `Nothing.ts`, `code()`")).toEqual([
      "scripts/check.ts",
      "docs/none.md",
      "Nothing.ts"
    ])
    expect(isThere("docs/none.md")).toBe(false)
    expect(isThere("Nothing.ts")).toBe(false)
  })
})

describe("the map has", () => {
  const map = readFileSync(join(root, "ARCHITECTURE.md"), "utf8")

  /** What the rows of a table name in their first column, in backquotes. */
  const firstColumn = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
    const [, part = ""] = map.split(`\n## ${heading}\n`)
    const [section = ""] = part.split("\n## ")
    return Array.from(section.matchAll(/^\| (`[^|]*`) \|/gm), ([, names = ""]) =>
      Array.from(names.matchAll(/`([^`]+)`/g), ([, name = ""]) => name)
    )
  }

  it("the floors of core with all of their folders, from the ground up", () => {
    expect(firstColumn("Inside core")).toEqual(floors)
  })

  it("every package", () => {
    const packages = readdirSync(join(root, "packages"))
    expect(firstColumn("Packages").flat().toSorted()).toEqual(packages.toSorted())
  })
})

it("each decision record has a number of its own, and says it", () => {
  const numbers = globSync("docs/decisions/[0-9]*.md", { cwd: root }).map((path) => {
    const [title = ""] = readFileSync(join(root, path), "utf8").split("\n")
    const number = Number(basename(path).slice(0, 4))
    expect(title, path).toMatch(new RegExp(`^# ${number}\\. `))
    return number
  })
  expect(numbers.toSorted()).toEqual([...new Set(numbers)].toSorted())
})
