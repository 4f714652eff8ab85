/** Digests of texts by OpenSSL, in one call each. */
import * as crypto from "node:crypto"
import { TextDigest } from "@tolem/core/secret/RowSeals"
import { Layer } from "effect"

// Older versions of Node have no digest in one call.
const digest =
  typeof crypto.hash === "function"
    ? (text: string) => crypto.hash("sha256", text, "base64url")
    : (text: string) => crypto.createHash("sha256").update(text).digest("base64url")

/** The platform's digest. */
export const layer: Layer.Layer<never> = Layer.succeed(TextDigest, digest)
