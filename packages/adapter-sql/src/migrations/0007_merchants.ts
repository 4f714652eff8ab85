/** Modes, members, tariffs with what was used of them, referrals, and the audit log. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import type { Step } from "../base/Step.ts"
import { index, qualifiedIndex, type TableNaming, tables, view } from "../base/Tables.ts"

/** Adds the columns and tables, fills them from what is there, and closes the audit log to changes. */
export const createMerchants: Step = (sql, dialect, naming) => {
  const parts = { sql, dialect, naming, names: tables(sql, naming) }
  const postgres = sql.onDialectOrElse({ pg: () => [...views(parts), ...closedOnPostgres(parts)], orElse: () => [] })
  const sqlite = sql.onDialectOrElse({ pg: () => [], orElse: () => closedOnSqlite(parts) })
  const all = [...merchants(parts), ...tariffs(parts), ...audit(parts), ...postgres, ...sqlite]
  return Effect.forEach(all, (statement) => statement, { discard: true })
}

interface Parts {
  readonly sql: SqlClient.SqlClient
  readonly dialect: Dialect
  readonly naming: TableNaming
  readonly names: ReturnType<typeof tables>
}

const weekMs = 7 * 24 * 3_600_000

const merchants = ({ sql, dialect: { text, clustered }, naming, names }: Parts) => [
  sql`alter table ${names.accounts} add column referral_code ${text} not null default ''`,
  sql`update ${names.accounts} set referral_code = substr(id, length(id) - 9)`,
  // Servers of the version before, which know of no codes, still add accounts.
  sql`create unique index ${index(sql, naming, "accounts_referral")}
    on ${names.accounts} (referral_code) where referral_code <> ''`,
  sql`alter table ${names.organizations} add column mode ${text} not null default 'sandbox'`,
  sql`alter table ${names.organizations} add column tariff_until bigint`,
  sql`alter table ${names.organizations} add column referred_by ${text}`,
  sql`alter table ${names.organizations} add column partner_id ${text}`,
  sql`alter table ${names.organizations} add column idempotency_key ${text}`,
  sql`create unique index ${index(sql, naming, "organizations_idempotency")}
    on ${names.organizations} (partner_id, idempotency_key) where idempotency_key is not null`,
  sql`update ${names.organizations} set tariff_until = created_at + ${sql.literal(String(weekMs))}
    where tariff = 'trial'`,
  sql`create index ${index(sql, naming, "organizations_partner")}
    on ${names.organizations} (partner_id, created_at, id) where partner_id is not null`,
  sql`create index ${index(sql, naming, "organizations_referrer")}
    on ${names.organizations} (referred_by, created_at, id) where referred_by is not null`,
  sql`create table ${names.memberships} (
    organization_id ${text} not null,
    account_id ${text} not null,
    role ${text} not null,
    created_at bigint not null,
    primary key (organization_id, account_id)
  ) ${clustered}`,
  sql`create index ${index(sql, naming, "memberships_account")} on ${names.memberships} (account_id, created_at)`,
  sql`insert into ${names.memberships} (organization_id, account_id, role, created_at)
    select id, owner_id, 'owner', created_at from ${names.organizations}`
]

const tariffs = ({ sql, dialect: { text, clustered }, naming, names }: Parts) => [
  sql`create table ${names.usage} (
    organization_id ${text} not null,
    period ${text} not null,
    used bigint not null,
    primary key (organization_id, period)
  ) ${clustered}`,
  sql`insert into ${names.usage} (organization_id, period, used)
    select organization_id, substr(day, 1, 7), cast(sum(invoice_count) as bigint)
    from ${names.daily_totals} where mode = 'live' group by 1, 2
    union all
    select organization_id, day, cast(sum(invoice_count) as bigint)
    from ${names.daily_totals} where mode = 'live' group by 1, 2`,
  sql`create table ${names.tariff_orders} (
    id ${text} not null primary key,
    organization_id ${text} not null,
    tariff ${text} not null,
    months bigint not null,
    amount bigint not null,
    seller_id ${text} not null,
    seller_mode ${text} not null,
    created_at bigint not null,
    applied_at bigint
  )`,
  sql`create index ${index(sql, naming, "tariff_orders_open")}
    on ${names.tariff_orders} (created_at, id) where applied_at is null`,
  sql`create table ${names.referral_earnings} (
    id ${text} not null primary key,
    account_id ${text} not null,
    organization_id ${text} not null,
    order_id ${text} not null unique,
    amount bigint not null,
    state ${text} not null,
    created_at bigint not null,
    paid_out_at bigint
  )`,
  sql`create index ${index(sql, naming, "referral_earnings_account")}
    on ${names.referral_earnings} (account_id, created_at, id)`,
  sql`create index ${index(sql, naming, "referral_earnings_newest")} on ${names.referral_earnings} (created_at, id)`
]

const audit = ({ sql, dialect: { text }, naming, names }: Parts) => [
  sql`create table ${names.audit} (
    id ${text} not null primary key,
    action ${text} not null,
    organization_id ${text},
    subject ${text} not null,
    detail ${text},
    actor_kind ${text} not null,
    actor_id ${text},
    origin ${text},
    created_at bigint not null
  )`,
  sql`create index ${index(sql, naming, "audit_organization")} on ${names.audit} (organization_id, id)`
]

const closedOnSqlite = ({ sql, naming, names }: Parts) => [
  ...["update", "delete"].map(
    (verb) => sql`create trigger ${index(sql, naming, `audit_no_${verb}`)} before ${sql.literal(verb)} on ${names.audit}
      begin select raise(abort, 'the audit log is append-only'); end`
  ),
  // What `insert or replace` replaces is deleted without the trigger of deletes.
  sql`create trigger ${index(sql, naming, "audit_no_replace")} before insert on ${names.audit}
    when exists (select 1 from ${names.audit} where id = new.id)
    begin select raise(abort, 'the audit log is append-only'); end`
]

const closedOnPostgres = ({ sql, naming, names }: Parts) => {
  const refuse = qualifiedIndex(sql, naming, "audit_refuse")
  return [
    sql`create function ${refuse}() returns trigger language plpgsql as $$
      begin raise exception 'the audit log is append-only'; end $$`,
    sql`create trigger ${index(sql, naming, "audit_append_only")} before update or delete or truncate on ${names.audit}
      for each statement execute function ${refuse}()`
  ]
}

const views = ({ sql, naming, names }: Parts) => {
  const instant = (column: string) => sql.literal(`to_timestamp(${column} / 1000.0) as ${column}`)
  const tenge = sql.literal("round(amount / 100.0, 2) as amount")
  return [
    sql`create view ${view(sql, naming, "organizations")} as select
      id, name, legal_name, idn, mode, tariff, ${instant("tariff_until")}, status, owner_id, referred_by, partner_id,
      ${instant("created_at")}
      from ${names.organizations}`,
    sql`create view ${view(sql, naming, "tariff_orders")} as select
      id, organization_id, tariff, months, ${tenge}, seller_id, seller_mode, ${instant("created_at")},
      ${instant("applied_at")}
      from ${names.tariff_orders}`,
    sql`create view ${view(sql, naming, "referral_earnings")} as select
      id, account_id, organization_id, order_id, ${tenge}, state, ${instant("created_at")}, ${instant("paid_out_at")}
      from ${names.referral_earnings}`,
    sql`create view ${view(sql, naming, "audit")} as select
      id, action, organization_id, subject, detail, actor_kind, actor_id, origin, ${instant("created_at")}
      from ${names.audit}`
  ]
}
