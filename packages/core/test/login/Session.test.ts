import { it } from "@effect/vitest"
import { Schema } from "effect"
import { assert, describe, expect } from "vitest"
import { isLive, type Session, seen } from "../../src/login/Session.ts"

const limits = { idleMs: 700, maxMs: 3000, touchMs: 10 }
const session: Session = {
  id: "ses_1",
  accountId: "acc_1",
  digest: "d",
  address: null,
  userAgent: null,
  createdAt: 0,
  seenAt: 0,
  idleAt: 700,
  expiresAt: 3000,
  revokedAt: null,
  freshUntil: null
}

describe("a session", () => {
  it("is live until it ends or is revoked", () => {
    expect([0, 699, 700, 5000].map((now) => isLive(session, now))).toEqual([true, true, false, false])
    expect(isLive({ ...session, revokedAt: 5 }, 6)).toBe(false)
  })

  it("is the same one when it is used again soon", () => {
    expect(seen(session, 9, limits)).toBe(session)
    expect(seen(session, 10, limits)).toEqual({ ...session, seenAt: 10, idleAt: 710 })
  })

  const Waits = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 720 })))
  it.prop("never lives longer than it may, however it is used", { waits: Waits }, ({ waits }) => {
    let [current, now] = [session, 0]
    for (const wait of waits) {
      now += wait
      if (!isLive(current, now)) return
      assert.isBelow(now, session.expiresAt)
      assert.isAtMost(now - current.seenAt, limits.idleMs)
      current = seen(current, now, limits)
      assert.isAtMost(current.idleAt, current.expiresAt)
    }
  })
})
