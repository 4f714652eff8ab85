import { describe, it } from "@effect/vitest"
import { assert } from "vitest"
import { announcedTypes, consequences } from "../../src/invoice/Consequences.ts"
import { InvoiceCommand } from "../../src/invoice/Invoice.ts"
import type { Origin } from "../../src/invoice/Origin.ts"
import { given, invoice, now, refundOf } from "./given.ts"

const run: Origin = { kind: "subscription", id: "sub_1", run: 1, attempt: 0 }
const open = { status: "pending", stage: "made" } as const
const offer = { reference: null, qrUrl: "q", deepLink: "d", expiresAt: now + 1 }
const receipt = (number: string | null) => InvoiceCommand.Pay({ paidAt: now, receipt: { number, url: null } })

describe("consequences of a change", () => {
  it("announces what becomes of an invoice, and not that it can be paid", () => {
    const paid = given(invoice(open))
      .when(InvoiceCommand.Pay({ paidAt: now }))
      .thenStatus("paid")
    const changes = [
      paid,
      given(invoice(open)).when(InvoiceCommand.Cancel()).thenStatus("cancelled"),
      given(invoice(open)).when(InvoiceCommand.Expire()).thenStatus("expired"),
      given(invoice(open)).when(InvoiceCommand.Fail()).thenStatus("failed"),
      given(paid.next)
        .when(InvoiceCommand.Refund({ refund: refundOf(1) }))
        .thenStatus("partially_refunded"),
      given(paid.next)
        .when(InvoiceCommand.Refund({ refund: refundOf(1000) }))
        .thenStatus("refunded")
    ]
    assert.isTrue(changes.every((change) => consequences(change).isAnnounced))
    assert.sameMembers(
      changes.map(({ event }) => event.type),
      [...announcedTypes]
    )
    const offered = given(invoice({ status: "new" }))
      .when(InvoiceCommand.Offer({ offer }))
      .thenStatus("pending")
    assert.isFalse(consequences(offered).isAnnounced)
    assert.isFalse(consequences({ ...paid, event: null }).isAnnounced)
  })

  it("tells nobody of a merchant's own request that was never made, and of any other's", () => {
    const ends = (origin: Origin | null, command: InvoiceCommand, status: "failed" | "expired" | "cancelled") =>
      consequences(
        given(invoice({ status: "new", origin }))
          .when(command)
          .thenStatus(status)
      ).isAnnounced
    assert.isFalse(ends(null, InvoiceCommand.Fail(), "failed"))
    assert.isFalse(ends(null, InvoiceCommand.Expire(), "expired"))
    assert.isTrue(ends(null, InvoiceCommand.Cancel(), "cancelled"))
    assert.isTrue(ends(run, InvoiceCommand.Fail(), "failed"))
    assert.isTrue(ends({ kind: "payment-link", id: "pln_1" }, InvoiceCommand.Expire(), "expired"))
  })

  it("numbers the receipt of a paid invoice once, where the provider has not", () => {
    const paid = given(invoice(open)).when(receipt(null)).thenStatus("paid")
    assert.isTrue(consequences(paid).isNumbered)
    assert.isFalse(consequences(given(invoice(open)).when(receipt("K-1")).thenStatus("paid")).isNumbered)
    const numbered = { ...paid.next, receiptNumber: "00000001" }
    assert.isFalse(consequences({ previous: numbered, next: numbered, event: null }).isNumbered)
    assert.isFalse(consequences(given(invoice(open)).when(InvoiceCommand.Fail()).thenStatus("failed")).isNumbered)
  })

  it("wakes the run whose invoice ended without money, or was paid late after that, and no other", () => {
    const wakes = (
      origin: Origin | null,
      command: InvoiceCommand,
      status: "failed" | "expired" | "cancelled" | "paid"
    ) =>
      consequences(
        given(invoice({ ...open, origin }))
          .when(command)
          .thenStatus(status)
      ).wakesRun
    assert.isTrue(wakes(run, InvoiceCommand.Fail(), "failed"))
    assert.isTrue(wakes(run, InvoiceCommand.Expire(), "expired"))
    assert.isFalse(wakes(run, InvoiceCommand.Cancel(), "cancelled"))
    assert.isFalse(wakes(run, InvoiceCommand.Pay({ paidAt: now }), "paid"))
    const late = invoice({ ...open, status: "expired", origin: run })
    const paid = given(late)
      .when(InvoiceCommand.Pay({ paidAt: now }))
      .thenStatus("paid")
    assert.isTrue(consequences(paid).wakesRun)
    assert.isFalse(wakes(null, InvoiceCommand.Fail(), "failed"))
    assert.isFalse(wakes({ kind: "form-hook", id: "fhk_1" }, InvoiceCommand.Fail(), "failed"))
  })

  it("moves the invoice from the totals that it was in to those that it comes to", () => {
    const change = given(invoice(open)).when(InvoiceCommand.Fail()).thenStatus("failed")
    assert.deepStrictEqual(consequences(change).totals, [
      { invoice: change.previous, by: -1 },
      { invoice: change.next, by: 1 }
    ])
  })
})
