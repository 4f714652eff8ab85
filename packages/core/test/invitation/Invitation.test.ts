import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { type Invitation, settle, statusAt } from "../../src/invitation/Invitation.ts"

const pending: Invitation = {
  id: "ivt_1",
  organizationId: "org_1",
  phone: "77001234567",
  role: "cashier",
  connectionIds: [],
  refundLimit: null,
  status: "pending",
  madeBy: null,
  createdAt: 0,
  expiresAt: 1000,
  settledAt: null
}
const ends = ["accepted", "declined", "withdrawn"] as const
const ended = (status: (typeof ends)[number]): Invitation => ({ ...pending, status, settledAt: 5 })

describe("an invitation", () => {
  it("waits until it expires", () => {
    expect([0, 999, 1000, 5000].map((now) => statusAt(pending, now))).toEqual([
      "pending",
      "pending",
      "expired",
      "expired"
    ])
  })

  it("that has ended says how, whatever the time", () => {
    for (const status of ends) expect([6, 5000].map((now) => statusAt(ended(status), now))).toEqual([status, status])
  })

  it("ends in each way while it waits, and keeps what it offers", () => {
    for (const status of ends) {
      expect(Result.getOrThrow(settle(pending, status, 999))).toEqual({ ...pending, status, settledAt: 999 })
    }
  })

  it("ends in no way once it has expired", () => {
    for (const status of ends) {
      expect(Result.getOrThrow(Result.flip(settle(pending, status, 1000)))).toMatchObject({ code: "invitation_closed" })
    }
  })

  it("that has ended stays so: the same again is as once, anything else is refused", () => {
    for (const [now, status] of ends.flatMap((each) => [6, 5000].map((at) => [at, each] as const))) {
      const before = ended(status)
      expect(Result.getOrThrow(settle(before, status, now))).toBe(before)
      for (const other of ends.filter((each) => each !== status)) {
        expect(Result.getOrThrow(Result.flip(settle(before, other, now)))).toMatchObject({ code: "invitation_closed" })
      }
    }
  })
})
