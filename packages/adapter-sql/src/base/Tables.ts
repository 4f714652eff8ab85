/** Names of the tables: a prefix, and on PostgreSQL a schema, keep them apart from the host application's own. */
import type { SqlClient, Statement } from "effect/sql"

/** What the names are made of. */
export interface TableNaming {
  /** In front of every table and index. Default `tolem_`. */
  readonly prefix?: string | undefined
  /** PostgreSQL schema that must exist. Default: the first of the connection's search path. */
  readonly schema?: string | undefined
}

const defaultPrefix = "tolem_"

const names = [
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
  "removals"
] as const

/** Each table as an identifier for statements. */
export type Tables = { readonly [Name in (typeof names)[number]]: Statement.Identifier }

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

const qualified = ({ prefix = defaultPrefix, schema }: TableNaming, name: string): string =>
  schema === undefined ? `${prefix}${name}` : `${schema}.${prefix}${name}`
