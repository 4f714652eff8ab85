/** Sessions of cashiers at rest, while the key that seals them is replaced. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { describe, it } from "@effect/vitest"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import * as Stores from "@tolem/adapter-sql/Stores"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import type { Connection } from "@tolem/core/connection/Connection"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"

const [oldKey, newKey] = ["the first key of the tests, of no use", "the second key of the tests, of no use"]

/** A server's store of connections, with these keys. */
const withKeys = <A, E, R>(keys: readonly [string, ...ReadonlyArray<string>], program: Effect.Effect<A, E, R>) => {
  const [first, ...rest] = keys
  const box = SecretBox.layer([Redacted.make(first), ...rest.map((key) => Redacted.make(key))])
  const stores = Layer.fresh(Stores.layer()).pipe(Layer.provide(Layer.fresh(box)), Layer.provide(NodeCrypto.layer))
  return Effect.provide(program, stores)
}

const onOneDatabase = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(Effect.andThen(Migrations.migrate(), program), SqliteClient.layer({ filename: ":memory:" }))

const cashier: Connection = {
  id: "con_till",
  organizationId: "org_shop",
  name: "Till",
  status: "active",
  phone: "77010000000",
  isDefault: true,
  session: Redacted.make("session of the till"),
  createdAt: 1,
  updatedAt: 1,
  version: 1
}

const add = ConnectionStore.use((store) => store.add(cashier))
const find = ConnectionStore.use((store) => store.find("org_shop", cashier.id))
const sessionOf = (found: Option.Option<Connection>) => {
  const { session } = Option.getOrThrow(found)
  return session === null ? null : Redacted.value(session)
}
const sealed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly session: string }>`select session from tolem_connections`
  return rows[0]!.session
})

describe("the session of a cashier", () => {
  it.effect("is sealed in the database, opens after its key was replaced, and is sealed with the new one then", () =>
    onOneDatabase(
      Effect.gen(function* () {
        yield* withKeys([oldKey], add)
        const before = yield* sealed
        assert.notInclude(before, "till")
        const session = Redacted.make("session of the next login")
        yield* withKeys(
          [newKey, oldKey],
          Effect.gen(function* () {
            assert.strictEqual(sessionOf(yield* find), "session of the till")
            const store = yield* ConnectionStore
            assert.isTrue(yield* store.replace({ ...cashier, session, version: 2 }))
          })
        )
        // Without the old key only what the new one has sealed can be read.
        assert.strictEqual(sessionOf(yield* withKeys([newKey], find)), "session of the next login")
      })
    )
  )

  it.effect("whose key is gone is none: the cashier logs in again", () =>
    onOneDatabase(
      Effect.gen(function* () {
        yield* withKeys([oldKey], add)
        yield* withKeys([newKey, oldKey], Effect.void)
        const found = yield* withKeys([newKey], find)
        assert.deepInclude(Option.getOrThrow(found), { status: "expired", session: null })
      })
    )
  )
})
