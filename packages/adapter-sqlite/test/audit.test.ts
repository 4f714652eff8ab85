/** The audit log on SQLite: nobody changes it. */
import { it } from "@effect/vitest"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import * as Stores from "@tolem/adapter-sql/Stores"
import { AuditStore } from "@tolem/core/audit/AuditStore"
import { DirectoryStore } from "@tolem/core/merchant/DirectoryStore"
import { startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe } from "vitest"
import * as SqliteClient from "../src/SqliteClient.ts"
import { box } from "./support/stores.ts"

/** The stores on a database in memory, with the client beside them. */
const withClient = Stores.layer().pipe(
  Layer.provide(Migrations.layer()),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.provide(box)
)

describe("the audit log", () => {
  it.effect("refuses every statement that would change or delete a record", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const record = auditOf()
      const member = { organizationId: "org_shop", accountId: "acc_1", role: "developer", createdAt: startAt } as const
      yield* DirectoryStore.use((store) => store.setMember(member, record))
      const attempts = [
        sql`update tolem_audit set actor_id = 'nobody'`,
        sql`update tolem_audit set detail = null where id = 'aud_none'`,
        sql`update or replace tolem_audit set detail = 'other'`,
        sql`delete from tolem_audit`,
        sql`insert or replace into tolem_audit
          select id, action, organization_id, subject, detail, actor_kind, 'nobody', origin, created_at
          from tolem_audit`,
        sql`insert into tolem_audit select * from tolem_audit where true
          on conflict (id) do update set actor_id = 'nobody'`
      ]
      const isRefused = (attempt: Effect.Effect<unknown, unknown>) => Effect.isFailure(attempt)
      assert.deepStrictEqual(yield* Effect.forEach(attempts, isRefused), [true, false, true, true, true, true])
      const records = yield* AuditStore.use((store) => store.list({ organizationId: null, before: null, limit: 9 }))
      assert.deepStrictEqual(records, [record])
    }).pipe(Effect.provide(withClient))
  )
})
