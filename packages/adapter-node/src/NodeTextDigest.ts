/** Digests of texts by OpenSSL, in one call each. */
import * as crypto from "node:crypto"
import { type DigestEncoding, TextDigest } from "@tolem/core/secret/Sha256"
import { Layer } from "effect"

// Older versions of Node have no digest in one call.
const digest =
  typeof crypto.hash === "function"
    ? (text: string, encoding: DigestEncoding) => crypto.hash("sha256", text, encoding)
    : (text: string, encoding: DigestEncoding) => crypto.createHash("sha256").update(text).digest(encoding)

/** The platform's digest. */
export const layer: Layer.Layer<never> = Layer.succeed(TextDigest, digest)
