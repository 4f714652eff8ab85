import { it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { assert, describe } from "vitest"
import * as LoginCode from "../../src/login/LoginCode.ts"
import * as SessionToken from "../../src/login/SessionToken.ts"
import { cryptoLayer } from "../webhook/sending/crypto.ts"

const zeros = Layer.succeed(
  SecureRandom.SecureRandom,
  SecureRandom.make((size) => new Uint8Array(size))
)

describe("a login code", () => {
  it.effect("has six digits, all of them equally often", () =>
    Effect.gen(function* () {
      const counts = new Array<number>(10).fill(0)
      for (let i = 0; i < 3000; i++) {
        const { code } = yield* LoginCode.generate("chl_1")
        assert.match(Redacted.value(code), /^[0-9]{6}$/)
        const first = Number(Redacted.value(code)[0])
        counts[first] = (counts[first] ?? 0) + 1
      }
      // 300 each, give or take five and a half standard deviations.
      for (const count of counts) assert.approximately(count, 300, 90)
    }).pipe(Effect.provide(cryptoLayer))
  )

  it.effect("keeps its zeros in front", () =>
    Effect.gen(function* () {
      const { code } = yield* LoginCode.generate("chl_1").pipe(Effect.provide(zeros))
      assert.strictEqual(Redacted.value(code), "000000")
    }).pipe(Effect.provide(cryptoLayer))
  )

  it.effect("is known again by its digest, for its own challenge and with its own key only", () =>
    Effect.gen(function* () {
      const { code, key, digest } = yield* LoginCode.generate("chl_1")
      const other = yield* LoginCode.generate("chl_1")
      const wrong = Redacted.make(Redacted.value(code) === "123456" ? "654321" : "123456")
      assert.isTrue(yield* LoginCode.matches({ id: "chl_1", key, digest }, code))
      assert.isFalse(yield* LoginCode.matches({ id: "chl_1", key, digest }, wrong))
      assert.isFalse(yield* LoginCode.matches({ id: "chl_2", key, digest }, code))
      assert.isFalse(yield* LoginCode.matches({ id: "chl_1", key: other.key, digest }, code))
      assert.isFalse(yield* LoginCode.matches({ id: "chl_1", key, digest: "" }, code))
      assert.notInclude(digest, Redacted.value(code))
      assert.match(digest, /^[0-9a-f]{64}$/)
    }).pipe(Effect.provide(cryptoLayer))
  )
})

describe("the token of a session", () => {
  it.effect("has 256 random bits, and a form that tells it from keys and identifiers", () =>
    Effect.gen(function* () {
      const tokens = yield* Effect.forEach([1, 2, 3], () => SessionToken.generate)
      assert.strictEqual(new Set(tokens.map(Redacted.value)).size, 3)
      for (const token of tokens) {
        assert.match(Redacted.value(token), /^cab_[A-Za-z0-9_-]{43}$/)
        assert.isTrue(SessionToken.isWellFormed(token))
        assert.notInclude(JSON.stringify({ token, text: String(token) }), "cab_")
      }
      for (const text of [
        "",
        "cab_",
        "svc_test_x",
        `${Redacted.value(tokens[0]!)}A`,
        `x${Redacted.value(tokens[0]!)}`
      ]) {
        assert.isFalse(SessionToken.isWellFormed(Redacted.make(text)), text)
      }
    }).pipe(Effect.provide(cryptoLayer))
  )
})
