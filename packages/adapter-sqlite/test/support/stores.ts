import { NodeCrypto } from "@effect/platform-node"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Layer, Redacted } from "effect"
import * as Sqlite from "../../src/Sqlite.ts"

/** A box with a key of no use anywhere else. */
export const box = SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")]).pipe(
  Layer.provide(NodeCrypto.layer)
)

/** Stores that keep nothing. */
export const memory = Sqlite.layer({ filename: ":memory:" }).pipe(Layer.provide(box))
