/** An HTTP client whose next request can meet a trouble on the way: what a check does to the calls of a provider. */
import type { Call } from "@tolem/core/provider/PaymentProvider"
import type { Trouble } from "@tolem/testing/provider/ProviderCase"
import { Effect, Stream } from "effect"
import { HttpClient, HttpClientError, type HttpClientRequest, HttpClientResponse } from "effect/http"

/** A client, and what steers it. */
export interface TroubledClient {
  readonly client: HttpClient.HttpClient
  /** The next request of this call meets the trouble. */
  readonly trouble: (call: Call, trouble: Trouble) => void
}

/** The client over another one. */
export const make = (sound: HttpClient.HttpClient): TroubledClient => {
  let next: { readonly call: Call; readonly trouble: Trouble } | undefined
  const client = HttpClient.transform(sound, (answer, request) =>
    Effect.suspend(() => {
      if (next === undefined || next.call !== callOf(request)) return answer
      const { trouble } = next
      next = undefined
      return troubled(answer, request, trouble)
    })
  )
  return {
    client,
    trouble: (call, trouble) => {
      next = { call, trouble }
    }
  }
}

type Sent = Effect.Effect<HttpClientResponse.HttpClientResponse, HttpClientError.HttpClientError>

const troubled = (answer: Sent, request: HttpClientRequest.HttpClientRequest, trouble: Trouble): Sent => {
  const lost = Effect.fail(
    new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request }) })
  )
  const instead = (status: number, body: string) =>
    Effect.succeed(HttpClientResponse.fromWeb(request, new Response(body, { status })))
  // Read to its end, so that it has been done when the next request is sent.
  const done = Effect.flatMap(answer, ({ stream }) => Stream.runDrain(stream))
  switch (trouble) {
    case "lost_request":
      return lost
    case "lost_answer":
      return Effect.andThen(done, lost)
    case "silence":
      return Effect.never
    case "server_error":
      return instead(500, "")
    case "unreadable":
      return instead(200, "<html>")
    case "throttled":
      return instead(429, JSON.stringify({ error: "throttled", retryable: true, message: null, retryAfterMs: 1500 }))
    case "twice":
      return Effect.andThen(done, answer)
  }
}

/** The calls of the protocol, by method and path. */
const calls: ReadonlyArray<readonly [RegExp, Call]> = [
  [/^POST .*\/v1\/login$/, "initLogin"],
  [/^POST .*\/v1\/login\/phone$/, "sendPhone"],
  [/^POST .*\/v1\/login\/code$/, "verifyOtp"],
  [/^GET .*\/v1\/session$/, "checkSession"],
  [/^GET .*\/v1\/payments\/[^/]+$/, "stateByReference"],
  [/^GET .*\/v1\/orders\/[^/]+$/, "stateByOurs"],
  [/^POST .*\/v1\/payments\/[^/]+\/cancel$/, "cancel"],
  [/^POST .*\/v1\/payments\/[^/]+\/refunds$/, "refund"],
  [/^GET .*\/v1\/refunds\/[^/]+$/, "refundState"],
  [/^GET .*\/v1\/operations$/, "listOperations"]
]

const callOf = (request: HttpClientRequest.HttpClientRequest): Call | undefined => {
  const { method, url, body } = request
  if (method === "POST" && url.endsWith("/v1/payments")) return isPush(body) ? "createPush" : "createQr"
  return calls.find(([form]) => form.test(`${method} ${url}`))?.[1]
}

const isPush = (body: HttpClientRequest.HttpClientRequest["body"]): boolean =>
  body._tag === "Uint8Array" && JSON.parse(new TextDecoder().decode(body.body)).phone !== null
