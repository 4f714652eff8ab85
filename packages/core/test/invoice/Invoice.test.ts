import { describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { assert } from "vitest"
import {
  decideInvoice,
  InvoiceCommand,
  InvoiceStatus,
  isLatePayable,
  isOpen,
  isRefundable,
  remainder
} from "../../src/invoice/Invoice.ts"
import { Tiyn, zero } from "../../src/value/Money.ts"
import { given, invoice, now, refundOf } from "./given.ts"

describe("an open invoice", () => {
  for (const status of ["new", "pending"] as const) {
    it(`that is ${status} can be cancelled, paid, failed and expired`, () => {
      given(invoice({ status })).when(InvoiceCommand.Cancel()).thenStatus("cancelled")
      given(invoice({ status })).when(InvoiceCommand.Fail()).thenStatus("failed")
      given(invoice({ status })).when(InvoiceCommand.Expire()).thenStatus("expired")
      given(invoice({ status }))
        .when(InvoiceCommand.Pay({ paidAt: now + 5 }))
        .thenStatus("paid")
    })
  }

  it("keeps the time of payment, and is not late", () => {
    const { next, event } = given(invoice())
      .when(InvoiceCommand.Pay({ paidAt: now + 5 }))
      .thenStatus("paid")
    assert.strictEqual(next.paidAt, now + 5)
    assert.isFalse(next.late)
    assert.isFalse(event.late)
  })

  it("is no longer watched once it is settled", () => {
    const { next } = given(invoice()).when(InvoiceCommand.Cancel()).thenStatus("cancelled")
    assert.isNull(next.dueAt)
  })
})

describe("money that comes late", () => {
  for (const status of ["expired", "cancelled"] as const) {
    it(`turns an invoice that is ${status} into a paid one, and says that it is late`, () => {
      const { next, event } = given(invoice({ status }))
        .when(InvoiceCommand.Pay({ paidAt: now + 200_000 }))
        .thenStatus("paid")
      assert.isTrue(next.late)
      assert.isTrue(event.late)
    })
  }

  it("is not announced as late again when the invoice is refunded", () => {
    const { event } = given(invoice({ status: "paid", late: true }))
      .when(InvoiceCommand.Refund({ refund: refundOf(1000) }))
      .thenStatus("refunded")
    assert.isFalse(event.late)
  })
})

describe("a refund", () => {
  it("of a part leaves the rest refundable", () => {
    const { next } = given(invoice({ status: "paid" }))
      .when(InvoiceCommand.Refund({ refund: refundOf(300) }))
      .thenStatus("partially_refunded")
    assert.strictEqual(next.refunded, Tiyn(30_000))
    assert.strictEqual(remainder(next), Tiyn(70_000))
  })

  it("of everything at once goes straight to refunded", () => {
    given(invoice({ status: "paid" }))
      .when(InvoiceCommand.Refund({ refund: refundOf(1000) }))
      .thenStatus("refunded")
  })

  it("of the remainder ends in refunded", () => {
    given(invoice({ status: "partially_refunded", refunded: Tiyn(30_000) }))
      .when(InvoiceCommand.Refund({ refund: refundOf(700) }))
      .thenStatus("refunded")
  })

  it("of more than is left, of nothing, or of less than nothing is refused", () => {
    const partly = invoice({ status: "partially_refunded", refunded: Tiyn(30_000) })
    for (const tenge of [700.01, 0, -1]) {
      given(partly)
        .when(InvoiceCommand.Refund({ refund: refundOf(tenge) }))
        .thenRefused("InvalidRefundAmount")
    }
  })

  for (const status of ["new", "pending", "failed", "expired", "cancelled", "refunded"] as const) {
    it(`of an invoice that is ${status} is refused`, () => {
      given(invoice({ status }))
        .when(InvoiceCommand.Refund({ refund: refundOf(1) }))
        .thenRefused("InvoiceNotRefundable")
    })
  }
})

const AnyCommand = Schema.Literals(["Cancel", "Expire", "Pay", "Fail", "Refund"])

const commandOf = (name: typeof AnyCommand.Type, tenge: number): InvoiceCommand => {
  switch (name) {
    case "Pay":
      return InvoiceCommand.Pay({ paidAt: now })
    case "Refund":
      return InvoiceCommand.Refund({ refund: refundOf(tenge) })
    case "Cancel":
      return InvoiceCommand.Cancel()
    case "Expire":
      return InvoiceCommand.Expire()
    case "Fail":
      return InvoiceCommand.Fail()
  }
}

const Steps = Schema.Array(
  Schema.Struct({ command: AnyCommand, tenge: Schema.Int.check(Schema.isBetween({ minimum: -10, maximum: 1200 })) })
)

describe("whatever is asked of an invoice, in whatever order", () => {
  it.prop(
    "refunds stay within the payment, sequences have no gaps, and what is settled stays settled",
    { steps: Steps },
    ({ steps }) => {
      let current = invoice()
      for (const { command, tenge } of steps) {
        const decided = decideInvoice(current, commandOf(command, tenge), { now, eventId: "evt_2", source: "api" })
        if (Result.isFailure(decided)) continue
        const { next, event } = decided.success
        assert.isTrue(next.refunded >= zero && next.refunded <= next.amount)
        assert.strictEqual(next.refunded === next.amount, next.status === "refunded")
        assert.strictEqual(event.sequence, current.sequence + 1)
        assert.strictEqual(next.version, current.version + 1)
        assert.isTrue(isOpen(current.status) || isLatePayable(current.status) || isRefundable(current.status))
        assert.isFalse(isOpen(next.status))
        current = next
      }
    },
    { arbitrary: { runs: 500 } }
  )

  it("is answered for every status and every command", () => {
    for (const status of InvoiceStatus.literals) {
      for (const name of AnyCommand.literals) {
        const refunded = status === "refunded" ? Tiyn(100_000) : zero
        const decided = decideInvoice(invoice({ status, refunded }), commandOf(name, 10), {
          now,
          eventId: "evt_2",
          source: "api"
        })
        const legal =
          name === "Refund" ? isRefundable(status) : isOpen(status) || (name === "Pay" && isLatePayable(status))
        assert.strictEqual(Result.isSuccess(decided), legal, `${status} × ${name}`)
      }
    }
  })
})
