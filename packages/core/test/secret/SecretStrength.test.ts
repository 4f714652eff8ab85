/** Which texts are taken for keys. */
import { randomBytes } from "node:crypto"
import { describe, expect, it } from "vitest"
import { weaknessOf } from "../../src/secret/SecretStrength.ts"

describe("a key", () => {
  it("that was made at random is good, in base 16 and 64", () => {
    for (let n = 0; n < 2000; n++) {
      expect(weaknessOf(randomBytes(16).toString("hex"))).toBeUndefined()
      expect(weaknessOf(randomBytes(32).toString("base64"))).toBeUndefined()
    }
  })

  it.each([
    ["short", "rg3lTq0vQm1nZbW8yKx4Hc7dJs2fPa9"],
    ["of few characters", "0101101001101110110100101001011010"],
    ["a word again and again", "password".repeat(5)],
    ["a word again and again, cut off", "super-secret-key-".repeat(3).slice(0, 44)],
    ["an alphabet", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"],
    ["digits that count", "0123456789012345678901234567890123456789"]
  ])("that is %s is weak, and told how to make another", (_, text) => {
    const weakness = weaknessOf(text)
    expect(weakness).toMatch(/openssl rand -base64 32/)
    expect(weakness).not.toContain(text)
  })
})
