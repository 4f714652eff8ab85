/** Node implementations of the platform ports: cryptography, the sender of webhooks, login codes over a gateway. */
import "./NodeCheck.ts"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeDns from "@effect/platform-node/NodeDns"
import type { EmbeddedPlatform } from "@tolem/core/embedded/createEngine"
import { Layer } from "effect"
import * as NodeMac from "./NodeMac.ts"
import * as NodeTextDigest from "./NodeTextDigest.ts"
import * as NodeWebhookSender from "./NodeWebhookSender.ts"

export type { Gateway } from "./gateway/Gateway.ts"
export { httpChannel } from "./gateway/HttpChannel.ts"
export * as NodeWebhookSender from "./NodeWebhookSender.ts"

/** Everything that the engine asks of its platform, on Node: OpenSSL, the system's resolver, Undici. */
export const nodePlatform = (): Layer.Layer<EmbeddedPlatform> =>
  Layer.mergeAll(
    NodeCrypto.layerSecureRandom,
    NodeCrypto.layerDigest,
    Layer.provide(NodeMac.layer, NodeCrypto.layerSecureRandom),
    NodeCrypto.layerAead,
    NodeTextDigest.layer,
    NodeWebhookSender.layer.pipe(Layer.provide(NodeDns.layer))
  )
