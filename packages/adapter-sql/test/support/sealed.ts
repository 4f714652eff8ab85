/** Something sealed in each column that can hold such a text. */
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { defaults } from "@tolem/core/engine/Settings"
import type { Challenge } from "@tolem/core/login/Challenge"
import { LoginStore } from "@tolem/core/login/LoginStore"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { accountOf, endpointOf, freshId, startAt } from "@tolem/testing/fixtures"
import { connectionOf } from "@tolem/testing/storage/ConnectionCases"
import { Effect, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"

/** Stores an endpoint with two secrets, a cashier and a login; answers a check that they open as what they were. */
export const sealOneOfEach = Effect.gen(function* () {
  const organizationId = freshId("org")
  const previousSecret = { secret: Redacted.make("whsec_before"), until: startAt }
  const endpoint = endpointOf({ organizationId, previousSecret })
  const connection = connectionOf({ organizationId })
  const { codeMs, codes } = defaults.login
  const challenge: Challenge = {
    id: freshId("chl"),
    phone: accountOf().phone,
    channel: "console",
    digest: "0".repeat(64),
    key: Redacted.make("the key of a code"),
    addressDigest: null,
    tries: 0,
    createdAt: startAt,
    expiresAt: startAt + codeMs,
    usedAt: null
  }
  yield* WebhookStore.use((store) => store.addEndpoint(endpoint, 10))
  yield* ConnectionStore.use((store) => store.add(connection))
  yield* LoginStore.use((store) => store.addChallenge(challenge, codes))

  return Effect.gen(function* () {
    const [found] = yield* WebhookStore.use((store) => store.endpoints({ organizationId, mode: "sandbox" }))
    assert.deepStrictEqual(found, endpoint)
    const cashier = yield* ConnectionStore.use((store) => store.find(organizationId, connection.id))
    assert.deepStrictEqual(cashier, Option.some(connection))
    const login = yield* LoginStore.use((store) => store.findChallenge(challenge.id))
    assert.deepStrictEqual(login, Option.some(challenge))
  })
})

/** The columns of a SQLite that hold a sealed text, as table.column. */
export const sealedColumns = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const columns = yield* sql<{ readonly owner: string; readonly name: string }>`
    select m.name as owner, c.name as name from sqlite_master m, pragma_table_info(m.name) c where m.type = 'table'`
  const sealed = yield* Effect.filter(columns, ({ owner, name }) =>
    Effect.map(sql`select 1 from ${sql(owner)} where ${sql(name)} like 'v1.%.%.%' limit 1`, (rows) => rows.length > 0)
  )
  return sealed.map(({ owner, name }) => `${owner}.${name}`).sort()
})
