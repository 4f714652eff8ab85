import { Redacted } from "effect"
import type { InvoiceEvent } from "../../../src/invoice/Invoice.ts"
import { zero } from "../../../src/value/Money.ts"
import type { Delivery, Endpoint, Job } from "../../../src/webhook/Webhook.ts"
import { invoice, now } from "../../invoice/given.ts"

export const secretText = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
export const otherSecretText = `whsec_${Buffer.alloc(32, 9).toString("base64")}`

export const endpoint = (members: Partial<Endpoint> = {}): Endpoint => ({
  id: "whe_1",
  organizationId: "org_1",
  mode: "sandbox",
  url: "http://receiver.kz/hook",
  events: [],
  secret: Redacted.make(secretText),
  connectionId: null,
  previousSecret: null,
  disabled: false,
  failureCount: 0,
  pauseCount: 0,
  pausedUntil: null,
  createdAt: now,
  updatedAt: now,
  ...members
})

export const event = (members: Partial<InvoiceEvent> = {}): InvoiceEvent => ({
  id: "evt_1",
  invoiceId: "inv_1",
  organizationId: "org_1",
  sequence: 2,
  type: "invoice.paid",
  from: "pending",
  to: "paid",
  source: "api",
  refunded: zero,
  late: false,
  createdAt: now + 1_000,
  ...members
})

export const delivery = (members: Partial<Delivery> = {}): Delivery => ({
  id: "dlv_1",
  endpointId: "whe_1",
  organizationId: "org_1",
  mode: "sandbox",
  kind: "invoice.paid",
  invoiceId: "inv_1",
  eventId: "evt_1",
  sequence: 2,
  status: "pending",
  attemptCount: 0,
  dueAt: now,
  createdAt: now,
  completedAt: null,
  ...members
})

export const job = (members: Partial<Job> = {}): Job => ({
  delivery: delivery(),
  endpoint: endpoint(),
  fact: { event: event(), invoice: invoice({ status: "paid", paidAt: now + 900, receiptNumber: "00000001" }) },
  lease: "att_1",
  starts: 1,
  ...members
})
