import { createHmac } from "node:crypto"
import { Layer } from "effect"
import { Mac, SecureRandom } from "effect/crypto"

/** Randomness, and signatures that are computed at once: under a test clock nothing should wait for real time. */
export const cryptoLayer = Mac.layerWebCryptoWith({
  hmac: (hash, key, data) => createHmac(hash, key).update(data).digest()
}).pipe(Layer.provideMerge(SecureRandom.layerWebCrypto))
