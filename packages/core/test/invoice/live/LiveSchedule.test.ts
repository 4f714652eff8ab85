/** When the provider is asked again. */
import { assert, describe, it } from "@effect/vitest"
import { defaults } from "../../../src/engine/Settings.ts"
import type { Invoice } from "../../../src/invoice/Invoice.ts"
import { nextLookAt, nextTryAt } from "../../../src/invoice/live/LiveSchedule.ts"
import type { Refund } from "../../../src/invoice/Refund.ts"
import { invoice as invoiceOf, now, refundOf } from "../given.ts"

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const live = (members: Partial<Invoice>) => invoiceOf({ mode: "live", connectionId: "con_1", ...members })
const after = (invoice: Invoice, ms: number, refunds: ReadonlyArray<Refund> = []) => {
  const at = nextLookAt({ invoice, refunds, now: now + ms }, defaults)
  return at === null ? null : at - (now + ms)
}

describe("the next look", () => {
  it("comes about every three seconds while a QR can be scanned, and when its window ends", () => {
    const invoice = live({ status: "pending", expiresAt: now + 3 * minute })
    assert.strictEqual(after(invoice, 0), 3 * second)
    assert.strictEqual(after(invoice, 2 * minute), 3 * second)
    assert.strictEqual(after(invoice, 3 * minute - 500), 500)
    assert.strictEqual(after(invoice, 3 * minute), 3 * second)
  })

  it("comes more slowly for a push that waits for hours", () => {
    const invoice = live({ status: "pending", kind: "phone", expiresAt: now + 24 * hour })
    assert.strictEqual(after(invoice, 30 * minute), 10 * second)
    assert.strictEqual(after(invoice, 12 * hour), 30 * second)
  })

  it("comes ever more slowly after expiry or cancellation, and ends after 24 hours", () => {
    for (const status of ["expired", "cancelled"] as const) {
      const invoice = live({ status, updatedAt: now })
      const waits = [0, 5 * minute, 30 * minute, 3 * hour, 23 * hour].map((age) => after(invoice, age))
      assert.deepStrictEqual(waits, [3 * second, 15 * second, minute, 5 * minute, 15 * minute])
      assert.strictEqual(after(invoice, 24 * hour), null)
    }
  })

  it("goes on beyond them where the provider has not answered", () => {
    const invoice = live({ status: "expired", updatedAt: now })
    const tried = (age: number, waitMs: number) => nextTryAt({ invoice, refunds: [], now: now + age }, waitMs, defaults)
    assert.strictEqual(tried(25 * hour, 1), now + 25 * hour + 15 * minute)
    assert.strictEqual(tried(0, minute), now + minute)
    assert.strictEqual(tried(100 * hour, 1), now + 101 * hour)
  })

  it("comes now and then for a paid one, for refunds made elsewhere", () => {
    const invoice = live({ status: "paid", paidAt: now })
    assert.deepStrictEqual(
      [0, hour, 2 * 24 * hour, 8 * 24 * hour].map((age) => after(invoice, age)),
      [hour, 23 * hour, 24 * hour, null]
    )
    assert.strictEqual(after(live({ status: "refunded", paidAt: now }), 0), null)
    assert.strictEqual(after(live({ status: "failed" }), 0), null)
  })

  it("comes 5 minutes, an hour, then daily for 5 days after a refund that nobody answered", () => {
    const invoice = live({ status: "paid", paidAt: now - 30 * 24 * hour })
    const refund: Refund = { ...refundOf(10), status: "unknown", createdAt: now, completedAt: null }
    const looks: Array<number> = []
    for (let at: number | null = now; at !== null; at = nextLookAt({ invoice, refunds: [refund], now: at }, defaults)) {
      looks.push((at - now) / hour)
    }
    assert.deepStrictEqual(looks, [0, 1 / 12, 1, 24, 48, 72, 96, 120])
  })
})
