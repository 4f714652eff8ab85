import { expect, it } from "vitest"
import { longFunctions, maxFunctionLines } from "../lib/Functions.ts"
import { tidy } from "../lib/Tidy.ts"

const lines = (count: number) => Array.from({ length: count }, (_, index) => `  const a${index} = ${index}`)
const long = (...text: ReadonlyArray<string>) =>
  longFunctions({ path: "packages/core/src/A.ts", text: text.join("\n") })
const fits = maxFunctionLines - 2

it.each([
  ["const a = () => {", "}"],
  ["export const a = (b: string): string => {", "}"],
  ["function a() {", "}"],
  ["const a = Effect.gen(function* () {", "})"],
  ["const a = Effect.fn('a')(function* (id: string) {", "})"],
  ["): ReadonlyArray<string> => {", "}"]
])("finds %s … %s that is too long, and no other", (head, foot) => {
  expect(long(head, ...lines(fits), foot)).toEqual([])
  expect(long(head, ...lines(fits + 1), foot)).toEqual([
    {
      path: "packages/core/src/A.ts",
      line: 1,
      message: `function of ${maxFunctionLines + 1} lines; give a part of it a name, it may have ${maxFunctionLines}`
    }
  ])
})

it("counts what stands in a function inside another there", () => {
  const inner = ["  const b = () => {", ...lines(fits).map((line) => `  ${line}`), "  }"]
  expect(long("const a = () => {", ...inner, ...inner, "}")).toEqual([])
  expect(long("const a = () => {", ...inner, ...lines(fits - 1), "}")).toHaveLength(1)
})

it("counts no comments", () => {
  const words = ["  /**", "   * Words.", "   */", "  // More words."]
  expect(long("const a = () => {", ...words, ...lines(fits), "}")).toEqual([])
  expect(long("const a = () => {", ...words, ...lines(fits + 1), "}")).toHaveLength(1)
})

it("takes types, classes and blocks for what they are", () => {
  expect(long("export interface A {", ...lines(90), "}")).toEqual([])
  expect(long("export class A {", ...lines(90), "}")).toEqual([])
  expect(long("if (a) {", ...lines(90), "}")).toEqual([])
})

it("is a matter of style, outside of tests", () => {
  const text = ["const a = () => {", ...lines(fits + 1), "}"].join("\n")
  expect(tidy({ path: "packages/core/src/A.ts", text })).toHaveLength(1)
  expect(tidy({ path: "packages/core/test/A.test.ts", text })).toEqual([])
})
