/** Sums of a client's invoices on their way to the wire. */
import { assert, describe, it } from "@effect/vitest"
import { earnedJson } from "../../src/partner/PartnerClient.ts"
import { sumToTenge } from "../../src/value/Money.ts"

describe("sums of money", () => {
  it("are the nearest numbers of tenge, however large", () => {
    const cases: ReadonlyArray<readonly [bigint, string]> = [
      [0n, "0"],
      [5n, "0.05"],
      [150n, "1.5"],
      [100n, "1"],
      [2n ** 53n + 1n, "90071992547409.93"],
      [2n ** 63n - 1n, "92233720368547758.07"]
    ]
    for (const [sum, tenge] of cases) assert.strictEqual(sumToTenge(sum), Number(tenge))
  })

  it("are added up before they are rounded", () => {
    const one = { organizationId: "org_1", name: "A", createdAt: 0, paidOut: 0n }
    const referred = [2n ** 53n, 1n, 1n, 1n].map((accrued) => ({ ...one, accrued }))
    assert.strictEqual(earnedJson({ referralCode: "", referred }).accrued, 90071992547409.95)
  })
})
