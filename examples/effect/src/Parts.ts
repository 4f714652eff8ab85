/** Which parts the engine is made of here: a file, the sandbox, Node. */
import { nodePlatform } from "@tolem/adapter-node"
import { sqlite } from "@tolem/adapter-sqlite"
import { Engine, SecretBox } from "@tolem/core"
import { Layer, type Redacted } from "effect"

/** The engine on that file, with the agents that let invoices expire and send webhooks. */
export const engine = (options: { readonly filename: string; readonly secretKey: Redacted.Redacted }) =>
  Engine.agents.pipe(
    Layer.provideMerge(Engine.layer()),
    Layer.provide(sqlite({ filename: options.filename })),
    Layer.provide(SecretBox.layer([options.secretKey])),
    Layer.provide(nodePlatform())
  )
