/** Calls of the service as a merchant's own server makes them: `fetch` and JSON. */
import { Effect, Schema } from "effect"
import { CommandFailed } from "../kit/Failures.ts"

/** Who calls whom. */
export interface Caller {
  /** Address of the interface, up to `/api/v1`. */
  readonly url: string
  readonly apiKey: string
}

/** What is called, and what must come back. */
export interface ExpectedCall<A> {
  readonly method: "GET" | "POST"
  readonly path: string
  readonly body?: object
  readonly status: number
  readonly schema: Schema.Decoder<A>
}

/** Nothing that should happen is left out without the demo saying so. */
export const failed = (message: string): CommandFailed => new CommandFailed({ error: "demo_failed", message })

/** The answer, where it is the expected one. */
export const call = Effect.fnUntraced(function* <A>({ url, apiKey }: Caller, expected: ExpectedCall<A>) {
  const { method, path, body } = expected
  const answer = yield* Effect.tryPromise({
    try: async (signal) => {
      const headers = { "X-API-Key": apiKey, "Content-Type": "application/json" }
      const response = await fetch(url + path, { method, headers, signal, body: body ? JSON.stringify(body) : null })
      return { status: response.status, text: await response.text() }
    },
    catch: (cause) => failed(`${method} ${path}: ${String(cause)}`)
  })
  if (answer.status !== expected.status) {
    return yield* failed(`${method} ${path} answered ${answer.status}: ${answer.text}`)
  }
  return yield* Schema.decodeEffect(Schema.fromJsonString(expected.schema))(answer.text).pipe(
    Effect.mapError(({ message }) => failed(`${method} ${path} answered something else: ${message}`))
  )
})
