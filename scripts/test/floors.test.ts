import { describe, expect, it } from "vitest"
import { floors, maxFiles, wrongFloors } from "../lib/Floors.ts"
import { typescript } from "../lib/Workspace.ts"

const file = (path: string, specifier = "effect") => ({
  path: `packages/core/src/${path}.ts`,
  text: `import { a } from "${specifier}"`
})
const messages = (...files: ReadonlyArray<ReturnType<typeof file>>) => wrongFloors(files).map(({ message }) => message)

describe("floors of core", () => {
  it.each([
    ["invoice/Invoice", "../mail/Mail.ts"],
    ["invoice/live/LivePayments", "../Invoice.ts"],
    ["invoice/live/LivePayments", "../../value/Money.ts"],
    ["invoice/Invoices", "./live/LivePayments.ts"],
    ["index", "./embedded/createEngine.ts"]
  ])("%s may import %s", (path, specifier) => expect(messages(file(path, specifier))).toEqual([]))

  it.each([
    ["invoice/Invoice", "../webhook/Webhook.ts", "webhook"],
    ["invoice/live/LiveRefund", "../../engine/Settings.ts", "engine"],
    ["webhook/Webhooks", "../subscription/Subscription.ts", "subscription"],
    ["value/Money", "../cellar/Wine.ts", "cellar"]
  ])("%s may not import %s", (path, specifier, room) => {
    const own = path.split("/")[0]
    const message = `${own} may not import from ${room}, which is no floor below it; move what both need down`
    expect(messages(file(path, specifier))).toEqual([message])
  })

  it("has a folder on one floor, and on one only", () => {
    expect(messages(file("cellar/Wine"))).toEqual([
      "core/cellar has no floor; give it one in scripts/lib/Floors.ts, above all that it imports"
    ])
    expect(new Set(floors.flat()).size).toBe(floors.flat().length)
  })

  it("has no folder with too many files", () => {
    const files = Array.from({ length: maxFiles }, (_, index) => file(`value/A${index}`))
    expect(messages(...files, file("value/deep/A"))).toEqual([])
    expect(messages(...files, file("value/B"))).toEqual([
      `${maxFiles + 1} files; give a part of them a folder of its own, a folder may have ${maxFiles}`
    ])
  })

  it("are kept by core", () => expect(wrongFloors(typescript())).toEqual([]))
})
