/** Answers of the service: JSON text, and refusals in the one shape `{ error, message }`. */
import { type Code, entry } from "@tolem/core/ErrorCatalog"
import type { StorageError } from "@tolem/core/StorageError"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { RequestState } from "./RequestState.ts"

/** A failure that the catalogue knows. Core errors are such; a `StorageError` says more in the logs. */
export type Refusal = { readonly code: Code } | StorageError

/** The answer for a code: its status and its Kazakh text, from the catalogue. */
export const refuse = (
  code: Code,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse => {
  const { status, kk } = entry(code)
  return json(JSON.stringify({ error: code, message: kk }), status, { ...alwaysWith[code], ...headers })
}

/** The answer for a failure. A storage that is away is logged, and told as 503 without its cause. */
export const rejected = (refusal: Refusal): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (!("operation" in refusal)) return Effect.succeed(refuse(refusal.code))
  const { operation, outcome, cause, code } = refusal
  return Effect.as(logFailure("Storage away", cause, { operation, outcome }), refuse(code))
}

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

/** An answer whose body is JSON text already. */
export const json = (
  text: string,
  status = 200,
  headers: Readonly<Record<string, string>> = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(text, { status, contentType: "application/json", headers })

// A storage that was away a second ago may be back; a client without a key may be told how to send one.
const alwaysWith: Partial<Record<Code, Readonly<Record<string, string>>>> = {
  service_unavailable: { "retry-after": "1" },
  unauthorized: { "www-authenticate": "Bearer" }
}
