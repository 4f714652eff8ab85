/** A refund of a live invoice begins with its record, and one at a time. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { begin, recordOnly, settlement, succeed } from "../../../src/invoice/live/LiveRefund.ts"
import type { RefundStatus } from "../../../src/invoice/Refund.ts"
import { decideRefund } from "../../../src/invoice/Refund.ts"
import { Tiyn } from "../../../src/value/Money.ts"
import { invoice as invoiceOf, now, refundOf } from "../given.ts"

const paid = invoiceOf({ mode: "live", status: "paid", paidAt: now, version: 3, sequence: 2 })
const asked = { id: "ref_9", amount: Tiyn(40_000), reason: "cold", idempotencyKey: "k", fingerprint: null }
const beginning = (members: Partial<typeof asked> = {}, refunds: Parameters<typeof begin>[1] = []) =>
  begin(paid, refunds, { ...asked, ...members }, now)

describe("a refund", () => {
  it("is recorded before the provider is asked, without an event, under a new version", () => {
    const { write, record } = Result.getOrThrow(beginning())
    const { id, status, amount, reason, completedAt } = record
    assert.deepStrictEqual([id, status, amount, reason, completedAt], ["ref_9", "pending", 40_000, "cold", null])
    assert.isNull(write.event)
    assert.deepStrictEqual(
      [write.next.version, write.next.sequence, write.next.status, write.next.refunded],
      [4, 2, "paid", 0]
    )
  })

  for (const status of ["pending", "unknown"] satisfies ReadonlyArray<RefundStatus>) {
    it(`does not begin while another one is ${status}`, () => {
      const result = beginning({}, [{ ...refundOf(10), status }])
      assert(Result.isFailure(result))
      assert.strictEqual(result.failure.code, "refund_pending_unknown")
    })
  }

  it("is within what is left of the payment", () => {
    for (const amount of [0, -1, 100_001]) {
      const result = beginning({ amount: Tiyn(amount) })
      assert(Result.isFailure(result))
      assert.strictEqual(result.failure.code, "invalid_refund_amount")
    }
    assert.isTrue(Result.isSuccess(beginning({ amount: Tiyn(100_000) }, [{ ...refundOf(10), status: "failed" }])))
  })

  it("is within what those who ask may give back of it in all, at the version that its record is written with", () => {
    const before = invoiceOf({ ...paid, status: "partially_refunded", refunded: Tiyn(20_000) })
    const upTo = (most: number) => begin(before, [refundOf(20_000)], { ...asked, most }, now)
    assert.strictEqual(Result.getOrThrow(upTo(60_000)).write.previous, before)
    const refused = upTo(59_999)
    assert(Result.isFailure(refused) && refused.failure._tag === "RefundNotAllowed")
    assert.strictEqual(refused.failure.total, 60_000)
    const rest = begin(before, [], { ...asked, amount: null, most: 99_999 }, now)
    assert(Result.isFailure(rest) && rest.failure._tag === "RefundNotAllowed")
    assert.strictEqual(rest.failure.total, 100_000)
  })

  it("needs a paid invoice", () => {
    const result = begin(invoiceOf({ status: "expired" }), [], asked, now)
    assert(Result.isFailure(result))
    assert.strictEqual(result.failure.code, "invoice_not_refundable")
  })

  it("moves the sum only when it has succeeded", () => {
    const { write, record } = Result.getOrThrow(beginning())
    const failed = recordOnly(write.next, decideRefund(record, "failed", now + 5)!, now + 5)
    assert.deepStrictEqual([failed.next.refunded, failed.next.status, failed.next.version], [0, "paid", 5])
    assert.deepInclude(failed.refund, { status: "failed", completedAt: now + 5 })
    assert.deepInclude(recordOnly(write.next, decideRefund(record, "unknown", now + 5)!, now + 5).refund, {
      status: "unknown",
      completedAt: null
    })
    const done = { ...record, status: "succeeded" as const }
    const change = Result.getOrThrow(succeed(write.next, done, { now, eventId: "evt_3", source: "api" }))
    assert.deepStrictEqual(
      [change.next.refunded, change.next.status, change.next.sequence],
      [40_000, "partially_refunded", 3]
    )
  })

  const given = { now: now + 5, eventId: "evt_3", source: "provider" as const }
  const made = { reference: "F-1", ours: null, amount: Tiyn(40_000), at: now + 4 }

  it("is not counted again where another record has the provider's reference", () => {
    const { write, record } = Result.getOrThrow(beginning())
    const elsewhere = { ...refundOf(390), id: "ref_8", providerReference: "F-1" }
    const settled = settlement(write.next, [record, elsewhere], record, made, given)
    assert.isNotNull(settled?.contradiction)
    assert.strictEqual(settled?.write.refund?.status, "unknown")
    assert.strictEqual(settled?.write.next.refunded, 0)
    assert.isNull(settlement(write.next, [{ ...record, status: "unknown" }, elsewhere], record, made, given))
  })

  it("stays unknown where what is left of the payment is less", () => {
    const { write, record } = Result.getOrThrow(beginning())
    const returned = { ...write.next, status: "partially_refunded" as const, refunded: Tiyn(90_000) }
    const settled = settlement(returned, [record], record, made, given)
    assert.isNotNull(settled?.contradiction)
    assert.strictEqual(settled?.write.refund?.status, "unknown")
    assert.strictEqual(settled?.write.next.refunded, 90_000)
  })
})
