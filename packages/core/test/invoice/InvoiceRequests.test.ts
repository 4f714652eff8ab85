import { describe, it } from "@effect/vitest"
import { Result } from "effect"
import { assert } from "vitest"
import { defaults } from "../../src/engine/Settings.ts"
import { checkList } from "../../src/invoice/InvoiceRequests.ts"

const connectionOf = (mode: "sandbox" | "live") => {
  const scope = { organizationId: "org_1", mode, connectionId: "con_1" }
  return Result.getOrThrow(checkList(scope, {}, defaults)).query.connectionId
}

describe("the list of a key that is bound to a cashier", () => {
  it("shows that cashier's live invoices only", () => {
    assert.strictEqual(connectionOf("live"), "con_1")
  })

  it("shows all sandbox invoices, which belong to no cashier", () => {
    assert.isNull(connectionOf("sandbox"))
  })
})
