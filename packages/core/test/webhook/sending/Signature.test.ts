import { createHmac, timingSafeEqual } from "node:crypto"
import { describe, it } from "@effect/vitest"
import { Effect, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { assert } from "vitest"
import { generateSecret, headersOf } from "../../../src/webhook/sending/Signature.ts"
import { cryptoLayer } from "./crypto.ts"
import { delivery, endpoint, otherSecretText, secretText } from "./given.ts"

const at = 1_767_225_601_999
const hex = (secret: string, signed: string) => createHmac("sha256", secret).update(signed).digest("hex")

/** As the Standard Webhooks specification tells receivers to do it, written down apart from the sender. */
const standardWebhooksAccepts = (
  headers: Readonly<Record<string, string | undefined>>,
  body: string,
  secret: string
) => {
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`
  const expected = createHmac("sha256", key).update(signed).digest()
  return (headers["webhook-signature"] ?? "").split(" ").some((each) => {
    const [version, base64 = ""] = each.split(",")
    const given = Buffer.from(base64, "base64")
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected)
  })
}

const sign = (body: string, members: Parameters<typeof endpoint>[0] = {}, now = at) =>
  headersOf({ delivery: delivery(), endpoint: endpoint(members), body, now }).pipe(Effect.provide(cryptoLayer))

describe("signature", () => {
  it.effect("is the HMAC of timestamp, dot and body, keyed with the whole text of the secret", () =>
    Effect.gen(function* () {
      const headers = yield* sign("{}")
      assert.deepStrictEqual(Object.keys(headers), [
        "X-Webhook-Event",
        "X-Webhook-Timestamp",
        "X-Webhook-Signature",
        "X-Webhook-Delivery",
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature"
      ])
      assert.strictEqual(headers["X-Webhook-Event"], "invoice.paid")
      assert.strictEqual(headers["X-Webhook-Timestamp"], "1767225601")
      assert.strictEqual(headers["X-Webhook-Delivery"], "dlv_1")
      assert.strictEqual(headers["X-Webhook-Signature"], `sha256=${hex(secretText, "1767225601.{}")}`)
    })
  )

  it.effect("is what openssl computes", () =>
    Effect.gen(function* () {
      const headers = yield* headersOf({
        delivery: delivery(),
        endpoint: endpoint({ secret: Redacted.make("whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=") }),
        body: '{"a":1}',
        now: 1_700_000_000_000
      })
      // printf '1700000000.{"a":1}' | openssl dgst -sha256 -hmac "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
      const expected = "8fed4c6bb1c0720a09f8129b8c5dd82b718dc1b39e90ce15252b3b5b5aa01fa2"
      assert.strictEqual(headers["X-Webhook-Signature"], `sha256=${expected}`)
    }).pipe(Effect.provide(cryptoLayer))
  )

  it.effect("is of both secrets while a rotation is young, and of the new one alone afterwards", () =>
    Effect.gen(function* () {
      const until = at + 1
      const previousSecret = { secret: Redacted.make(otherSecretText), until }
      const young = yield* sign("{}", { previousSecret })
      assert.strictEqual(young["X-Webhook-Signature-Previous"], `sha256=${hex(otherSecretText, "1767225601.{}")}`)
      assert.strictEqual(young["X-Webhook-Signature"], `sha256=${hex(secretText, "1767225601.{}")}`)
      assert.lengthOf(young["webhook-signature"].split(" "), 2)
      assert.isTrue(standardWebhooksAccepts(young, "{}", secretText))
      assert.isTrue(standardWebhooksAccepts(young, "{}", otherSecretText))

      const old = yield* sign("{}", { previousSecret }, until)
      assert.notProperty(old, "X-Webhook-Signature-Previous")
      assert.isTrue(standardWebhooksAccepts(old, "{}", secretText))
      assert.isFalse(standardWebhooksAccepts(old, "{}", otherSecretText))
    })
  )

  it.effect.prop("of any body is accepted, and of any other body is not", { body: Schema.String }, ({ body }) =>
    Effect.gen(function* () {
      const wellFormed = body.toWellFormed() // bodies are JSON text, where half a surrogate pair is an escape
      const headers = yield* sign(wellFormed)
      assert.strictEqual(headers["X-Webhook-Signature"], `sha256=${hex(secretText, `1767225601.${wellFormed}`)}`)
      assert.isTrue(standardWebhooksAccepts(headers, wellFormed, secretText))
      assert.isFalse(standardWebhooksAccepts(headers, `${wellFormed} `, secretText))
    })
  )

  it.effect("secrets are 32 random bytes, and no two are alike", () =>
    Effect.gen(function* () {
      const texts = new Set<string>()
      for (let i = 0; i < 100; i++) texts.add(Redacted.value(yield* generateSecret))
      assert.strictEqual(texts.size, 100)
      for (const text of texts) {
        assert.match(text, /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.lengthOf(Buffer.from(text.slice(6), "base64"), 32)
      }
    }).pipe(Effect.provide(SecureRandom.layerWebCrypto))
  )
})
