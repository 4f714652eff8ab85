/** Secrets of endpoints are sealed in the database, and one that cannot be opened stops nothing else. */
import { describe, it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import type { Job } from "@tolem/core/webhook/Webhook"
import { type EndpointOwner, WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { claimDue } from "@tolem/testing/claims"
import { endpointOf, startAt, testDeliveryOf } from "@tolem/testing/fixtures"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { box } from "./support/sqlite.ts"

const shop: EndpointOwner = { organizationId: "org_shop", mode: "sandbox" }
const client = SqliteClient.layer({ filename: ":memory:" })

/** A program on the stores of a database, with a box of these keys. */
const withKeys = <A, E, R>(keys: ReadonlyArray<string>, program: Effect.Effect<A, E, R>) =>
  Effect.provide(program, Layer.fresh(Stores.layer()).pipe(Layer.provide(Layer.fresh(box(...keys)))))

const onOneDatabase = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(Effect.andThen(Migrations.migrate(), program), Layer.fresh(client))

const add = (...endpoints: ReadonlyArray<ReturnType<typeof endpointOf>>) =>
  WebhookStore.use((store) => Effect.forEach(endpoints, (endpoint) => store.addEndpoint(endpoint, 10)))

const oldKey = "the first key of the tests, of no use"
const newKey = "the second key of the tests, of no use"

describe("the secret of an endpoint", () => {
  it.effect("is nowhere to be read in the database", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const secret = Redacted.make("whsec_plain")
        const previousSecret = { secret: Redacted.make("whsec_before"), until: startAt }
        const endpoint = endpointOf({ secret, previousSecret })
        yield* withKeys(
          [oldKey],
          Effect.gen(function* () {
            yield* add(endpoint)
            const store = yield* WebhookStore
            yield* store.patchEndpoint(shop, endpoint.id, { secret: Redacted.make("whsec_patched") }, startAt)
          })
        )
        const rows = yield* sql`select * from tolem_endpoints`
        assert.strictEqual(rows.length, 1)
        assert.notMatch(JSON.stringify(rows), /whsec_|plain|before|patched/)
      })
    )
  )

  it.effect("is gone from the database with the endpoint", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const endpoint = endpointOf({ previousSecret: { secret: Redacted.make("whsec_before"), until: startAt } })
        const remove = WebhookStore.use((store) => store.removeEndpoint(shop, endpoint.id, startAt))
        yield* withKeys([oldKey], Effect.andThen(add(endpoint), remove))
        const rows = yield* sql`select secret, previous_secret from tolem_endpoints`
        assert.deepStrictEqual({ ...rows[0] }, { secret: "", previous_secret: null })
      })
    )
  )

  it.effect("still opens when the key has been replaced and the old one is kept", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const endpoint = endpointOf()
        yield* withKeys([oldKey], add(endpoint))
        const read = WebhookStore.use((store) => store.endpoints(shop))
        const [found] = yield* withKeys([newKey, oldKey], read)
        assert.strictEqual(Redacted.value(found!.secret), Redacted.value(endpoint.secret))
      })
    )
  )

  it.effect("keeps out a server with other keys, which could read none and would seal new ones", () =>
    onOneDatabase(
      Effect.gen(function* () {
        yield* withKeys([oldKey], add(endpointOf()))
        const refused = yield* Effect.flip(withKeys([newKey], WebhookStore))
        assert.strictEqual(refused._tag, "SecretUnreadable")
        yield* withKeys([newKey, oldKey], Effect.void)
        yield* withKeys([newKey], Effect.void)
        yield* Effect.flip(withKeys([oldKey], Effect.void))
      })
    )
  )

  it.effect("opens in its own row only", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [mine, theirs] = [endpointOf(), endpointOf({ organizationId: "org_other" })]
        const refused = yield* withKeys(
          [oldKey],
          Effect.gen(function* () {
            yield* add(mine, theirs)
            yield* sql`update tolem_endpoints set secret = (
              select secret from tolem_endpoints where id = ${theirs.id}
            ) where id = ${mine.id}`
            return yield* Effect.flip(WebhookStore.use((store) => store.endpoints(shop)))
          })
        )
        assert.strictEqual(refused._tag, "StorageError")
      })
    )
  )

  it.effect("holds up only its own deliveries when its key is lost", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const [lost, fine] = [endpointOf(), endpointOf()]
        yield* withKeys([oldKey], add(lost))
        yield* withKeys([newKey, oldKey], Effect.void)
        const program = Effect.gen(function* () {
          const store = yield* WebhookStore
          yield* add(fine)
          const deliveries = [testDeliveryOf(lost), testDeliveryOf(fine)] as const
          yield* Effect.forEach(deliveries, store.addDelivery)
          const jobs = yield* claimDue(store, { now: startAt, until: startAt + 10 })
          assert.deepStrictEqual(
            jobs.map(({ delivery }) => delivery.id),
            [deliveries[1].id]
          )
          const failed = yield* Effect.flip(store.endpoints(shop))
          assert.strictEqual(failed.operation, "WebhookStore.endpoints")
          assert.isFalse(failed.retryable)
          return deliveries[0]
        })
        const held = yield* withKeys([newKey], program)
        const wanted = { now: startAt + 10, until: startAt + 20, lease: "att_2", busy: [fine.id] }
        const jobs = yield* withKeys(
          [newKey, oldKey],
          WebhookStore.use((store) => Effect.map(claimDue(store, wanted), (all) => all.filter(isFresh)))
        )
        assert.deepStrictEqual(
          jobs.map(({ delivery }) => delivery.id),
          [held.id],
          "it goes out when the key is back"
        )
      })
    )
  )
})

/** What another server has begun, and not ended, is claimed as well. */
const isFresh = ({ starts }: Job): boolean => starts === 1
