/** One request of the client and what its answer means. It is sent once, and believed only as far as it can be read. */
import { Answer, refused, type UnknownReason } from "@tolem/core/provider/Answer"
import { Data, Effect, Schema, Stream } from "effect"
import { HttpClient, type HttpClientRequest, type HttpClientResponse } from "effect/http"
import * as Wire from "./Wire.ts"

/** Bytes of an answer that are read; a longer one is unreadable. */
const maxBytes = 256 * 1024

/** No answer that says what became of the call. */
class NoAnswer extends Data.TaggedError("NoAnswer")<{ readonly reason: UnknownReason }> {}

/** Sends the request; `use` makes the value of a body, or undefined if the body is not about what was asked. */
export const exchange = <S extends Schema.ConstraintDecoder<unknown>, A>(
  client: HttpClient.HttpClient,
  request: HttpClientRequest.HttpClientRequest,
  schema: S,
  use: (body: S["Type"]) => A | undefined
): Effect.Effect<Answer<A>> =>
  Effect.gen(function* () {
    const response = yield* client.execute(request).pipe(
      // Which traces we have is no affair of the provider's.
      Effect.provideService(HttpClient.TracerPropagationEnabled, false),
      Effect.mapError(() => new NoAnswer({ reason: "connection" }))
    )
    const { status } = response
    if (status >= 500) return yield* new NoAnswer({ reason: "server_error" })
    const body = yield* jsonOf(response)
    if (status === 200) {
      const value = use(yield* decode(schema, body))
      return value === undefined ? yield* new NoAnswer({ reason: "unreadable" }) : Answer.Accepted({ value })
    }
    return yield* refusalOf(status, body)
  }).pipe(Effect.catchTag("NoAnswer", ({ reason }) => Effect.succeed<Answer<A>>(Answer.Unknown({ reason }))))

const unreadable = () => new NoAnswer({ reason: "unreadable" })

const decode = <S extends Schema.ConstraintDecoder<unknown>>(
  schema: S,
  body: unknown
): Effect.Effect<S["Type"], NoAnswer> => Effect.mapError(Schema.decodeUnknownEffect(schema)(body), unreadable)

/** What a refusal says. One that is not in the words of the protocol may come from a machine on the way. */
const refusalOf = Effect.fnUntraced(function* (status: number, body: unknown) {
  const { error, retryable, message, retryAfterMs } = yield* decode(Wire.Refusal, body)
  if (status === 401 && error === "session_lost") return Answer.SessionLost()
  if (status === 429 && error === "throttled") return Answer.Throttled({ retryAfterMs: retryAfterMs ?? 1000 })
  if (status === 401 && error === "secret_rejected") return refused("unavailable", { retryable: true, detail: error })
  if (error === "secret_rejected" || error === "session_lost" || error === "throttled" || status < 400)
    return yield* unreadable()
  return refused(error, { retryable, ...(message !== null && { detail: message }) })
})

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** The JSON of an answer. Fails if it is none, or longer than any answer of the protocol. */
export const jsonOf = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<unknown, NoAnswer> =>
  response.stream.pipe(
    Stream.mapError(() => new NoAnswer({ reason: "connection" })),
    Stream.runFoldEffect(
      () => ({ parts: [] as Uint8Array[], size: 0 }),
      (read, part) => {
        const size = read.size + part.byteLength
        if (size > maxBytes) return Effect.fail(unreadable())
        read.parts.push(part)
        return Effect.succeed({ parts: read.parts, size })
      }
    ),
    Effect.flatMap(({ parts, size }) => Effect.try({ try: () => parse(parts, size), catch: unreadable }))
  )

const parse = (parts: ReadonlyArray<Uint8Array>, size: number): unknown => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.byteLength
  }
  return JSON.parse(utf8.decode(bytes))
}
