import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { sha256 } from "../../src/secret/Sha256.ts"

describe("our own SHA-256", () => {
  it("is that of OpenSSL, whatever the length", () => {
    for (let length = 0; length < 200; length++) {
      const text = "қ7\u{1f375}\ud800".repeat(length).slice(0, length)
      for (const encoding of ["base64url", "hex"] as const) {
        assert.strictEqual(sha256(text, encoding), createHash("sha256").update(text).digest(encoding), String(length))
      }
    }
  })
})
