/** Stores on databases and schemas of their own. */
import { NodeCrypto } from "@effect/platform-node"
import type { Stores } from "@tolem/core/Engine"
import * as SecretBox from "@tolem/core/SecretBox"
import { createDatabase, type TestDatabase } from "@tolem/testing-postgres/Databases"
import { Effect, Layer, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import * as Postgres from "../../src/Postgres.ts"

/** A box with a key of no use anywhere else. */
export const box = SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")]).pipe(
  Layer.provide(NodeCrypto.layer)
)

let database: TestDatabase | undefined
let schemas = 0

/** Gives the tests of the calling file a database. */
export const ownDatabase = (): void => {
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(async () => {
    await database?.drop()
    database = undefined
  })
}

/** Settings of a schema that nothing has used yet. */
export const freshOptions = (): Postgres.Options => {
  if (database === undefined) throw new Error("outside of a test")
  return { url: Redacted.make(database.url), schema: `fresh_${++schemas}` }
}

/** Runs a program on stores that hold nothing. */
export const withFreshStores = <A, E>(program: Effect.Effect<A, E, Stores>) =>
  Effect.suspend(() => {
    const options = freshOptions()
    const stores = Layer.fresh(Postgres.layer(options)).pipe(Layer.provide(box))
    return Effect.andThen(Postgres.migrate(options), Effect.provide(program, stores))
  })
