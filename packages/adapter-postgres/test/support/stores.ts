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
/** The schema that `withFreshStores` empties again and again. */
let shared: Postgres.Options | undefined

/** Gives the tests of the calling file a database. */
export const ownDatabase = (): void => {
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(async () => {
    await database?.drop()
    database = undefined
    shared = undefined
  })
}

/** Settings of a schema that nothing has used yet. */
export const freshOptions = (): Postgres.Options => {
  if (database === undefined) throw new Error("outside of a test")
  return { url: Redacted.make(database.url), schema: `fresh_${++schemas}` }
}

/** Runs a program on stores that hold nothing, one at a time: a schema takes long to make, so they all use the same. */
export const withFreshStores = <A, E>(program: Effect.Effect<A, E, Stores>) =>
  Effect.suspend(() => {
    const options = shared ?? freshOptions()
    const stores = Layer.fresh(Postgres.layer(options)).pipe(Layer.provide(box))
    const prepared = shared === undefined ? Postgres.migrate(options) : Effect.promise(() => emptied(options))
    shared = options
    return Effect.andThen(prepared, Effect.provide(program, stores))
  })

const emptied = async ({ schema }: Postgres.Options) => {
  await database?.query(
    `do $$ declare name text; begin
      set local session_replication_role = replica;
      for name in
        select tablename from pg_tables where schemaname = '${schema}' and tablename <> 'tolem_migrations'
      loop
        execute format('delete from ${schema}.%I', name);
      end loop;
    end $$`
  )
}
