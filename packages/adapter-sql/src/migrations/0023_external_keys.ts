/** What an application that embeds the engine calls its organizations, so that it finds them after a restart. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables, view } from "../base/Tables.ts"

/** Adds the column; what was opened before has no such name. */
export const addExternalKeys: Step = (sql, { text }, naming) => {
  const { organizations } = tables(sql, naming)
  const people = sql.onDialectOrElse({
    pg: () => [
      sql`create or replace view ${view(sql, naming, "organizations")} as select
        id, name, legal_name, idn, mode, tariff, to_timestamp(tariff_until / 1000.0) as tariff_until, status, owner_id,
        referred_by, partner_id, to_timestamp(created_at / 1000.0) as created_at, external_key
        from ${organizations}`
    ],
    orElse: () => []
  })
  const statements = [
    sql`alter table ${organizations} add column external_key ${text}`,
    sql`create unique index ${index(sql, naming, "organizations_external")}
      on ${organizations} (external_key) where external_key is not null`,
    ...people
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
