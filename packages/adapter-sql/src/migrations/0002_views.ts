/** Views for people who query by hand: tenge, real timestamps, JSON. PostgreSQL only, and nothing here reads them. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { type TableNaming, tables, view } from "../base/Tables.ts"

/** Creates every view, if the database is PostgreSQL. */
export const createViews = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const names = tables(sql, naming)
  const tenge = (column: string) => sql.literal(`round(${column} / 100.0, 2)`)
  const instant = (column: string) => sql.literal(`to_timestamp(${column} / 1000.0)`)
  // Texts that are valid JSON need not be valid jsonb, and one of them must not spoil a whole query.
  const json = (column: string) =>
    sql.literal(`case when pg_input_is_valid(${column}, 'jsonb') then ${column}::jsonb end`)
  const views = [
    sql`create view ${view(sql, naming, "invoices")} as select
      id, organization_id, mode, connection_id, kind, status,
      ${tenge("amount")} as amount, ${tenge("refunded")} as refunded,
      description, external_order_id, customer_name, customer_phone, customer_email,
      ${json("metadata")} as metadata, provider_reference, receipt_number, late = 1 as late, day::date as day,
      ${instant("created_at")} as created_at, ${instant("updated_at")} as updated_at,
      ${instant("expires_at")} as expires_at, ${instant("paid_at")} as paid_at, ${instant("due_at")} as due_at
      from ${names.invoices}`,
    sql`create view ${view(sql, naming, "events")} as select
      id, invoice_id, sequence, organization_id, type, from_status, to_status, source,
      ${tenge("refunded")} as refunded, late = 1 as late, ${instant("created_at")} as created_at
      from ${names.events}`,
    sql`create view ${view(sql, naming, "refunds")} as select
      id, invoice_id, organization_id, ${tenge("amount")} as amount, status, reason,
      ${instant("created_at")} as created_at, ${instant("completed_at")} as completed_at
      from ${names.refunds}`,
    sql`create view ${view(sql, naming, "daily_totals")} as select
      organization_id, mode, nullif(connection_id, '') as connection_id, status, day::date as day,
      sum(invoice_count)::bigint as invoice_count, ${tenge("sum(amount)")} as amount,
      ${tenge("sum(refunded)")} as refunded
      from ${names.daily_totals} group by organization_id, mode, connection_id, status, day`,
    sql`create view ${view(sql, naming, "deliveries")} as select
      id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence, status, attempt_count,
      ${instant("due_at")} as due_at, ${instant("created_at")} as created_at,
      ${instant("completed_at")} as completed_at
      from ${names.deliveries}`,
    sql`create view ${view(sql, naming, "attempts")} as select
      delivery_id, number, ${instant("started_at")} as started_at, duration_ms, url,
      ${json("request_headers")} as request_headers, ${json("request_body")} as request_body,
      status, response_body, error
      from ${names.attempts}`
  ]
  return sql.onDialectOrElse({
    pg: () => Effect.forEach(views, (statement) => statement, { discard: true }),
    orElse: () => Effect.void
  })
}
