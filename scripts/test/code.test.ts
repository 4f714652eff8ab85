import { describe, expect, it } from "vitest"
import { mask } from "../lib/Code.ts"
import { importsOf, packageOf } from "../lib/Imports.ts"

const tick = "`"

describe("mask", () => {
  it.each([
    ["a // b\nc", "a     \nc"],
    ["a /* b\nc */ d", "a     \n     d"],
    ['f("it\'s // no comment")', 'f("                  ")'],
    ["f('a\\'b') + c", "f('    ') + c"],
    ["/[\"'/]/.test(a) // b", "/     /.test(a)     "],
    ["a / b / c", "a / b / c"],
    ["(a) / b // c", "(a) / b     "],
    [`${tick}a \${b + "c"} d${tick} + e`, `${tick}  \${b + " "}  ${tick} + e`],
    [`${tick}\${f({ a: ${tick}x${tick} })}y${tick}; z`, `${tick}\${f({ a: ${tick} ${tick} })} ${tick}; z`]
  ])("%j has the code %j", (text, code) => expect(mask(text).code).toBe(code))

  it("keeps every offset and line", () => {
    const text = `const a = "b" // c\nconst d = ${tick}e\n\${f}${tick}\n`
    expect(mask(text).code).toHaveLength(text.length)
    expect(mask(text).code.split("\n")).toHaveLength(text.split("\n").length)
  })
})

describe("importsOf", () => {
  it("sees every form, types included, in order, with lines", () => {
    const text = [
      'import { a } from "./a.ts"',
      'import type { B } from "b"',
      "import {",
      "  c,",
      "  d",
      '} from "@scope/c/d"',
      'import "./side.ts"',
      'export * as e from "./e.ts"',
      'export { f, type G } from "./f.ts"',
      'const later = await import("./g.ts")'
    ].join("\n")
    expect(importsOf(text)).toEqual([
      { specifier: "./a.ts", line: 1 },
      { specifier: "b", line: 2 },
      { specifier: "@scope/c/d", line: 6 },
      { specifier: "./side.ts", line: 7 },
      { specifier: "./e.ts", line: 8 },
      { specifier: "./f.ts", line: 9 },
      { specifier: "./g.ts", line: 10 }
    ])
  })

  it.each([
    '// import { a } from "./a.ts"',
    "const text = 'import { a } from \"./a.ts\"'",
    "export interface A {\n  readonly from: string\n}",
    'export const a = { from: "b" }'
  ])("sees none in %j", (text) => expect(importsOf(text)).toEqual([]))

  it.each([
    ["./a.ts", undefined],
    ["node:fs", "node:"],
    ["effect/http", "effect"],
    ["@tolem/core/Money", "@tolem/core"]
  ])("%s belongs to %s", (specifier, name) => expect(packageOf(specifier)).toBe(name))
})
