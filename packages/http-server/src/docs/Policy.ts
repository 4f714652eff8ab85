/** The Content-Security-Policy of the documentation: nothing runs or is loaded but what the page itself holds. */
import { Effect } from "effect"
import { Digest } from "effect/crypto"
import { Base64 } from "effect/encoding"

/** Makes digests. */
export type Digests = Digest.Digest["Service"]

/** What a page holds. */
export interface Held {
  readonly scripts: ReadonlyArray<string>
  /** The source of styles, or the style itself. */
  readonly styles: string
  readonly images: string
}

/** The policy of a page that holds these. */
export const policyOf = Effect.fnUntraced(function* (digests: Digests, { scripts, styles, images }: Held) {
  const sourceOf = (text: string) =>
    Effect.map(
      digests.digest(Digest.sha256, new TextEncoder().encode(text)),
      (bytes) => `'sha256-${Base64.encode(bytes)}'`
    )
  return [
    "default-src 'none'",
    `script-src ${(yield* Effect.forEach(scripts, sourceOf)).join(" ")}`,
    `style-src ${styles.startsWith("'") ? styles : yield* sourceOf(styles)}`,
    `img-src ${images}`,
    "font-src data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; ")
})
