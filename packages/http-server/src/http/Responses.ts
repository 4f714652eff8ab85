/** Answers of the service: JSON text, and refusals in the one shape `{ error, message }`. */
import { type Code, entry } from "@tolem/core/error/ErrorCatalog"
import type { StorageError } from "@tolem/core/error/StorageError"
import type { InvoiceId, RefundId } from "@tolem/core/value/Ids"
import { type JsonText, textOf } from "@tolem/core/value/RawJson"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { RequestState } from "./RequestState.ts"

/**
 * A failure that the catalogue knows. Core errors are such; a `StorageError` says more in the logs, and one of limits
 * says how long to wait.
 */
export type Refusal = (Stored & { readonly code: Code; readonly retryAfterSeconds?: number }) | StorageError

/** What was stored before the failure, and may have come to something: its id goes into a header of the answer. */
interface Stored {
  readonly invoiceId?: InvoiceId
  readonly refundId?: RefundId | null
}

/** The answer for a code: its status and its Kazakh text, from the catalogue. */
export const refuse = (
  code: Code,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => {
  const { status, kk } = entry(code)
  return coded(code, object({ error: code, message: kk }, status, { ...alwaysWith[code], ...headers }))
}

// By their bodies, which answers keep when they get further headers.
const codes = new WeakMap<object, Code>()

const coded = (code: Code, response: HttpServerResponse.HttpServerResponse) => {
  codes.set(response.body, code)
  return response
}

/** The code of an answer that refuses; undefined of any other. */
export const codeOf = ({ body }: HttpServerResponse.HttpServerResponse): Code | undefined => codes.get(body)

/** The same with how long to wait, in the body as in its header (interface specification, Error object). */
const refuseFor = (code: Code, retryAfterSeconds: number): HttpServerResponse.HttpServerResponse => {
  const { status, kk } = entry(code)
  const said = { error: code, message: kk, retryAfterSeconds }
  return coded(code, object(said, status, { "retry-after": String(retryAfterSeconds) }))
}

/** The answer for a failure. A storage that is away is logged, and told as 503 without its cause. */
export const rejected = (refusal: Refusal): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (!("operation" in refusal)) {
    const { code, retryAfterSeconds } = refusal
    return Effect.succeed(
      retryAfterSeconds === undefined ? refuse(code, named(refusal)) : refuseFor(code, retryAfterSeconds)
    )
  }
  const { operation, outcome, cause, code, stored = {} } = refusal
  return Effect.as(logFailure("Storage away", cause, { operation, outcome }), refuse(code, named(stored)))
}

const named = ({ invoiceId, refundId }: Stored) => ({
  ...(invoiceId !== undefined && { "x-invoice-id": invoiceId }),
  ...(typeof refundId === "string" && { "x-refund-id": refundId })
})

/** Logs what broke, under the name of the request that it broke in. */
export const logFailure = (
  what: string,
  cause: unknown,
  facts: Readonly<Record<string, string>> = {}
): Effect.Effect<void> =>
  Effect.withFiber((fiber) =>
    Effect.annotateLogs(Effect.logError(what, cause), { requestId: fiber.getRef(RequestState)?.id, ...facts })
  )

/** Turns every failure of a handler into its answer. */
export const answered = <R>(
  handler: Effect.Effect<HttpServerResponse.HttpServerResponse, Refusal, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> => Effect.catch(handler, rejected)

/** Headers of what strangers are told as JSON. */
export const unkept = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "x-robots-tag": "noindex, nofollow",
  "cache-control": "no-store"
}

declare const body: unique symbol

type MembersOf<Body> = Body extends unknown ? keyof Body : never

/** An answer with a body of this type: of these members, and of no others. The compiler alone knows of it. */
export type JsonAnswer<Body> = HttpServerResponse.HttpServerResponse & {
  readonly [body]: { readonly value: Body; readonly members: MembersOf<Body> }
}

type Headers = Readonly<Record<string, string>>

/** An answer whose body is JSON text already. */
export const json = <Body>(text: JsonText<Body>, status = 200, headers: Headers = {}): JsonAnswer<Body> =>
  HttpServerResponse.text(text, { status, contentType: "application/json", headers }) as JsonAnswer<Body>

/** An answer whose body is made of a value that JSON can hold. */
export const object = <Body extends object>(value: Body, status = 200, headers: Headers = {}): JsonAnswer<Body> =>
  json(textOf(value), status, headers)

/** The answer of what has nothing to say. */
export const nothing = HttpServerResponse.empty({ status: 204 }) as JsonAnswer<void>

// A storage that was away a second ago may be back; a place to wait at may be free in some seconds.
// A client without a key may be told how to send one.
const alwaysWith: Partial<Record<Code, Readonly<Record<string, string>>>> = {
  service_unavailable: { "retry-after": "1" },
  too_many_exports: { "retry-after": "30" },
  too_many_waiting: { "retry-after": "5" },
  unauthorized: { "www-authenticate": "Bearer" }
}
