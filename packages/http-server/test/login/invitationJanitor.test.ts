/** The janitor of invitations, on SQLite, under a clock that the test moves. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { it } from "@effect/vitest"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import * as Stores from "@tolem/adapter-sql/Stores"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import * as Janitor from "@tolem/core/engine/Janitor"
import { defaults } from "@tolem/core/engine/Settings"
import { StorageError } from "@tolem/core/error/StorageError"
import { InvitationStore } from "@tolem/core/invitation/InvitationStore"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { startAt } from "@tolem/testing/fixtures"
import { invitationBounds, invitationOf } from "@tolem/testing/invitations"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer, Logger, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"

const hour = 60 * 60_000
const { invitationsMs: keptMs } = defaults.retention

const stores = Stores.layer().pipe(
  Layer.provide(Migrations.layer()),
  Layer.provide(SqliteClient.layer({ filename: ":memory:" })),
  Layer.provide(SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")])),
  Layer.provide(NodeCrypto.layer),
  Layer.provideMerge(Logger.layer([]))
)

/** An hour before the first of so many invitations may be forgotten. */
const inWorld = <E>(
  count: number,
  program: (shown: Effect.Effect<number, StorageError>) => Effect.Effect<void, E, InvitationStore>
) =>
  Effect.gen(function* () {
    const store = yield* InvitationStore
    const bounds = { ...invitationBounds, maxPending: count, perPeriod: count }
    const all = Array.from({ length: count }, () => invitationOf())
    for (const each of all) yield* store.add(each, bounds, auditOf())
    yield* TestClock.setTime(all[0]!.expiresAt + keptMs - hour)
    yield* program(Effect.map(store.list("org_shop", startAt, count), ({ length }) => length))
  }).pipe(Effect.provide(Layer.fresh(stores)))

describe("the janitor of invitations", () => {
  it.effect("forgets them so long after their end, as many as there are", () =>
    inWorld(
      260,
      Effect.fnUntraced(function* (shown) {
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Layer.build(Layer.fresh(Janitor.invitations))
            yield* TestClock.adjust(hour - 1)
            assert.strictEqual(yield* shown, 260)
            yield* TestClock.adjust(hour + 1)
            yield* TestClock.adjust(1000)
            assert.strictEqual(yield* shown, 0)
          })
        )
      })
    )
  )

  it.effect("goes on after a sweep that failed", () =>
    inWorld(
      1,
      Effect.fnUntraced(function* (shown) {
        const store = yield* InvitationStore
        const away = new StorageError({ operation: "x", outcome: "nothing_written", retryable: true, cause: "away" })
        let sweeps = 0
        const forget: typeof store.forget = (before, limit) =>
          ++sweeps <= 3 ? Effect.fail(away) : store.forget(before, limit)
        const flaky = Layer.succeed(InvitationStore, { ...store, forget })
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* Layer.build(Layer.fresh(Layer.provide(Janitor.invitations, flaky)))
            yield* TestClock.adjust(2 * hour)
            assert.strictEqual(yield* shown, 1)
            yield* TestClock.adjust(2 * hour)
            assert.strictEqual(yield* shown, 0)
          })
        )
      })
    )
  )
})
