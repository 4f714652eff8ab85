/** Values for tests. Each is complete and valid; what a test cares about is given, the rest is made up. */
import type { ListFilter } from "@tolem/core/cabinet/ReportStore"
import type { FormHook } from "@tolem/core/formhook/FormHook"
import { noTotals } from "@tolem/core/invoice/changes/LinkShare"
import {
  type DecisionContext,
  decideInvoice,
  type Invoice,
  type InvoiceChange,
  type InvoiceCommand,
  type InvoiceEvent,
  invoiceCreated
} from "@tolem/core/invoice/Invoice"
import type { Creation, InvoiceQuery } from "@tolem/core/invoice/InvoiceStore"
import { blankInvoice } from "@tolem/core/invoice/NewInvoice"
import type { Refund } from "@tolem/core/invoice/Refund"
import { type Account, type ApiKey, type Organization, referralCodeOf } from "@tolem/core/merchant/Merchant"
import { blankLink } from "@tolem/core/paymentlink/LinkRequests"
import type { PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import { dayOf } from "@tolem/core/value/Calendar"
import { encode, type OrganizationId, type Prefix } from "@tolem/core/value/Ids"
import { Tiyn } from "@tolem/core/value/Money"
import type { Attempt, Delivery, Endpoint } from "@tolem/core/webhook/Webhook"
import { Redacted, Result } from "effect"

/** The instant at which tests begin: 2026-01-01T00:00:00.000Z. */
export const startAt = 1_767_225_600_000

let serial = 0

/** An identifier that no other call has given, and that sorts after those of earlier calls. */
export const freshId = (prefix: Prefix): string => {
  // Without long rows of zeros, which searches for other numbers would find.
  const bytes = new Uint8Array(10).fill(0xa5)
  new DataView(bytes.buffer).setUint32(6, ++serial)
  return encode(prefix, startAt, bytes)
}

/** A pending sandbox invoice over 1 500 tenge. */
export const invoiceOf = (members: Partial<Invoice> = {}): Invoice => ({
  ...blankInvoice({
    id: freshId("inv"),
    organizationId: "org_shop",
    mode: "sandbox",
    kind: "qr",
    amount: Tiyn(150_000),
    now: startAt
  }),
  expiresAt: startAt + 180_000,
  countedOn: members.mode === "live" ? dayOf(members.createdAt ?? startAt) : null,
  dueAt: startAt + 180_000,
  ...members
})

/** An invoice with nothing left out. */
export const fullInvoiceOf = (members: Partial<Invoice> = {}): Invoice =>
  invoiceOf({
    mode: "live",
    connectionId: "con_1",
    kind: "phone",
    description: "Екі кофе",
    externalOrderId: "order-17",
    customer: { name: "Әлия Қасымова", phone: "77001234567", email: "aliya@example.kz" },
    successUrl: "https://shop.kz/thanks?a=1&b=%20",
    failUrl: "https://shop.kz/sorry#top",
    metadata: '{"cart":[1,2,3]}',
    idempotencyKey: freshId("key"),
    fingerprint: "f".repeat(64),
    providerReference: "P-1",
    providerStatus: "WAITING",
    providerReceiptUrl: "https://provider.kz/r/1",
    receiptNumber: "R-1",
    qrUrl: "https://pay.kz/q",
    deepLink: "app://pay",
    paidAt: startAt + 5,
    updatedAt: startAt + 6,
    late: true,
    ...members
  })

/** An invoice with its first event, as it is inserted. */
export const creationOf = (members: Partial<Invoice> = {}): Creation => withEvent(invoiceOf(members))

/** `invoice` with its first event. */
export const withEvent = (invoice: Invoice): Creation => ({
  invoice,
  event: invoiceCreated(invoice, { now: invoice.createdAt, eventId: freshId("evt"), source: "api" })
})

/** The change that `command` makes of an invoice that accepts it, a second after its newest one. */
export const changeOf = (
  invoice: Invoice,
  command: InvoiceCommand,
  members: Partial<DecisionContext> = {}
): InvoiceChange =>
  Result.getOrThrow(
    decideInvoice(invoice, command, {
      now: invoice.updatedAt + 1000,
      eventId: freshId("evt"),
      source: "api",
      ...members
    })
  )

/** A succeeded refund of `invoice`. */
export const refundOf = (invoice: Invoice, amount: number, members: Partial<Refund> = {}): Refund => ({
  id: freshId("ref"),
  invoiceId: invoice.id,
  organizationId: invoice.organizationId,
  amount: Tiyn(amount),
  status: "succeeded",
  reason: null,
  idempotencyKey: null,
  fingerprint: null,
  providerReference: null,
  createdAt: startAt + 2000,
  completedAt: startAt + 2000,
  ...members
})

/** All sandbox invoices of the shop, in pages of 50. */
export const queryOf = (members: Partial<InvoiceQuery> = {}): InvoiceQuery => ({
  organizationId: "org_shop",
  mode: "sandbox",
  connectionId: null,
  statuses: [],
  externalOrderId: null,
  search: null,
  from: null,
  to: null,
  limit: 50,
  offset: 0,
  ...members
})

/** An account in force. */
export const accountOf = (members: Partial<Account> = {}): Account => {
  const id = freshId("acc")
  return {
    id,
    phone: `7${String(++serial).padStart(10, "0")}`,
    name: "Әлия",
    email: null,
    status: "active",
    referralCode: referralCodeOf(id),
    createdAt: startAt,
    ...members
  }
}

/** An organization in force. */
export const organizationOf = (owner: Account, members: Partial<Organization> = {}): Organization => ({
  id: freshId("org"),
  name: "Dastarkhan",
  legalName: null,
  idn: null,
  mode: "sandbox",
  tariff: "scale",
  tariffUntil: null,
  status: "active",
  ownerId: owner.id,
  referredBy: null,
  partnerId: null,
  createdAt: startAt,
  ...members
})

/** A key of an organization. */
export const apiKeyOf = (organizationId: OrganizationId, members: Partial<ApiKey> = {}): ApiKey => {
  const id = freshId("key")
  return {
    id,
    organizationId,
    mode: "sandbox",
    name: "Till",
    scopes: ["invoices:read", "invoices:write"],
    connectionId: null,
    digest: id.padEnd(64, "0"),
    lastCharacters: "abc123",
    lastUsedAt: null,
    madeBy: null,
    createdAt: startAt,
    ...members
  }
}

/** An endpoint of the shop that wants every kind. */
export const endpointOf = (members: Partial<Endpoint> = {}): Endpoint => {
  const id = freshId("whe")
  return {
    id,
    organizationId: "org_shop",
    mode: "sandbox",
    url: "http://localhost:9000/hook",
    events: [],
    secret: Redacted.make(`whsec_${id}`),
    connectionId: null,
    previousSecret: null,
    disabled: false,
    failureCount: 0,
    pauseCount: 0,
    pausedUntil: null,
    createdAt: startAt,
    updatedAt: startAt,
    ...members
  }
}

/** What the cabinet's list of the shop is asked for: all of it. */
export const filterOf = (members: Partial<ListFilter> = {}): ListFilter => ({
  organizationId: "org_shop",
  mode: "live",
  connectionId: null,
  statuses: [],
  kind: null,
  source: null,
  minAmount: null,
  maxAmount: null,
  externalOrderId: null,
  search: null,
  from: null,
  to: null,
  ...members
})

/** A link of the shop, of which the customer types the amount. */
export const paymentLinkOf = (members: Partial<PaymentLink> = {}): PaymentLink => {
  const id = freshId("lnk")
  return {
    id,
    organizationId: "org_shop",
    mode: "sandbox",
    connectionId: null,
    ...blankLink,
    slug: id.replace("_", "-"),
    title: "Шай",
    createdAt: startAt,
    updatedAt: startAt,
    version: 1,
    totals: noTotals,
    ...members
  }
}

/** A form hook of the shop. */
export const formHookOf = (members: Partial<FormHook> = {}): FormHook => ({
  id: freshId("hok"),
  organizationId: "org_shop",
  mode: "sandbox",
  connectionId: null,
  name: "Order form",
  successUrl: null,
  failUrl: null,
  status: "active",
  allowedOrigins: [],
  honeypot: null,
  caughtCount: 0,
  createdAt: startAt,
  updatedAt: startAt,
  version: 1,
  ...members
})

/** A delivery of `event` that was asked for, due when the event happened. */
export const deliveryOf = (endpoint: Endpoint, event: InvoiceEvent, members: Partial<Delivery> = {}): Delivery => ({
  id: freshId("dlv"),
  endpointId: endpoint.id,
  organizationId: endpoint.organizationId,
  mode: endpoint.mode,
  kind: "invoice.paid",
  invoiceId: event.invoiceId,
  eventId: event.id,
  sequence: event.sequence,
  status: "pending",
  attemptCount: 0,
  dueAt: event.createdAt,
  createdAt: event.createdAt,
  completedAt: null,
  ...members
})

/** A test delivery, which tells of an invoice that exists nowhere. */
export const testDeliveryOf = (endpoint: Endpoint, members: Partial<Delivery> = {}): Delivery => {
  const { event } = withEvent(invoiceOf({ id: "inv_test" }))
  return { ...deliveryOf(endpoint, event), kind: "webhook.test", ...members }
}

/** A first attempt that was answered with 500. */
export const attemptOf = (members: Partial<Attempt> = {}): Attempt => ({
  number: 1,
  startedAt: startAt + 10,
  durationMs: 12,
  url: "http://localhost:9000/hook",
  requestHeaders: { "content-type": "application/json", "x-webhook-event": "invoice.paid" },
  requestBody: '{"event":"invoice.paid"}',
  status: 500,
  responseBody: "қате",
  error: null,
  ...members
})
