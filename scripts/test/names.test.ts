import { expect, it } from "vitest"
import { doubleNames } from "../lib/Names.ts"

const file = (path: string, text: string) => ({ path: `packages/${path}.ts`, text })
const one = file("core/src/invoice/Invoice", "export interface Status {}\nexport const make = 1")
const other = file("core/src/subscription/Subscription", "export type Status = 1\nexport const make = 2")

it("finds a name of two files that is imported as it is", () => {
  const user = file("core/src/invoice/Invoices", 'import { a, type Status } from "./Invoice.ts"')
  const message = `\`Status\` is exported by ${other.path} too; give the two different names`
  expect(doubleNames([one, other, user])).toEqual([{ path: one.path, line: 0, message }])
  const outside = file("api/src/Api", 'import type { Status } from "@tolem/core/subscription/Subscription"')
  expect(doubleNames([one, other, outside]).map(({ path }) => path)).toEqual([other.path])
})

it("lets names be that are called through their modules, or are of two packages", () => {
  const user = file("core/src/invoice/Invoices", 'import * as Invoice from "./Invoice.ts"')
  expect(doubleNames([one, other, user])).toEqual([])
  const abroad = file("api/src/Invoice", "export interface Status {}")
  expect(doubleNames([one, abroad, file("api/src/Api", 'import { Status } from "./Invoice.ts"')])).toEqual([])
})
