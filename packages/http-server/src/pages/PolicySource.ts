/** What the Content-Security-Policy knows a style or a script by that stands in the page. */
import type { Html } from "@tolem/core/value/Html"
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"

/** A style sheet with what the Content-Security-Policy knows it by. */
export interface Sheet {
  readonly style: Html
  readonly source: string
}

/** Its digest, as a source of the policy. */
export const sourceOf = (inline: Html): Effect.Effect<string, never, Digest.Digest> =>
  Digest.Digest.use((digest) =>
    Effect.map(
      digest.digest(Digest.sha256, new TextEncoder().encode(String(inline))),
      (bytes) => `'sha256-${Base64.encode(bytes)}'`
    )
  )
