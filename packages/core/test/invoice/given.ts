import { Result } from "effect"
import { assert } from "vitest"
import {
  decideInvoice,
  type Invoice,
  type InvoiceChange,
  type InvoiceCommand,
  type InvoiceStatus,
  type Refusal
} from "../../src/invoice/Invoice.ts"
import { blankInvoice } from "../../src/invoice/NewInvoice.ts"
import type { Refund } from "../../src/invoice/Refund.ts"
import { Tiyn } from "../../src/value/Money.ts"

export const now = 1_767_225_600_000

export const invoice = (members: Partial<Invoice> = {}): Invoice => ({
  ...blankInvoice({
    id: "inv_1",
    organizationId: "org_1",
    mode: "sandbox",
    kind: "qr",
    amount: Tiyn(100_000),
    now
  }),
  qrUrl: "http://localhost:3000/pay/inv_1",
  deepLink: "tolem-sandbox://pay/inv_1",
  expiresAt: now + 180_000,
  dueAt: now + 180_000,
  ...members
})

export const refundOf = (tenge: number): Refund => ({
  id: "ref_1",
  invoiceId: "inv_1",
  organizationId: "org_1",
  amount: Tiyn(tenge * 100),
  status: "succeeded",
  reason: null,
  idempotencyKey: null,
  fingerprint: null,
  providerReference: null,
  createdAt: now,
  completedAt: now
})

const circumstances = { now: now + 1000, eventId: "evt_2", source: "api" as const }

/** `given(invoice).when(command)`, then what came of it. */
export const given = (start: Invoice) => ({
  when: (command: InvoiceCommand) => {
    const decided = decideInvoice(start, command, circumstances)
    return {
      thenStatus: (status: InvoiceStatus): InvoiceChange => {
        assert.isTrue(Result.isSuccess(decided), `refused: ${JSON.stringify(decided)}`)
        const change = Result.getOrThrow(decided)
        assert.strictEqual(change.next.status, status)
        assert.strictEqual(change.event.type, `invoice.${status}`)
        assert.strictEqual(change.event.from, start.status)
        return change
      },
      thenRefused: (tag: Refusal["_tag"]) => {
        assert.isTrue(Result.isFailure(decided), "was not refused")
        if (Result.isFailure(decided)) assert.strictEqual(decided.failure._tag, tag)
      }
    }
  }
})
