/**
 * For receivers of webhooks: proves that a request was signed with the endpoint's secret a short while ago, and answers
 * the event it carries. Needs Web Crypto only, so it runs on servers, edge workers and in browsers alike.
 */
import { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import { EventKind } from "@tolem/core/webhook/Webhook"
import { Clock, Data, Effect, Redacted, Result, Schema } from "effect"
import { Hex } from "effect/encoding"
import { DateTime } from "./Invoice.ts"

/** How far the timestamp may lie from now, either way (interface specification, Events). */
export const toleranceMs = 300_000

/** What a webhook request carries. The invoice has further members beside those that are always there. */
export const WebhookEvent = Schema.Struct({
  event: EventKind,
  invoice: Schema.Struct({
    id: Schema.String,
    status: InvoiceStatus,
    amount: Schema.Finite,
    externalOrderId: Schema.NullOr(Schema.String),
    metadata: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
    receiptNumber: Schema.NullOr(Schema.String),
    receiptUrl: Schema.NullOr(Schema.String),
    paidAt: Schema.NullOr(DateTime)
  }),
  sentAt: DateTime,
  id: Schema.optionalKey(Schema.String),
  sequence: Schema.optionalKey(Schema.Int),
  late: Schema.optionalKey(Schema.Boolean)
})
/** See the schema of the same name. */
export type WebhookEvent = typeof WebhookEvent.Type

/**
 * Why a request is not to be trusted. `header_missing`: no timestamp or signature. `timestamp_out_of_range`: not within
 * 300 seconds of now. `signature_mismatch`: altered, or signed with another secret. `not_an_event`: what is signed
 * is no event.
 */
export class WebhookRejected extends Data.TaggedError("WebhookRejected")<{
  readonly reason: "header_missing" | "timestamp_out_of_range" | "signature_mismatch" | "not_an_event"
}> {}

/** Headers as frameworks give them: a `Headers` object, or a record whose names may be in any case. */
export type HeadersLike = Headers | Readonly<Record<string, string | ReadonlyArray<string> | undefined>>

/**
 * The event of a request. `rawBody` is the body as it came over the wire, unparsed. Compares in constant time. While a
 * rotated secret is still valid, a receiver that knows only the old one accepts as well. Fails with `WebhookRejected`.
 */
export const verify = Effect.fnUntraced(function* (
  rawBody: Uint8Array | string,
  headers: HeadersLike,
  secret: Redacted.Redacted | string
) {
  return yield* verifyAt(rawBody, headers, secret, yield* Clock.currentTimeMillis)
})

/** `verify` at an instant of the caller's choice, epoch milliseconds. */
export const verifyAt = Effect.fnUntraced(function* (
  rawBody: Uint8Array | string,
  headers: HeadersLike,
  secret: Redacted.Redacted | string,
  now: number
) {
  const timestamp = headerOf(headers, "x-webhook-timestamp")
  const signatures = [headerOf(headers, "x-webhook-signature"), headerOf(headers, "x-webhook-signature-previous")]
  if (timestamp === undefined || signatures[0] === undefined) {
    return yield* new WebhookRejected({ reason: "header_missing" })
  }
  if (!/^[0-9]{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > toleranceMs) {
    return yield* new WebhookRejected({ reason: "timestamp_out_of_range" })
  }
  const body = typeof rawBody === "string" ? utf8.encode(rawBody) : rawBody
  const signed = concat(utf8.encode(`${timestamp}.`), body)
  const key = yield* Effect.promise(() => importKey(typeof secret === "string" ? secret : Redacted.value(secret)))
  const proofs = yield* Effect.promise(() => Promise.all(signatures.map((signature) => proves(key, signature, signed))))
  if (!proofs.includes(true)) return yield* new WebhookRejected({ reason: "signature_mismatch" })
  const event = parse(body)
  return isEvent(event) ? event : yield* new WebhookRejected({ reason: "not_an_event" })
})

/** `verify` for applications without Effect. Rejects with a `WebhookRejected`. */
export const verifyPromise = (
  rawBody: Uint8Array | string,
  headers: HeadersLike,
  secret: string,
  now?: number
): Promise<WebhookEvent> =>
  Effect.runPromise(now === undefined ? verify(rawBody, headers, secret) : verifyAt(rawBody, headers, secret, now))

const utf8 = new TextEncoder()
const isEvent = Schema.is(WebhookEvent)
const hmac = { name: "HMAC", hash: "SHA-256" }

const headerOf = (headers: HeadersLike, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === "string" ? found : found?.[0]
}

const importKey = (secret: string) => crypto.subtle.importKey("raw", utf8.encode(secret), hmac, false, ["verify"])

// Web Crypto's own comparison: it takes the same time wherever the signatures differ.
const proves = async (key: CryptoKey, signature: string | undefined, signed: Uint8Array<ArrayBuffer>) => {
  const bytes = Hex.decode(/^sha256=([0-9a-f]{64})$/.exec(signature ?? "")?.[1] ?? "")
  return Result.isSuccess(bytes) && (await crypto.subtle.verify(hmac, key, new Uint8Array(bytes.success), signed))
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
