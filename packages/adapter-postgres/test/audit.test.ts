/** The audit log on PostgreSQL: nobody changes it. */
import { it } from "@effect/vitest"
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { connect } from "@tolem/testing-postgres/Client"
import { Effect, Layer, Redacted } from "effect"
import { assert, describe } from "vitest"
import * as Postgres from "../src/Postgres.ts"
import { box, freshOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

describe("the audit log", () => {
  it.live("refuses every statement that would change or delete a record", () =>
    Effect.gen(function* () {
      const options = freshOptions()
      yield* Postgres.migrate(options)
      const stores = Layer.fresh(Postgres.layer(options)).pipe(Layer.provide(box))
      const record = auditOf()
      const member = { organizationId: "org_shop", accountId: "acc_1", role: "developer", createdAt: startAt } as const
      const client = yield* Effect.acquireRelease(
        Effect.promise(() => connect(Redacted.value(options.url))),
        (open) => Effect.promise(() => open.end())
      )
      const table = `${options.schema}.tolem_audit`
      const messageOf = (statement: string) =>
        Effect.promise(() =>
          client.query(statement).then(
            () => "done",
            (error: unknown) => String(error)
          )
        )
      const records = yield* Effect.gen(function* () {
        yield* DirectoryStore.use((store) => store.setMember(member, record))
        for (const statement of [
          `update ${table} set actor_id = 'nobody'`,
          `update ${table}_view set actor_id = 'nobody'`,
          `delete from ${table}`,
          `truncate ${table}`,
          `insert into ${table} select * from ${table} on conflict (id) do update set actor_id = 'nobody'`,
          `merge into ${table} a using ${table} b on a.id = b.id when matched then delete`
        ]) {
          assert.match(yield* messageOf(statement), /the audit log is append-only/, statement)
        }
        return yield* AuditStore.use((store) => store.list({ organizationId: null, before: null, limit: 9 }))
      }).pipe(Effect.provide(stores))
      assert.deepStrictEqual(records, [record])
    }).pipe(Effect.scoped)
  )
})
