/**
 * Seals of rows: a keyed digest of what a row holds. Who can write to the database and has no key can make none, so
 * that what they change is found by `Integrity`. The key is derived from a secret key, and differs from the one that
 * encrypts.
 */
import { Effect, type Redacted, Redacted as Secrets } from "effect"
import { Digest } from "effect/crypto"
import type { ApiKeyId } from "../value/Ids.ts"
import { TextDigest } from "./Sha256.ts"

/** What a seal is worth: it is of this text; it is not; or none of the keys here has made it. */
export type Verdict = "right" | "wrong" | "unknown_key"

/** Makes seals and judges them. Synchronous: every new invoice is sealed. */
export interface RowSealer {
  /** The seal of a text, with the first key. It begins with the key's id and a dot. */
  readonly seal: (text: string) => string
  /** Judges a seal, with the key that it names. */
  readonly judge: (text: string, seal: string) => Verdict
  /** The SHA-256 of a text in base64url, without a key. */
  readonly digest: (text: string) => string
  /** Names the key that seals, without telling anything of it. */
  readonly keyId: ApiKeyId
}

const utf8 = new TextEncoder()
const blockLength = 64

/** The sealer with these keys: the first seals, all judge. */
export const makeRowSealer = Effect.fnUntraced(function* (
  keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]
): Effect.fn.Return<RowSealer, never, Digest.Digest> {
  const digest = yield* TextDigest
  const digestText = (text: string) => digest(text, "base64url")
  const derived = yield* Effect.forEach(keys, derive)
  const byId = new Map(derived.map((key) => [key.id, key]))
  const [first] = derived
  if (first === undefined) throw new Error("no key")
  // NMAC: two keys of a block each, so that each digest begins with a secret state.
  const macOf = ({ inner, outer }: SealKey, text: string) => digestText(outer + digestText(inner + text))
  return {
    keyId: first.id,
    digest: digestText,
    seal: (text) => `${first.id}.${macOf(first, text)}`,
    judge: (text, seal) => {
      const [id = "", mac] = seal.split(".")
      const key = byId.get(id)
      if (key === undefined) return "unknown_key"
      return macOf(key, text) === mac ? "right" : "wrong"
    }
  }
})

interface SealKey {
  readonly id: string
  readonly inner: string
  readonly outer: string
}

// HKDF (RFC 5869) with SHA-256, one block for each label. In hexadecimal a key fills a block of the digest.
const derive = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  const extracted = yield* hmac(utf8.encode("tolem row seals"), utf8.encode(Secrets.value(secret)))
  const labelled = (label: string) => hmac(extracted, utf8.encode(`${label}\u0001`))
  const key: SealKey = {
    id: hexadecimal(yield* labelled("id")).slice(0, 12),
    inner: hexadecimal(yield* labelled("inner")),
    outer: hexadecimal(yield* labelled("outer"))
  }
  return key
})

const hmac = Effect.fnUntraced(function* (key: Uint8Array, text: Uint8Array) {
  const digest = yield* Digest.Digest
  const padded = (pad: number) => Uint8Array.from({ length: blockLength }, (_, index) => (key[index] ?? 0) ^ pad)
  const inner = yield* digest.digest(Digest.sha256, joined(padded(0x36), text))
  return yield* digest.digest(Digest.sha256, joined(padded(0x5c), inner))
})

const joined = (a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from([...a, ...b])

const hexadecimal = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")
