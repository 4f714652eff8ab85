/** SHA-256 (FIPS 180-4) of a text, at once: for platforms that bring no synchronous one. */
import { Context } from "effect"
import { Base64Url, Hex } from "effect/encoding"

/** How a digest is written. */
export type DigestEncoding = "base64url" | "hex"

const primes = Array.from({ length: 312 }, (_, n) => n).filter(
  (n) => n > 1 && !Array.from({ length: n }, (_, d) => d).some((d) => d > 1 && n % d === 0)
)
const fraction = (root: number) => ((root - Math.floor(root)) * 2 ** 32) | 0
const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const constants = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)))

const rotated = (word: number, by: number) => (word >>> by) | (word << (32 - by))
const utf8 = new TextEncoder()

/** The digest. */
export const sha256 = (text: string, encoding: DigestEncoding): string => {
  const bytes = utf8.encode(text)
  const blocks = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64)
  blocks.set(bytes)
  blocks[bytes.length] = 0x80
  const view = new DataView(blocks.buffer)
  view.setUint32(blocks.length - 8, Math.floor(bytes.length / 2 ** 29))
  view.setUint32(blocks.length - 4, bytes.length * 8)
  const state = Int32Array.from(start)
  const words = new Int32Array(64)
  for (let at = 0; at < blocks.length; at += 64) compress(state, words, view, at)
  const digest = new DataView(new ArrayBuffer(32))
  for (const [index, word] of state.entries()) digest.setInt32(index * 4, word)
  return (encoding === "hex" ? Hex : Base64Url).encode(new Uint8Array(digest.buffer))
}

/** SHA-256 of a text, at once. */
export type TextDigest = typeof sha256

/** The platform's, which is faster than ours: each request asks for several digests. */
export const TextDigest = Context.Reference<TextDigest>("@tolem/core/TextDigest", { defaultValue: () => sha256 })

const compress = (state: Int32Array, words: Int32Array, view: DataView, at: number) => {
  for (let i = 0; i < 64; i++) {
    if (i < 16) {
      words[i] = view.getInt32(at + i * 4)
      continue
    }
    const [w15, w2] = [words[i - 15]!, words[i - 2]!]
    const s0 = rotated(w15, 7) ^ rotated(w15, 18) ^ (w15 >>> 3)
    const s1 = rotated(w2, 17) ^ rotated(w2, 19) ^ (w2 >>> 10)
    words[i] = words[i - 16]! + s0 + words[i - 7]! + s1
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i++) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
    const one = (h + s1 + ((e & f) ^ (~e & g)) + constants[i]! + words[i]!) | 0
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0
    ;[h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0]
  }
  for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index]! + word) | 0
}
