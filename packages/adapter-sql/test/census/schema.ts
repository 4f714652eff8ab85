/** What an attacker may do to the schema: triggers, indexes and columns, by the database. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Planted } from "./Planted.ts"

const onSqlite: ReadonlyArray<Planted> = [
  ["the trigger that refuses changes of the audit log gone", "drop trigger tolem_audit_no_update"],
  ["the trigger that refuses deletions from the audit log gone", "drop trigger tolem_audit_no_delete"],
  ["the trigger that refuses replacements in the audit log gone", "drop trigger tolem_audit_no_replace"],
  ["the trigger that notes events for the feed gone", "drop trigger tolem_events_arrive"]
]

const onPostgres: ReadonlyArray<Planted> = [
  ["the trigger that closes the audit log gone", "drop trigger tolem_audit_append_only on tolem_audit"],
  ["the trigger that closes the audit log off", "alter table tolem_audit disable trigger tolem_audit_append_only"],
  ["the trigger that notes events for the feed gone", "drop trigger tolem_events_arrive on tolem_events"],
  ["the trigger that notes events for the feed off", "alter table tolem_events disable trigger tolem_events_arrive"],
  ["a view gone", "drop view tolem_invoices_view", "views are for people; nothing reads them"]
]

const everywhere: ReadonlyArray<Planted> = [
  ["the index that keeps keys of requests apart gone", "drop index tolem_invoices_idempotency"],
  ["the index that keeps addresses of links apart gone", "drop index tolem_payment_links_slug"],
  ["an index that makes reads fast gone", "drop index tolem_invoices_sums"]
]

export const schema: Effect.Effect<
  Readonly<Record<string, ReadonlyArray<Planted>>>,
  never,
  SqlClient.SqlClient
> = Effect.map(SqlClient.SqlClient, (sql) => ({
  "The schema": [...sql.onDialectOrElse({ pg: () => onPostgres, orElse: () => onSqlite }), ...everywhere]
}))
