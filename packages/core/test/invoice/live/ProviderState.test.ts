/** What a state that the provider tells makes of an invoice. */
import { assert, describe, it } from "@effect/vitest"
import type { Invoice, InvoiceStatus } from "../../../src/invoice/Invoice.ts"
import { nextStep } from "../../../src/invoice/live/ProviderState.ts"
import type { Refund } from "../../../src/invoice/Refund.ts"
import { type MadeRefund, type Payment, type ProviderReceipt, Signal } from "../../../src/provider/Payment.ts"
import { Tiyn } from "../../../src/value/Money.ts"
import { invoice as invoiceOf, now, refundOf } from "../given.ts"

const windowEnd = now + 180_000

const live = (status: InvoiceStatus, members: Partial<Invoice> = {}): Invoice =>
  invoiceOf({
    mode: "live",
    connectionId: "con_1",
    status,
    providerReference: status === "new" ? null : "P-1",
    expiresAt: status === "new" ? null : windowEnd,
    ...members
  })

const receipt: ProviderReceipt = {
  at: now + 7_000,
  reference: "M-1",
  amount: Tiyn(100_000),
  number: "R-1",
  url: "https://p/r"
}
const made = (amount: number, members: Partial<MadeRefund> = {}): MadeRefund => ({
  reference: "F-1",
  ours: null,
  amount: Tiyn(amount),
  at: now + 9_000,
  ...members
})
const paid = (refunds: ReadonlyArray<MadeRefund> = []): Signal => Signal.Paid({ receipt, refunds })

const told = (signal: Signal): Payment => ({
  reference: "P-1",
  ours: "inv_1",
  amount: Tiyn(100_000),
  links: { qrUrl: "https://p/q", deepLink: "app://q" },
  expiresAt: windowEnd,
  signal,
  statusText: signal._tag.toUpperCase()
})

const stepOf = (invoice: Invoice, signal: Signal, at = now + 1000, refunds: ReadonlyArray<Refund> = []) =>
  nextStep({
    invoice,
    refunds,
    payment: told(signal),
    circumstances: { now: at, eventId: "evt_2", source: "provider" },
    refundId: "ref_new"
  })

/** Status that the state leads to; null if nothing changes. */
const becomes = (invoice: Invoice, signal: Signal, at?: number, refunds?: ReadonlyArray<Refund>) => {
  const step = stepOf(invoice, signal, at, refunds)
  return step._tag === "Write" ? step.write.next.status : step._tag === "Settled" ? null : step._tag
}

describe("a state that the provider tells", () => {
  const signals = {
    waiting: Signal.Waiting(),
    scanned: Signal.Scanned(),
    paid: paid(),
    refused: Signal.RefusedByPayer(),
    failed: Signal.Failed(),
    expired: Signal.Expired(),
    cancelled: Signal.Cancelled()
  }
  const table: Record<keyof typeof signals, Partial<Record<InvoiceStatus, string | null>>> = {
    waiting: { new: "pending", pending: null, expired: null, cancelled: null, failed: null },
    scanned: { new: "pending", pending: "pending", expired: null, cancelled: null, failed: null },
    paid: { new: "pending", pending: "paid", expired: "paid", cancelled: "paid", failed: "Contradiction" },
    refused: { new: "pending", pending: "failed", expired: null, cancelled: null, failed: null },
    failed: { new: "pending", pending: "failed", expired: null, cancelled: null, failed: null },
    expired: { new: "pending", pending: "expired", expired: null, cancelled: null, failed: null },
    cancelled: { new: "pending", pending: "cancelled", expired: null, cancelled: null, failed: null }
  }
  for (const [name, row] of Object.entries(table) as ReadonlyArray<[keyof typeof signals, object]>) {
    for (const [status, expected] of Object.entries(row)) {
      it(`${name} makes of ${status}: ${expected ?? "nothing"}`, () => {
        assert.strictEqual(becomes(live(status as InvoiceStatus), signals[name]), expected)
      })
    }
  }

  it("offers the code that the customer pays with", () => {
    const step = stepOf(live("new"), Signal.Waiting())
    assert(step._tag === "Write")
    const { next, event } = step.write
    assert.deepInclude(next, {
      providerReference: "P-1",
      qrUrl: "https://p/q",
      deepLink: "app://q",
      expiresAt: windowEnd
    })
    assert.strictEqual(next.providerStatus, "WAITING")
    assert.strictEqual(event?.type, "invoice.pending")
  })

  it("notes once that the customer has opened it, without a status, an event or another time of change", () => {
    const seen = live("pending")
    const step = stepOf(seen, Signal.Scanned())
    assert(step._tag === "Write")
    const { next, event, refund } = step.write
    assert.deepStrictEqual(
      { ...next, providerStatus: null, providerReference: null },
      { ...seen, scannedAt: now + 1000, version: seen.version + 1, providerStatus: null, providerReference: null }
    )
    assert.deepStrictEqual([event, refund], [null, null])
    assert.strictEqual(stepOf(next, Signal.Scanned())._tag, "Settled")
    assert.strictEqual(stepOf(next, Signal.Waiting())._tag, "Settled")
    assert.strictEqual(becomes(next, paid()), "paid")
  })

  it("keeps the provider's proof of a payment, and says when money came late", () => {
    const step = stepOf(live("expired"), paid(), windowEnd + 60_000)
    assert(step._tag === "Write")
    assert.deepInclude(step.write.next, { paidAt: receipt.at, receiptNumber: "R-1", providerReceiptUrl: "https://p/r" })
    assert.isTrue(step.write.event?.late)
  })

  const strange = {
    "something to run": "javascript:alert(1)",
    "a page in itself": "data:text/html,x",
    "no address": "pay here",
    "not to be stored": "https://p/\u0000",
    "too long": `https://p/${"x".repeat(2048)}`
  }
  for (const [what, url] of Object.entries(strange)) {
    it(`takes the payment without the address of its receipt where that is ${what}`, () => {
      const step = stepOf(live("pending"), Signal.Paid({ receipt: { ...receipt, url }, refunds: [] }))
      assert(step._tag === "Write")
      assert.deepInclude(step.write.next, { status: "paid", receiptNumber: "R-1", providerReceiptUrl: null })
    })
  }

  it("lets an invoice expire at the end of its window and not before", () => {
    assert.strictEqual(becomes(live("pending"), Signal.Waiting(), windowEnd - 1), null)
    assert.strictEqual(becomes(live("pending"), Signal.Waiting(), windowEnd), "expired")
    assert.strictEqual(becomes(live("pending"), Signal.Scanned(), windowEnd), "expired")
  })

  it("pays once: a paid invoice takes the same payment no second time", () => {
    assert.strictEqual(becomes(live("paid", { paidAt: receipt.at }), paid()), null)
    assert.strictEqual(becomes(live("refunded", { paidAt: receipt.at, refunded: Tiyn(100_000) }), paid()), null)
  })

  it("believes no payment of another amount", () => {
    const signal = Signal.Paid({ receipt: { ...receipt, amount: Tiyn(99_999) }, refunds: [] })
    assert.strictEqual(becomes(live("pending"), signal), "Contradiction")
  })
})

describe("refunds that the provider tells of", () => {
  const invoice = live("paid", { paidAt: receipt.at })

  it("are brought in when they were made elsewhere, once each", () => {
    const step = stepOf(invoice, paid([made(30_000)]))
    assert(step._tag === "Write")
    const { next, refund } = step.write
    assert.strictEqual(next.status, "partially_refunded")
    assert.deepInclude(refund, { id: "ref_new", status: "succeeded", providerReference: "F-1", amount: Tiyn(30_000) })
    assert.strictEqual(becomes(next, paid([made(30_000)]), now + 9_000, [refund!]), null)
    const second = made(70_000, { reference: "F-2" })
    assert.strictEqual(becomes(next, paid([made(30_000), second]), now + 9_000, [refund!]), "refunded")
  })

  it("settle the record of a refund of ours that nobody answered", () => {
    const record: Refund = { ...refundOf(400), status: "unknown", completedAt: null }
    const step = stepOf(invoice, paid([made(40_000, { ours: record.id })]), now + 9_000, [record])
    assert(step._tag === "Write")
    assert.deepInclude(step.write.refund, { id: record.id, status: "succeeded", providerReference: "F-1" })
  })

  it("settle even one that was taken for failed", () => {
    const record: Refund = { ...refundOf(400), status: "failed" }
    assert.strictEqual(becomes(invoice, paid([made(40_000, { ours: record.id })]), now, [record]), "partially_refunded")
  })

  it("never exceed the payment", () => {
    assert.strictEqual(becomes(invoice, paid([made(100_001)])), "Contradiction")
  })
})
