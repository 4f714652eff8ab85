/** The files that a server's certificate and key are in. They are renewed while it runs. */
import { readFile } from "node:fs/promises"
import { toIso } from "@tolem/core/value/Calendar"
import { Clock, Data, Effect, Redacted } from "effect"
import { type Identity, problemOf, type TlsFront, validUntil } from "./TlsFront.ts"

/** Where the two are, as PEM. */
export interface TlsFiles {
  readonly certificateFile: string
  readonly keyFile: string
  /** How often they are looked at. Default: every 10 seconds. */
  readonly lookEveryMs?: number
}

/** A certificate or a key that cannot be used. Says nothing of what is in the files. */
export class TlsUnusable extends Data.TaggedError("TlsUnusable")<{ readonly message: string }> {}

/** Reads the two, and fails if they do not belong together. */
export const read = Effect.fnUntraced(function* ({ certificateFile, keyFile }: TlsFiles) {
  const [certificate, key] = yield* Effect.all([textOf(certificateFile), textOf(keyFile)])
  const identity: Identity = { certificate, key: Redacted.make(key) }
  const problem = problemOf(identity)
  if (problem !== null) {
    return yield* new TlsUnusable({ message: `TLS: ${problem} (${certificateFile}, ${keyFile})` })
  }
  return identity
})

/**
 * Warns of what ends soon, once of each identity. Changes to what is in the files whenever it is another identity. One
 * that cannot be used, as while only one of the two files was replaced, is passed over with a warning, and the one
 * before stays.
 */
export const follow = (files: TlsFiles, first: Identity, front: TlsFront): Effect.Effect<never> => {
  let current = first
  let told = ""
  const look = Effect.gen(function* () {
    const next = yield* read(files)
    told = ""
    if (isSame(current, next)) return
    front.change(next)
    current = next
    yield* warnOf(next)
    yield* Effect.logInfo("TLS: the certificate was renewed").pipe(
      Effect.annotateLogs({ validUntil: toIso(validUntil(next)) })
    )
  }).pipe(
    Effect.catchTag("TlsUnusable", ({ message }) => {
      if (message === told) return Effect.void
      told = message
      return Effect.logWarning(message)
    })
  )
  const looks = Effect.forever(Effect.andThen(Effect.sleep(files.lookEveryMs ?? usualMs), look))
  return Effect.andThen(warnOf(first), looks)
}

const usualMs = 10_000
const dayMs = 86_400_000

const warnOf = Effect.fnUntraced(function* (identity: Identity) {
  const days = Math.floor((validUntil(identity) - (yield* Clock.currentTimeMillis)) / dayMs)
  if (days < 0) yield* Effect.logWarning("TLS: the certificate is past its time; clients refuse it")
  else if (days < 7) yield* Effect.logWarning(`TLS: the certificate is good for ${days} more days`)
})

const textOf = (file: string) =>
  Effect.tryPromise({
    try: () => readFile(file, "utf8"),
    catch: (cause) => new TlsUnusable({ message: `TLS: cannot read ${file}: ${codeOf(cause)}` })
  })

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "unknown reason"

const isSame = (a: Identity, b: Identity): boolean =>
  a.certificate === b.certificate && Redacted.value(a.key) === Redacted.value(b.key)
