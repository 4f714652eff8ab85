/** Every endpoint, error code and limit of the interface has a test that exercises it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { codesFile, coverage, provokedIn, type Row } from "../lib/Coverage.ts"
import { limits } from "../lib/Limits.ts"
import { casesIn, testCases } from "../lib/TestCases.ts"
import { root } from "../lib/Workspace.ts"

const table = coverage(testCases(), provokedIn(readFileSync(join(root, codesFile), "utf8")))

describe("the interface", () => {
  for (const [name, rows] of Object.entries<ReadonlyArray<Row>>({ ...table })) {
    it(`has a test of each of its ${name}`, () => {
      expect(rows.length).toBeGreaterThan(10)
      expect(rows.filter(({ tests }) => tests.length === 0).map(({ promise }) => promise)).toEqual([])
    })
  }

  it("has every test that its limits name", () => {
    for (const [index, { limit, evidence }] of limits.entries()) {
      expect(table.limits[index]?.tests, limit).toHaveLength(evidence.length)
    }
  })
})

describe("the tests of a file", () => {
  it("are read with the subject that they are described under, and with all that they do", () => {
    const text = [
      'describe("a shop", () => {',
      '  it("opens", () => {',
      "    one()",
      "  })",
      "",
      "  it.effect(",
      '    "closes",',
      "    () => two()",
      "  )",
      "})",
      'it("stands alone", three)'
    ].join("\n")
    const [opens, closes, alone] = casesIn("a.test.ts", text)
    expect([opens?.name, closes?.name, alone?.name]).toEqual(["a shop opens", "a shop closes", "stands alone"])
    expect(opens?.text).toContain("one()")
    expect(opens?.text).not.toContain("two()")
    expect(closes?.text).toContain("two()")
  })
})
