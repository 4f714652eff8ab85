/** Keys can be replaced for good on PostgreSQL too, with the rights of a server and while others write. */
import { NodeCrypto } from "@effect/platform-node"
import { it } from "@effect/vitest"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { connectionOf } from "@tolem/testing/storage/ConnectionCases"
import { Effect, Layer, Option, Redacted } from "effect"
import { assert } from "vitest"
import { sealOneOfEach } from "../../adapter-sql/test/support/sealed.ts"
import * as Postgres from "../src/Postgres.ts"
import { freshRoles, ownDatabase } from "./support/stores.ts"

ownDatabase()

const [oldKey, newKey] = [
  Redacted.make("the first key of the tests, of no use"),
  Redacted.make("the second key of the tests, of no use")
]

it.live("sealing anew leaves nothing to the old key, and keeps what is written meanwhile", () =>
  Effect.gen(function* () {
    const { owner, server } = yield* Effect.promise(freshRoles)
    yield* Postgres.migrate(owner)
    const on = <A, E, R>(program: Effect.Effect<A, E, R>, ...keys: Parameters<typeof SecretBox.layer>[0]) => {
      const box = SecretBox.layer(keys).pipe(Layer.provide(NodeCrypto.layer))
      return Effect.provide(program, Layer.fresh(Postgres.layer(server)).pipe(Layer.provide(Layer.fresh(box))))
    }
    const cashier = connectionOf()
    const seals = Effect.gen(function* () {
      yield* ConnectionStore.use((store) => store.add(cashier))
      return yield* Effect.forEach(Array.from({ length: 20 }), () => sealOneOfEach)
    })
    const checks = yield* on(seals, oldKey)
    // Another server changes a cashier's session again and again, sealing it with the new key.
    const changes = Effect.gen(function* () {
      const store = yield* ConnectionStore
      let last = cashier
      for (let n = 1; n <= 30; n++) {
        last = { ...last, session: Redacted.make(`session ${n}`), version: last.version + 1 }
        assert.isTrue(yield* store.replace(last))
      }
    })
    const sealAnew = Effect.flatMap(SealedTexts, (texts) => texts.sealAnew)
    const [{ count, unreadable }] = yield* on(
      Effect.all([sealAnew, changes], { concurrency: "unbounded" }),
      newKey,
      oldKey
    )
    assert.isAtLeast(count, 80)
    assert.deepStrictEqual(unreadable, [])
    yield* on(
      Effect.forEach(checks, (check) => check, { discard: true }),
      newKey
    )
    const found = yield* on(
      ConnectionStore.use((store) => store.find(cashier.organizationId, cashier.id)),
      newKey
    )
    assert.deepStrictEqual(
      Option.map(found, ({ session }) => session && Redacted.value(session)),
      Option.some("session 30")
    )
  })
)
