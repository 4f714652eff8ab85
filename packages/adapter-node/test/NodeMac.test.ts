import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect } from "effect"
import { Mac } from "effect/crypto"
import { expect, it } from "vitest"
import * as NodeMac from "../src/NodeMac.ts"

const hex = (text: string) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const tagOf = (keyBytes: Uint8Array, data: Uint8Array) =>
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const tag = yield* mac.sign(yield* Mac.key(Mac.hmacSha256, keyBytes), data)
    return Buffer.from(tag).toString("hex")
  }).pipe(Effect.provide(NodeMac.layer), Effect.provide(NodeCrypto.layerSecureRandom), Effect.runPromise)

// RFC 4231, test cases 2 and 6: a short key, and one that is longer than a block.
it.each([
  [
    "4a656665",
    "7768617420646f2079612077616e7420666f72206e6f7468696e673f",
    "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
  ],
  [
    "aa".repeat(131),
    "54657374205573696e67204c6172676572205468616e20426c6f636b2d53697a65204b6579202d2048617368204b6579204669727374",
    "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
  ]
])("makes the codes of RFC 4231", async (key, data, tag) => {
  expect(await tagOf(hex(key), hex(data))).toBe(tag)
})
