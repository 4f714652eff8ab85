/** What a server may not do to its own database. The storage suite shows that what it may do is enough. */
import { it } from "@effect/vitest"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { connect } from "@tolem/testing-postgres/Client"
import { Effect, Layer, Redacted } from "effect"
import { assert, describe } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { box, freshRoles, ownDatabase } from "./support/stores.ts"

ownDatabase()

/** Lets users run only the functions that they were granted, as careful operators do. */
const hardened = (url: Redacted.Redacted) =>
  Effect.promise(async () => {
    const client = await connect(Redacted.value(url))
    await client.query("alter default privileges revoke execute on functions from public")
    await client.end()
  })

describe("the server's user of deploy/roles.sql", () => {
  it.live("reads and writes rows, and changes neither the schema nor what guards it", () =>
    Effect.gen(function* () {
      const { owner, server } = yield* Effect.promise(freshRoles)
      yield* hardened(owner.url)
      yield* Postgres.migrate(owner)
      const member = { organizationId: "org_shop", accountId: "acc_1", role: "developer", createdAt: startAt } as const
      yield* DirectoryStore.use((store) => store.setMember(member, auditOf())).pipe(
        Effect.provide(Layer.fresh(Postgres.layer(server)).pipe(Layer.provide(box)))
      )
      const client = yield* Effect.acquireRelease(
        Effect.promise(() => connect(Redacted.value(server.url))),
        (open) => Effect.promise(() => open.end())
      )
      const said = (statement: string) =>
        Effect.promise(() =>
          client.query(statement).then(
            ({ rows }) => JSON.stringify(rows),
            (error: Error) => error.message
          )
        )
      const audit = `${server.schema}.tolem_audit`
      assert.strictEqual(yield* said(`select count(*)::int as n from ${audit}`), '[{"n":1}]')
      for (const [statement, refusal] of [
        [`delete from ${audit}`, /append-only/],
        [`drop trigger tolem_audit_append_only on ${audit}`, /must be owner of/],
        [`alter table ${audit} disable trigger all`, /must be owner of/],
        [`drop table ${audit}`, /must be owner of/],
        [`truncate ${server.schema}.tolem_events`, /permission denied/],
        [`create table ${server.schema}.mine (id text)`, /permission denied/],
        [`create table public.mine (id text)`, /permission denied/],
        [`create temporary table mine (id text)`, /permission denied/],
        ["set session_replication_role = replica", /permission denied/],
        [`drop table ${server.schema}.tolem_attempts_default`, /must be owner of/],
        [
          `alter table ${server.schema}.tolem_attempts detach partition ${server.schema}.tolem_attempts_default`,
          /must be/
        ],
        [`select ${server.schema}.tolem_attempts_room(0)`, /^\[/],
        [`select ${server.schema}.tolem_attempts_forget(0)`, /^\[/],
        [`drop table ${server.schema}.tolem_deliveries_before`, /must be owner of/],
        [`select ${server.schema}.tolem_deliveries_room(0)`, /^\[/],
        [`select ${server.schema}.tolem_deliveries_forget(0)`, /^\[/],
        [`select ${server.schema}.tolem_search_keys('1234567890')`, /^\[/],
        [`create or replace function ${server.schema}.f() returns int language sql as 'select 1'`, /permission denied/]
      ] as const) {
        assert.match(yield* said(statement), refusal, statement)
      }
      const failed = yield* Effect.flip(Postgres.migrate({ ...server, schema: "another" }))
      assert.include(String(failed.cause), "AuthorizationError")
    }).pipe(Effect.scoped)
  )
})
