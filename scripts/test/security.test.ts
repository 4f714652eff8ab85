/** The page on security: that its table has every requirement of ASVS 5.0, levels 1 and 2, and names what exists. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it } from "vitest"
import { root } from "../lib/Workspace.ts"

const path = "docs/security.md"
const page = readFileSync(join(root, path), "utf8")

/** The levels of each section's requirements, in their order: 1.5.1 is of level 1, 1.5.2 of level 2. */
const standard = `
  1.1:22 1.2:111112222 1.3:11222222222 1.4:222 1.5:12 2.1:122 2.2:112 2.3:1222 2.4:2 3.2:11 3.3:1222 3.4:112222
  3.5:11122 3.7:22 4.1:122 4.2:2 4.3:22 4.4:1222 5.1:2 5.2:112 5.3:11 5.4:222 6.1:122 6.2:111111112222 6.3:1122
  6.4:1122 6.5:22222 6.6:222 6.8:2222 7.1:222 7.2:1111 7.3:22 7.4:11222 7.5:22 7.6:22 8.1:12 8.2:112 8.3:1 8.4:2
  9.1:111 9.2:1222 10.1:22 10.2:22 10.3:2222 10.4:11111222222 10.5:22222 10.6:22 10.7:222 11.1:22 11.2:222 11.3:112
  11.4:1222 11.5:2 11.6:2 12.1:122 12.2:11 12.3:2222 13.1:2 13.2:22222 13.3:22 13.4:12222 14.1:22 14.2:1222 14.3:122
  15.1:122 15.2:122 15.3:1222222 16.1:2 16.2:22222 16.3:2222 16.4:222 16.5:222 17.1:2 17.2:2222 17.3:22`

const levels: ReadonlyMap<string, string> = new Map(
  standard
    .trim()
    .split(/\s+/)
    .flatMap((section) => {
      const [name = "", each = ""] = section.split(":")
      return Array.from(each, (level, index) => [`V${name}.${index + 1}`, level] as const)
    })
)

const statuses = ["met", "partly", "not", "n.a."] as const

interface Row {
  readonly ids: ReadonlyArray<string>
  readonly chapter: string
  readonly level: string
  readonly asked: string
  readonly status: string
  readonly reason: string
}

const cellsOf = (line: string) => line.split("|").map((cell) => cell.trim())

const rows: ReadonlyArray<Row> = page.split(/^### /m).flatMap((part) => {
  const chapter = part.slice(0, part.indexOf("\n"))
  const lines = part.split("\n").filter((line) => /^\| V\d+\.\d/.test(line))
  return lines.map((line) => {
    const [, ids = "", level = "", asked = "", status = "", ...reason] = cellsOf(line)
    return { ids: ids.split(", "), chapter, level, asked, status, reason: reason.join("|").trim() }
  })
})

const linksOf = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = ""]) => target)
const fileOf = (target: string) => join(dirname(path), target.replace(/#.*/, "")).replaceAll("\\", "/")

describe("the table of requirements", () => {
  it("has each of the standard's once, and no other", () => {
    expect(levels.size).toBe(253)
    expect(rows.flatMap(({ ids }) => ids).sort()).toEqual([...levels.keys()].sort())
  })

  it("says of each its level, what it asks, how it stands and why", () => {
    for (const { ids, level, asked, status, reason } of rows) {
      const [id = ""] = ids
      expect(level, id).toBe([...new Set(ids.map((each) => levels.get(each)))].sort().join(", "))
      expect(statuses, id).toContain(status)
      expect(asked.length, id).toBeGreaterThan(3)
      expect(reason.length, id).toBeGreaterThan(status === "met" ? 3 : 10)
      if (status !== "n.a.") expect(ids.length, id).toBe(1)
    }
  })

  it("names a test, or the mechanism, of everything that is met", () => {
    for (const { ids, status, reason } of rows) {
      if (status !== "met") continue
      const targets = linksOf(reason)
      expect(targets, ids[0]).not.toEqual([])
      const documents = targets.every((target) => target.startsWith("#") || target.endsWith(".md"))
      // What asks for words is met by words; what asks for a deed needs code.
      if (documents)
        expect(reason + rowText(ids[0]), ids[0]).toMatch(/written down|inventory|classified|protection|frames/)
    }
  })

  it("counts right, chapter by chapter", () => {
    const chapters = [...new Set(rows.map(({ chapter }) => chapter))]
    const counted = (mine: ReadonlyArray<Row>) =>
      statuses.map((status) => mine.flatMap((row) => (row.status === status ? row.ids : [])).length)
    const summary = page
      .split("\n")
      .filter((line) => /^\| (?:V\d+ |\*\*all)/.test(line))
      .map((line) => cellsOf(line.replaceAll("*", "")).slice(1, -1))
    expect(summary).toEqual([
      ...chapters.map((chapter) => [chapter, ...counted(rows.filter((row) => row.chapter === chapter)).map(String)]),
      ["all", ...counted(rows).map(String)]
    ])
  })
})

const rowText = (id: string | undefined) => rows.find(({ ids }) => ids[0] === id)?.asked ?? ""

describe.each([path, "SECURITY.md"])("%s", (document) => {
  const text = readFileSync(join(root, document), "utf8")

  it("leads to files and sections that exist", () => {
    const targets = linksOf(text).filter((target) => !/^https?:/.test(target))
    expect(targets.length).toBeGreaterThan(1)
    for (const target of targets) {
      const [file = "", section] = target.split("#")
      const at = file === "" ? document : join(dirname(document), file)
      expect(existsSync(join(root, at)), target).toBe(true)
      if (section !== undefined) expect(anchorsOf(readFileSync(join(root, at), "utf8")), target).toContain(section)
    }
  })

  it("names codes and variables that exist", () => {
    const catalogue = readFileSync(join(root, "docs/errors.md"), "utf8")
    const codes = [...text.matchAll(/\| `([a-z]+(?:_[a-z]+)+)`(?:, `([a-z]+(?:_[a-z]+)+)`)? \|$/gm)]
    for (const [, ...names] of codes) {
      for (const name of names) if (name !== undefined) expect(catalogue, name).toContain(`\`${name}\``)
    }
    if (document === path) expect(codes.length).toBeGreaterThan(5)
    const operations = readFileSync(join(root, "docs/operations.md"), "utf8")
    for (const [, name = ""] of text.matchAll(/`(TOLEM_[A-Z_]+)`/g)) {
      expect(operations + readFileSync(join(root, "README.md"), "utf8"), name).toContain(name)
    }
  })
})

/** Names of the sections, as they are linked to. */
const anchorsOf = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\s-]/g, "")
      .replaceAll(/\s+/g, "-")
  )

it("is about files of the repository", () => {
  const named = new Set(rows.flatMap(({ reason }) => linksOf(reason).map(fileOf)))
  const tests = [...named].filter((file) => file.endsWith(".test.ts"))
  expect(tests.length).toBeGreaterThan(40)
  for (const file of tests) expect(readFileSync(join(root, file), "utf8"), file).toMatch(/\bit\b/)
})
