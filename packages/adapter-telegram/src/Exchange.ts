/**
 * One call of Telegram's interface. The bot's token is a part of its addresses: nothing of a request, nor of an error
 * that may name one, leaves this file, and no span is made of it.
 */
import { Duration, Effect, Option, Redacted, Schema, Stream } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"

/** Whose bot it is, and where the interface is. */
export interface Address {
  readonly token: Redacted.Redacted
  readonly baseUrl: string
}

/**
 * What came of a call. `Refused`: Telegram says no, with its number. `Unreached`: nothing has left. `Silent`: there was
 * no answer that could be read, and it may have been done.
 */
export type CallResult<A> =
  | { readonly _tag: "Done"; readonly value: A }
  | { readonly _tag: "Refused"; readonly status: number; readonly isGone: boolean; readonly waitMs: number | null }
  | { readonly _tag: "Unreached"; readonly reason: string }
  | { readonly _tag: "Silent"; readonly reason: string }

/** Bytes of an answer that are read: a hundred messages of people. */
const maxBytes = 2 * 1024 * 1024

const Refusal = Schema.Struct({
  ok: Schema.Literal(false),
  error_code: Schema.Int,
  description: Schema.optionalKey(Schema.String),
  parameters: Schema.optionalKey(Schema.Struct({ retry_after: Schema.optionalKey(Schema.Int) }))
})

const Answer = Schema.Struct({ ok: Schema.Literal(true), result: Schema.Unknown })
const done = Schema.decodeUnknownOption(Schema.fromJsonString(Answer))
const refused = Schema.decodeUnknownOption(Schema.fromJsonString(Refusal))

const textOf = (response: HttpClientResponse.HttpClientResponse) =>
  response.stream.pipe(
    Stream.runFoldEffect(
      () => ({ parts: [] as Array<Uint8Array>, size: 0 }),
      (read, part) => {
        const size = read.size + part.byteLength
        if (size > maxBytes) return Effect.fail("too long" as const)
        read.parts.push(part)
        return Effect.succeed({ parts: read.parts, size })
      }
    ),
    Effect.map(({ parts }) => {
      const utf8 = new TextDecoder()
      return parts.map((part) => utf8.decode(part, { stream: true })).join("")
    })
  )

/** Codes of a system that say that there was no connection. */
const beforeAll: ReadonlyArray<unknown> = [
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "UND_ERR_CONNECT_TIMEOUT"
]

/** The code of the system in an error, which may stand in what caused it. */
const codeOf = (error: unknown, depth = 4): string | null => {
  if (depth === 0 || typeof error !== "object" || error === null) return null
  const code: unknown = Reflect.get(error, "code")
  if (typeof code === "string" && /^[A-Z_]{3,40}$/.test(code)) return code
  return codeOf(Reflect.get(error, "reason"), depth - 1) ?? codeOf(Reflect.get(error, "cause"), depth - 1)
}

const silent = (reason: string) => ({ _tag: "Silent", reason }) as const

/** Calls a method of the bot with a JSON body. Never fails; ends within `timeoutMs`. */
export const call = <S extends Schema.ConstraintDecoder<unknown>>(
  client: HttpClient.HttpClient,
  { token, baseUrl }: Address,
  asked: { readonly method: string; readonly body: object; readonly result: S; readonly timeoutMs: number }
): Effect.Effect<CallResult<S["Type"]>> => {
  const { method, body, result, timeoutMs } = asked
  const request = HttpClientRequest.post(`${baseUrl}/bot${Redacted.value(token)}/${method}`).pipe(
    HttpClientRequest.bodyJsonUnsafe(body)
  )
  const decode = Schema.decodeUnknownOption(result)
  const read = (text: string, status: number): CallResult<S["Type"]> => {
    const value = Option.flatMap(done(text), (answer) => decode(answer.result))
    if (status === 200 && Option.isSome(value)) return { _tag: "Done", value: value.value }
    const refusal = Option.getOrUndefined(refused(text))
    // Another machine on the way may have said it, or Telegram after it has done what was asked.
    if (refusal === undefined || refusal.error_code >= 500) return silent(`answer ${status}`)
    const seconds = refusal.parameters?.retry_after
    return {
      _tag: "Refused",
      status: refusal.error_code,
      isGone: /chat not found|blocked|deactivated|kicked/i.test(refusal.description ?? ""),
      waitMs: seconds === undefined ? null : Math.max(seconds, 1) * 1000
    }
  }
  return client.execute(request).pipe(
    Effect.flatMap((response) => Effect.map(textOf(response), (text) => read(text, response.status))),
    Effect.provideService(HttpClient.TracerPropagationEnabled, false),
    Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
    Effect.catch((error): Effect.Effect<CallResult<S["Type"]>> => {
      const code = codeOf(error)
      const reason = code ?? "no answer"
      return Effect.succeed(beforeAll.includes(code) ? { _tag: "Unreached", reason } : silent(reason))
    }),
    Effect.timeoutOrElse({
      duration: Duration.millis(timeoutMs),
      orElse: () => Effect.succeed(silent("no answer in time"))
    })
  )
}
