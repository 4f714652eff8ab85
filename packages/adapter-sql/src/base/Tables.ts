/** Names of the tables: a prefix, and on PostgreSQL a schema, keep them apart from the host application's own. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** What the names are made of. */
export interface TableNaming {
  /** In front of every table and index. Default `tolem_`. */
  readonly prefix?: string | undefined
  /** PostgreSQL schema that must exist. Default: the first of the connection's search path. */
  readonly schema?: string | undefined
}

const defaultPrefix = "tolem_"

/** Every table that the migrations leave, without prefix. */
export const names = [
  "accounts",
  "organizations",
  "api_keys",
  "rate_windows",
  "invoices",
  "events",
  "refunds",
  "daily_totals",
  "receipt_counters",
  "endpoints",
  "deliveries",
  "attempts",
  "secret_checks",
  "connections",
  "logins",
  "subscriptions",
  "subscription_events",
  "subscription_runs",
  "mails",
  "memberships",
  "invitations",
  "usage",
  "tariff_orders",
  "referral_earnings",
  "audit",
  "payment_links",
  "link_totals",
  "link_sweeps",
  "place_takers",
  "form_hooks",
  "login_challenges",
  "sessions",
  "sealing",
  "chain_links",
  "chain_heads",
  "feed",
  "feed_heads",
  "feed_arrivals",
  "consumers",
  "reactions",
  "pictures",
  "removals",
  "requests",
  "request_hours",
  "form_refusals",
  "form_refusal_counts",
  "reconciliations",
  "work_items",
  "statement_letters",
  "operators",
  "notice_lines",
  "messenger_links",
  "messenger_readings",
  "servers",
  "payouts",
  "invoice_leases"
] as const

/** The name of a table without prefix. */
export type TableName = (typeof names)[number]

/** Each table as an identifier for statements. */
export type Tables = { readonly [Name in TableName]: Statement.Identifier }

/** The tables with these names. */
export const tables = (sql: SqlClient.SqlClient, naming: TableNaming): Tables =>
  Object.fromEntries(names.map((name) => [name, sql(qualified(naming, name))])) as Tables

/** The name of an index: in the schema of its table, so never qualified. */
export const index = (sql: SqlClient.SqlClient, naming: TableNaming, name: string): Statement.Identifier =>
  sql(`${naming.prefix ?? defaultPrefix}${name}`)

/** The same index where a statement wants it with its schema. */
export const qualifiedIndex = (sql: SqlClient.SqlClient, naming: TableNaming, name: string): Statement.Identifier =>
  sql(qualified(naming, name))

/** The view for people of what a table holds. */
export const view = (sql: SqlClient.SqlClient, naming: TableNaming, name: string): Statement.Identifier =>
  sql(qualified(naming, `${name}_view`))

/** The table that records which migrations have run. */
export const migrationsTable = (naming: TableNaming): string => qualified(naming, "migrations")

/** The name of a table, with its schema if it has one. */
export const tableName = (naming: TableNaming, name: TableName): string => qualified(naming, name)

/** The table that a database has while another one is copied into it. */
export const copyTable = (naming: TableNaming): string => qualified(naming, "copy")

/** Whether there is a table of this name, which may have its schema in front. */
export const hasTable = (sql: SqlClient.SqlClient, name: string): Effect.Effect<boolean, SqlError.SqlError> => {
  const [quoted] = sql`${sql(name)}`.compile(true)
  const found = sql.onDialectOrElse({
    pg: () => sql`select 1 as found where to_regclass(${quoted}) is not null`,
    orElse: () => sql`select 1 as found from sqlite_schema where type = 'table' and name = ${name}`
  })
  return Effect.map(found, (rows) => rows.length > 0)
}

const qualified = ({ prefix = defaultPrefix, schema }: TableNaming, name: string): string =>
  schema === undefined ? `${prefix}${name}` : `${schema}.${prefix}${name}`
