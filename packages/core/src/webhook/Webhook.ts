/** Webhook values: what is sent, where to, and what became of it. Instants are epoch milliseconds. */
import { type Redacted, Schema } from "effect"
import { announcedTypes } from "../invoice/Consequences.ts"
import type { Invoice, InvoiceEvent } from "../invoice/Invoice.ts"
import type { ConnectionId, DeliveryId, EndpointId, EventId, InvoiceId, OrganizationId } from "../value/Ids.ts"
import type { Mode } from "../value/Mode.ts"

/** The event kinds of the interface specification. */
export const EventKind = Schema.Literals([...announcedTypes, "webhook.test"])
/** See the schema of the same name. */
export type EventKind = typeof EventKind.Type

/** An address of a merchant that events are sent to. */
export interface Endpoint {
  readonly id: EndpointId
  readonly organizationId: OrganizationId
  readonly mode: Mode
  /** The cashier whose events it gets; null: those of the whole organization. In the sandbox always null. */
  readonly connectionId: ConnectionId | null
  readonly url: string
  /** The kinds it wants; empty means all. */
  readonly events: ReadonlyArray<EventKind>
  readonly secret: Redacted.Redacted
  /** The secret before the last rotation and until when it signs as well. */
  readonly previousSecret: { readonly secret: Redacted.Redacted; readonly until: number } | null
  /** Switched off by the merchant: events are not recorded for it, and what waits is held until it is on again. */
  readonly disabled: boolean
  /** Failures in a row since the last success. */
  readonly failureCount: number
  /** Pauses in a row since the last success; each is longer than the one before. */
  readonly pauseCount: number
  /** Set while the endpoint rests after failures: until then nothing is sent, then one probe goes first. */
  readonly pausedUntil: number | null
  readonly createdAt: number
  readonly updatedAt: number
}

/** `pending`: still to be sent. `delivered`: answered 2xx. `failed`: given up, or its endpoint is gone. */
export type DeliveryStatus = "pending" | "delivered" | "failed"

/** An event on its way to an endpoint. */
export interface Delivery {
  /** Made of the event and the endpoint, so that one event reaches an endpoint as one delivery. */
  readonly id: DeliveryId
  readonly endpointId: EndpointId
  readonly organizationId: OrganizationId
  readonly mode: Mode
  readonly kind: EventKind
  readonly invoiceId: InvoiceId
  readonly eventId: EventId
  readonly sequence: number
  readonly status: DeliveryStatus
  readonly attemptCount: number
  /** When the next attempt is due, if its endpoint does not pause; for a claimed one, until when the claim holds. */
  readonly dueAt: number
  readonly createdAt: number
  readonly completedAt: number | null
}

/** One try of a delivery, for the log. */
export interface Attempt {
  /** 1 for the first one. */
  readonly number: number
  readonly startedAt: number
  readonly durationMs: number
  readonly url: string
  readonly requestHeaders: Readonly<Record<string, string>>
  /** As it was sent; null when it is no longer kept, nor the answer's. */
  readonly requestBody: string | null
  /** The answer's status; null if none came. */
  readonly status: number | null
  /** The answer's first 20 000 bytes at most, as text; null if none came, of a private address, or no longer kept. */
  readonly responseBody: string | null
  /**
   * Why there was no answer, in a word: timeout, refused address, connection. `unfinished`: attempts were begun and
   * none ever ended, because the server ended first, so that it is not tried again.
   */
  readonly error: string | null
}

/** What is claimed for sending: the delivery, where to, and the facts it tells of. */
export interface Job {
  readonly delivery: Delivery
  readonly endpoint: Endpoint
  /** The event and the invoice as it is now; both null for a test delivery. */
  readonly fact: { readonly event: InvoiceEvent; readonly invoice: Invoice } | null
  /** Proof of the claim: `settle` writes only while it still holds. */
  readonly lease: string
  /** How often it was claimed to be sent since an attempt of it has ended, this time included. */
  readonly starts: number
}
