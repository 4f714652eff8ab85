/**
 * For receivers of webhooks: proves that a request was signed with the endpoint's secret a short while ago, and answers
 * the event it carries. Needs Web Crypto and nothing else, so it runs on servers, edge workers and in browsers alike.
 */
import type { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import type { EventKind } from "@tolem/core/webhook/Webhook"

/** How far the timestamp may lie from now, either way (interface specification, Events). */
export const toleranceMs = 300_000

/** What a webhook request carries. The invoice has further members beside those that are always there. */
export interface WebhookEvent {
  readonly event: EventKind
  readonly invoice: {
    readonly id: string
    readonly status: InvoiceStatus
    /** Tenge. */
    readonly amount: number
    readonly externalOrderId: string | null
    readonly metadata: Readonly<Record<string, unknown>> | null
    readonly receiptNumber: string | null
    readonly receiptUrl: string | null
    /** ISO 8601, UTC. */
    readonly paidAt: string | null
  }
  /** When this attempt was made, ISO 8601, UTC. */
  readonly sentAt: string
  /** The same in every attempt and every resend of the event. */
  readonly id?: string
  readonly sequence?: number
  /** Whether the money came when the invoice was closed already. */
  readonly late?: boolean
}

const reasons = {
  header_missing: "The request has no timestamp or no signature.",
  timestamp_out_of_range: "The request was not signed within 300 seconds of now.",
  signature_mismatch: "The request was altered, or signed with another secret. The body must be given as it came.",
  not_an_event: "The request is signed, and holds no event."
}

/** Why a request is not to be trusted: `reason` for programs, `message` for people. */
export class WebhookRejected extends Error {
  override readonly name = "WebhookRejected"
  readonly _tag = "WebhookRejected"
  readonly reason: keyof typeof reasons

  constructor(reason: keyof typeof reasons) {
    super(reasons[reason])
    this.reason = reason
  }
}

/** Headers as frameworks give them: a `Headers` object, or a record whose names may be in any case. */
export type HeadersLike = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/** A request as a receiver has it. */
export interface WebhookRequest {
  /** The body as it came over the wire, unparsed. */
  readonly body: Uint8Array | string
  readonly headers: HeadersLike
  /** The endpoint's secret, `whsec_…`. While a rotation lasts, the old one works as well. */
  readonly secret: string
  /** Epoch milliseconds. Default: now. */
  readonly now?: number
}

/** The event of a request. Compares in constant time. Rejects with `WebhookRejected`. */
export const verify = async ({ body, headers, secret, now = Date.now() }: WebhookRequest): Promise<WebhookEvent> => {
  const timestamp = headerOf(headers, "x-webhook-timestamp")
  const signatures = [headerOf(headers, "x-webhook-signature"), headerOf(headers, "x-webhook-signature-previous")]
  if (timestamp === undefined || signatures[0] === undefined) throw new WebhookRejected("header_missing")
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > toleranceMs) {
    throw new WebhookRejected("timestamp_out_of_range")
  }
  const bytes = typeof body === "string" ? utf8.encode(body) : body
  const signed = concat(utf8.encode(`${timestamp}.`), bytes)
  const key = await crypto.subtle.importKey("raw", utf8.encode(secret), hmac, false, ["verify"])
  const proofs = await Promise.all(signatures.map((signature) => proves(key, signature, signed)))
  if (!proofs.includes(true)) throw new WebhookRejected("signature_mismatch")
  const event = parse(bytes)
  if (!isEvent(event)) throw new WebhookRejected("not_an_event")
  return event
}

const utf8 = new TextEncoder()
const hmac = { name: "HMAC", hash: "SHA-256" }

const headerOf = (headers: HeadersLike, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === "string" ? found : found?.[0]
}

// Web Crypto's own comparison: it takes the same time wherever the signatures differ.
const proves = async (key: CryptoKey, signature: string | undefined, signed: Uint8Array<ArrayBuffer>) => {
  const hex = /^sha256=([0-9a-f]{64})$/.exec(signature ?? "")?.[1]
  if (hex === undefined) return false
  const bytes = Uint8Array.from({ length: 32 }, (_, i) => Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16))
  return crypto.subtle.verify(hmac, key, bytes, signed)
}

const concat = (head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(head.length + tail.length)
  all.set(head)
  all.set(tail, head.length)
  return all
}

const parse = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}

// The secret vouches for the rest, and later versions may say more. Only what tells an event from other texts is asked.
const isEvent = (value: unknown): value is WebhookEvent => {
  const { event, invoice, sentAt } = objectOf(value)
  const { id, status, amount } = objectOf(invoice)
  return [event, sentAt, id, status].every((text) => typeof text === "string") && typeof amount === "number"
}

const objectOf = (value: unknown) =>
  (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>
