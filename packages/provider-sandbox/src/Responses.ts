/** How the server reads requests and gives answers, faults included: those are done to the connection itself. */
import type { Answer } from "@tolem/core/provider/Answer"
import { ByteSize, Clock, Data, Duration, Effect, Schema, Stream } from "effect"
import { HttpIncomingMessage, HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Reply } from "./Reply.ts"
import type { Refusal } from "./Wire.ts"

/** A JSON answer. */
export const json = (body: unknown, status = 200): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(body, { status })

/** A refusal as the protocol has it. */
export const refusal = (
  status: number,
  error: (typeof Refusal.Type)["error"],
  more: Partial<typeof Refusal.Type> = {}
): HttpServerResponse.HttpServerResponse => json({ error, retryable: false, message: null, ...more }, status)

/** The request cannot be understood. Nothing was done. */
export class BadRequest extends Data.TaggedError("BadRequest") {}

const maxBytes = ByteSize.kibibytes(256)

/** The body of the request; none counts as an empty object. */
export const bodyOf = <S extends Schema.ConstraintDecoder<unknown>>(
  request: HttpServerRequest.HttpServerRequest,
  schema: S
): Effect.Effect<S["Type"], BadRequest> =>
  request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, maxBytes),
    Effect.flatMap((text) => Effect.try((): unknown => JSON.parse(text === "" ? "{}" : text))),
    Effect.flatMap(Schema.decodeUnknownEffect(schema)),
    Effect.mapError(() => new BadRequest())
  )

/** What the address of the request asks, behind its path. */
export const queryOf = <S extends Schema.ConstraintDecoder<unknown>>(
  request: HttpServerRequest.HttpServerRequest,
  schema: S
): Effect.Effect<S["Type"], BadRequest> => {
  const given = Object.fromEntries(new URL(request.url, "http://sandbox").searchParams)
  return Effect.mapError(Schema.decodeUnknownEffect(schema)(given), () => new BadRequest())
}

/** A part of the path. */
export const parameter = (name: string): Effect.Effect<string, BadRequest, HttpRouter.RouteContext> =>
  Effect.flatMap(HttpRouter.params, (params) =>
    Effect.mapError(Effect.fromNullishOr(params[name]), () => new BadRequest())
  )

/** A route; what cannot be understood is refused with `invalid`. */
export const route = <R>(
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: `/${string}`,
  handler: (
    request: HttpServerRequest.HttpServerRequest
  ) => Effect.Effect<HttpServerResponse.HttpServerResponse, BadRequest, R>
): HttpRouter.Route<never, R> =>
  HttpRouter.route(method, path, (request: HttpServerRequest.HttpServerRequest) =>
    Effect.catch(handler(request), () => Effect.succeed(refusal(422, "invalid")))
  )

/** Performs at the present instant and gives the reply to the client, in whichever way it is meant to go. */
export const give = Effect.fnUntraced(function* <A>(perform: (now: number) => Reply<A>, show: (value: A) => unknown) {
  const reply = perform(yield* Clock.currentTimeMillis)
  switch (reply.kind) {
    case "answer":
      if (reply.afterMs > 0) yield* Effect.sleep(Duration.millis(reply.afterMs))
      return answered(reply.answer(yield* Clock.currentTimeMillis), show)
    case "silence":
      // Ends when the client gives up, or the server stops.
      return yield* Effect.never
    case "drop":
      // A body that breaks off before its first byte: the server can only cut the connection.
      return HttpServerResponse.stream(Stream.fail("cut"))
    case "error":
      return json({ error: "sandbox_fault" }, reply.status)
    case "garbage":
      return HttpServerResponse.text(reply.body, { contentType: "application/json" })
  }
})

const answered = <A>(answer: Answer<A>, show: (value: A) => unknown): HttpServerResponse.HttpServerResponse => {
  switch (answer._tag) {
    case "Accepted":
      return json(show(answer.value))
    case "Refused": {
      const { code, retryable, detail } = answer
      return refusal(code === "not_found" ? 404 : 409, code, { retryable, message: detail })
    }
    case "SessionLost":
      return refusal(401, "session_lost")
    case "Throttled": {
      const { retryAfterMs } = answer
      const response = refusal(429, "throttled", { retryable: true, retryAfterMs })
      return HttpServerResponse.setHeader(response, "retry-after", String(Math.ceil(retryAfterMs / 1000)))
    }
    case "Unknown":
      return json({ error: "not_supported" }, 501)
  }
}
