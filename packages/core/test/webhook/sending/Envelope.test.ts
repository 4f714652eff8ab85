import { describe, it } from "@effect/vitest"
import { assert } from "vitest"
import { defaults } from "../../../src/engine/Settings.ts"
import { Tiyn } from "../../../src/value/Money.ts"
import { renderDelivery } from "../../../src/webhook/sending/Envelope.ts"
import { invoice, now } from "../../invoice/given.ts"
import { delivery, event, job } from "./given.ts"

const sentAt = now + 5_000

describe("envelope", () => {
  it("tells of the invoice as a receiver expects it", () => {
    const envelope = JSON.parse(renderDelivery(job(), sentAt, defaults))
    assert.deepStrictEqual(Object.keys(envelope), ["event", "invoice", "sentAt", "id", "sequence"])
    assert.strictEqual(envelope.id, "evt_1")
    assert.strictEqual(envelope.event, "invoice.paid")
    assert.strictEqual(envelope.sequence, 2)
    assert.strictEqual(envelope.sentAt, "2026-01-01T00:00:05.000Z")
    const { id, status, amount, externalOrderId, metadata, receiptNumber, receiptUrl, paidAt } = envelope.invoice
    assert.deepStrictEqual(
      { id, status, amount, externalOrderId, metadata, receiptNumber, receiptUrl, paidAt },
      {
        id: "inv_1",
        status: "paid",
        amount: 1000,
        externalOrderId: null,
        metadata: null,
        receiptNumber: "00000001",
        receiptUrl: "http://localhost:3000/receipts/inv_1",
        paidAt: "2026-01-01T00:00:00.900Z"
      }
    )
  })

  it("says late on top when the money came late, and only then", () => {
    const { fact } = job()
    const late = renderDelivery(
      job({ fact: { ...fact!, event: event({ late: true, from: "expired" }) } }),
      sentAt,
      defaults
    )
    assert.strictEqual(JSON.parse(late).late, true)
    assert.notProperty(JSON.parse(renderDelivery(job(), sentAt, defaults)), "late")
  })

  it("shows the invoice as of the event, whatever has happened since", () => {
    const refunded = invoice({
      status: "refunded",
      refunded: Tiyn(100_000),
      paidAt: now + 900,
      receiptNumber: "00000001",
      providerReceiptUrl: "https://provider.kz/r/1",
      updatedAt: now + 60_000
    })
    const expired = event({ type: "invoice.expired", to: "expired", createdAt: now + 300 })
    const first = JSON.parse(
      renderDelivery(
        job({ delivery: delivery({ kind: "invoice.expired" }), fact: { event: expired, invoice: refunded } }),
        sentAt,
        defaults
      )
    ).invoice
    assert.strictEqual(first.status, "expired")
    assert.strictEqual(first.refundedAmount, 0)
    assert.strictEqual(first.updatedAt, "2026-01-01T00:00:00.300Z")
    assert.isNull(first.paidAt)
    assert.isNull(first.receiptNumber)
    assert.isNull(first.receiptUrl)
    assert.isNull(first.providerReceiptUrl)

    const partly = event({ type: "invoice.partially_refunded", to: "partially_refunded", refunded: Tiyn(25_050) })
    const second = JSON.parse(
      renderDelivery(job({ fact: { event: partly, invoice: refunded } }), sentAt, defaults)
    ).invoice
    assert.strictEqual(second.status, "partially_refunded")
    assert.strictEqual(second.refundedAmount, 250.5)
    assert.strictEqual(second.receiptNumber, "00000001")
  })

  it("carries metadata as the text that was sent", () => {
    const metadata = '{"b":12345678901234567890, "a":1e400,"__proto__":{"x":"\\u0000\\ud800"},"b":"«\\u2028»"}'
    const { fact } = job()
    const text = renderDelivery(job({ fact: { ...fact!, invoice: { ...fact!.invoice, metadata } } }), sentAt, defaults)
    assert.include(text, `"metadata":${metadata},"payUrl":`)
    assert.doesNotThrow(() => JSON.parse(text))
  })

  it("tests with an invoice that exists nowhere", () => {
    const test = delivery({ kind: "webhook.test", invoiceId: "inv_test", eventId: "evt_9", sequence: 1 })
    const envelope = JSON.parse(renderDelivery(job({ delivery: test, fact: null }), sentAt, defaults))
    assert.strictEqual(envelope.event, "webhook.test")
    assert.strictEqual(envelope.id, "evt_9")
    assert.strictEqual(envelope.invoice.id, "inv_test")
    assert.strictEqual(envelope.invoice.status, "new")
    assert.isNull(envelope.invoice.paidAt)
  })
})
