/** The feed of a running server, `/api/v1/events`, as a program of its merchant reads it: by API key, over HTTP. */
import { type Code, entry, isCode } from "@tolem/core/error/ErrorCatalog"
import { rawElements, rawMember } from "@tolem/core/value/RawJson"
import { Config, Data, Duration, Effect, FileSystem, Option, Redacted, Schema } from "effect"
import { Flag } from "effect/cli"
import { CommandFailed, UsageError } from "../kit/Failures.ts"
import * as Flags from "../kit/Flags.ts"

/** The variable that holds the key; TOLEM_API_KEY_FILE names a file that does. */
const variable = "TOLEM_API_KEY"

/** `--url`, `--key-file` and `--types`. The key itself is no flag: arguments are seen by every user of a machine. */
export const flags = {
  url: Flags.serverUrl,
  keyFile: Flags.text(
    "key-file",
    "PATH",
    `File with the API key, which needs invoices:read; without it ${variable}`
  ).pipe(Flag.optional),
  types: Flags.text("types", "a,b", "Only events of these types, as invoice.paid; default all").pipe(Flag.optional)
}

/** Where the server is and who asks. */
export interface Access {
  readonly url: string
  readonly apiKey: Redacted.Redacted
}

/** The access that flags and the environment give. Fails with `UsageError` if there is no key. */
export const accessOf = Effect.fnUntraced(function* (given: {
  readonly url: string
  readonly keyFile: Option.Option<string>
}) {
  const apiKey = Option.isSome(given.keyFile) ? yield* keyIn(given.keyFile.value) : yield* keyOfEnvironment
  const access: Access = { url: given.url.replace(/\/+$/, ""), apiKey }
  return access
})

const keyIn = Effect.fnUntraced(function* (path: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    fs.readFileString(path),
    ({ reason }) => new UsageError({ message: `--key-file: ${unread(reason._tag)}: ${path}` })
  )
  return yield* sound(Redacted.make(text.trim()), "--key-file")
})

const unread = (reason: string): string => {
  if (reason === "NotFound") return "there is no such file"
  return reason === "PermissionDenied" ? "you may not read it" : `it cannot be read (${reason})`
}

const keyOfEnvironment = Config.option(Config.Redacted(variable)).pipe(
  Effect.mapError(({ cause }) => new UsageError({ message: `${variable}: ${cause.message.split("\n")[0]}` })),
  Effect.flatMap((key) =>
    Option.isSome(key)
      ? sound(key.value, variable)
      : Effect.fail(new UsageError({ message: `Set ${variable}, or name a file with --key-file: tolem key create` }))
  )
)

// What no header can carry is not shown either: it may be most of a key.
const sound = (key: Redacted.Redacted, name: string) =>
  /^[\x21-\x7e]{1,200}$/.test(Redacted.value(key))
    ? Effect.succeed(key)
    : Effect.fail(new UsageError({ message: `${name}: it is no API key` }))

const Shown = Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  sequence: Schema.Number,
  late: Schema.optional(Schema.Boolean),
  createdAt: Schema.String,
  cursor: Schema.String,
  invoice: Schema.Struct({ id: Schema.String, amount: Schema.Number, status: Schema.String })
})

const Page = Schema.fromJsonString(
  Schema.Struct({ events: Schema.Array(Shown), cursor: Schema.String, more: Schema.Boolean })
)

/** An event of the feed. */
export interface Entry extends Schema.Schema.Type<typeof Shown> {
  /** JSON text of the event, as it came. */
  readonly text: string
  /** JSON text of its invoice as of the event. */
  readonly invoiceText: string
}

/** What is read, and from where. */
export interface Reading {
  /** A cursor or an instant; undefined: from the beginning. */
  readonly after: string | undefined
  readonly types: ReadonlyArray<string>
  /** Whether to wait for what is new once all was read. Then it ends with its interruption only. */
  readonly follows: boolean
  /** Called once when all was read that there was at the beginning. */
  readonly caughtUp?: Effect.Effect<void>
}

/** Later than every event: what is behind it has yet to happen. */
export const newOnly = "2999-01-01T00:00:00Z"

const waitSeconds = 25
/** More than the server waits by itself. */
const timeoutMs = 60_000
const firstPauseMs = 500
const maxPauseMs = 10_000

class Troubled extends Data.TaggedError("Troubled")<{ readonly message: string; readonly afterMs: number | null }> {}

/**
 * Gives each event to `use`, in the order of the feed. A server that cannot be reached at first, or that refuses, ends
 * it; later it is asked again, after pauses, from where it ended.
 */
export const read = <E, R>(access: Access, reading: Reading, use: (entry: Entry) => Effect.Effect<void, E, R>) =>
  Effect.gen(function* () {
    let after = reading.after
    let wait = 0
    let failures = 0
    let met = false
    while (true) {
      const query = { after, types: reading.types, wait }
      const answer = yield* Effect.result(pageAt(access, query))
      if (answer._tag === "Failure") {
        const { failure } = answer
        if (failure._tag !== "Troubled") return yield* failure
        if (!met || !reading.follows) return yield* unreachable(access, failure)
        failures += 1
        yield* Effect.logWarning(`Feed: ${failure.message}; it is asked again`)
        yield* Effect.sleep(Duration.millis(failure.afterMs ?? Math.min(firstPauseMs * 2 ** failures, maxPauseMs)))
        continue
      }
      const page = answer.success
      failures = 0
      for (const entry of page.entries) yield* use(entry)
      after = page.cursor
      if (page.more) continue
      if (!reading.follows) return
      if (!met && reading.caughtUp !== undefined) yield* reading.caughtUp
      met = true
      wait = waitSeconds
    }
  })

const unreachable = ({ url }: Access, { message }: Troubled) =>
  new CommandFailed({ error: "server_unreachable", message: `${url}: ${message}. Does the server run there?` })

const pageAt = Effect.fnUntraced(function* (
  { url, apiKey }: Access,
  asked: { readonly after: string | undefined; readonly types: ReadonlyArray<string>; readonly wait: number }
) {
  const query = new URLSearchParams({
    ...(asked.after !== undefined && { after: asked.after }),
    ...(asked.types.length > 0 && { types: asked.types.join(",") }),
    ...(asked.wait > 0 && { wait: String(asked.wait) })
  })
  const { status, text, retryAfter } = yield* Effect.tryPromise({
    try: async (signal) => {
      const headers = { "x-api-key": Redacted.value(apiKey), accept: "application/json" }
      // A redirection would take the key to another server.
      const given = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const response = await fetch(`${url}/api/v1/events?${query}`, { headers, redirect: "error", signal: given })
      return { status: response.status, text: await response.text(), retryAfter: response.headers.get("retry-after") }
    },
    catch: (cause) => new Troubled({ message: `no answer (${reasonOf(cause)})`, afterMs: null })
  })
  if (status === 429 || status >= 500) {
    const seconds = Number(retryAfter ?? Number.NaN)
    const afterMs = seconds > 0 && seconds <= 3600 ? seconds * 1000 : null
    return yield* new Troubled({ message: `the server answers ${status}`, afterMs })
  }
  if (status !== 200) return yield* refused(status, text)
  const page = yield* Effect.mapError(
    Schema.decodeEffect(Page)(text),
    () => new CommandFailed({ error: "server_unreachable", message: `${url} answers, but is no server of this kind.` })
  )
  const texts = rawElements(rawMember(text, "events") ?? "[]")
  const entries = page.events.map((event, at): Entry => {
    const raw = texts[at] ?? "{}"
    return { ...event, text: raw, invoiceText: rawMember(raw, "invoice") ?? "{}" }
  })
  return { entries, cursor: page.cursor, more: page.more }
})

const Refused = Schema.fromJsonString(Schema.Struct({ error: Schema.String }))

const refused = (status: number, text: string) =>
  Effect.gen(function* () {
    const code: Code | undefined = yield* Schema.decodeEffect(Refused)(text).pipe(
      Effect.map(({ error }) => (isCode(error) ? error : undefined)),
      Effect.orElseSucceed(() => undefined)
    )
    const message = code === undefined ? `The server answers ${status}.` : entry(code).en
    return yield* new CommandFailed({ error: code ?? "server_refused", message })
  })

/** Why a request got no answer, in a word. */
export const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (cause instanceof Error && "code" in cause && typeof cause.code === "string") return cause.code
  if (!(cause instanceof Error)) return "unknown"
  return cause.name === "Error" ? cause.message : cause.name
}
