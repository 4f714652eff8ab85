/** What an invoice was made for, how far it has come at the provider, until when it waits, and where it counts. */

import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Step } from "../base/Step.ts"
import { index, type TableNaming, tables, view } from "../base/Tables.ts"

const dayMs = 86_400_000

/** Adds the columns and fills in what those of earlier rows are; these count in their quotas on their first day. */
export const addCreation: Step = (sql, { text }, naming) =>
  Effect.gen(function* () {
    const { invoices, refunds } = tables(sql, naming)
    // Those of sandboxes whose clocks are ahead were made later than now.
    const now = yield* Clock.currentTimeMillis
    const from = sql`case when created_at > cast(${now} as bigint) then created_at else cast(${now} as bigint) end`
    const validMs = sql.literal(`case when origin like 'subscription/%' then ${7 * dayMs} else ${dayMs} end`)
    const statements = [
      sql`alter table ${invoices} add column origin ${text}`,
      sql`alter table ${invoices} add column making ${text}`,
      sql`alter table ${invoices} add column valid_until bigint`,
      sql`alter table ${invoices} add column counted_on ${text}`,
      sql`alter table ${refunds} add column fingerprint ${text}`,
      // The key was the origin, and after it, where there may be any number of invoices, the invoice's own id.
      sql`update ${invoices} set origin = idempotency_key
        where fingerprint is null and idempotency_key like 'subscription/%'`,
      sql`update ${invoices} set origin = substr(idempotency_key, 1, length(idempotency_key) - 31)
        where fingerprint is null
          and (idempotency_key like 'payment-link/%/inv_%' or idempotency_key like 'form-hook/%/inv_%')`,
      // From now on: nobody was told that the time of theirs runs.
      sql`update ${invoices} set making = 'waits', valid_until = ${from} + ${validMs}, due_at = ${from} + ${validMs}
        where status = 'new' and due_at is null and kind = 'qr' and origin is not null`,
      sql`create unique index ${index(sql, naming, "invoices_run")} on ${invoices} (origin)
        where substr(origin, 1, 13) = 'subscription/'`,
      // The provider's clock may be behind ours: such a refund was made no later than it was completed.
      sql`update ${refunds} set created_at = completed_at where completed_at < created_at`
    ]
    const people = sql.onDialectOrElse({ pg: () => [invoicesView(sql, naming)], orElse: () => [] })
    yield* Effect.forEach([...statements, ...people], (statement) => statement, { discard: true })
  })

// Columns of a view can only be added at its end.
const invoicesView = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const tenge = (column: string) => sql.literal(`round(${column} / 100.0, 2) as ${column}`)
  const instant = (column: string) => sql.literal(`to_timestamp(${column} / 1000.0) as ${column}`)
  return sql`create or replace view ${view(sql, naming, "invoices")} as select
    id, organization_id, mode, connection_id, kind, status, ${tenge("amount")}, ${tenge("refunded")},
    description, external_order_id, customer_name, customer_phone, customer_email,
    case when pg_input_is_valid(metadata, 'jsonb') then metadata::jsonb end as metadata,
    provider_reference, receipt_number, late = 1 as late, day::date as day,
    ${instant("created_at")}, ${instant("updated_at")}, ${instant("expires_at")}, ${instant("paid_at")},
    ${instant("due_at")}, origin, making, ${instant("valid_until")},
    nullif(case when mode = 'live' then coalesce(counted_on, day) end, '')::date as counted_on
    from ${tables(sql, naming).invoices}`
}
