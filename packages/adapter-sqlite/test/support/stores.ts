import { NodeCrypto } from "@effect/platform-node"
import { TransactionFaces } from "@tolem/adapter-sql/base/Transactions"
import * as Stores from "@tolem/adapter-sql/Stores"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Layer, Redacted } from "effect"
import { memory as migratedMemory } from "../../../adapter-sql/test/support/sqlite.ts"
import * as GuardedDatabase from "../../src/GuardedDatabase.ts"

/** A box with a key of no use anywhere else. */
export const box = SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")]).pipe(
  Layer.provide(NodeCrypto.layer)
)

/** Stores that keep nothing, over a copy of what all migrations make, which each case would make anew. */
export const memory = Stores.layer().pipe(
  Layer.provide(Layer.succeed(TransactionFaces, GuardedDatabase.faceOf)),
  Layer.provide(migratedMemory),
  Layer.provide(box)
)
