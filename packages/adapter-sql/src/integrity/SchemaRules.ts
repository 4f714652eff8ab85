/** Rules about indexes: those that keep rows apart, and those without which reads are slow. */
import type { Parts, Rules } from "./Rule.ts"

const unique = [
  "accounts_referral",
  "connections_default",
  "feed_invoice",
  "invoices_idempotency",
  "invoices_run",
  "mails_invoice",
  "organizations_external",
  "organizations_idempotency",
  "payment_links_slug",
  "subscriptions_idempotency"
]

const plain = [
  "api_keys_organization",
  "audit_organization",
  "chain_links_record",
  "connections_organization",
  "deliveries_log",
  "deliveries_log_status",
  "deliveries_lost",
  "deliveries_order",
  "deliveries_sandbox",
  "deliveries_turn",
  "endpoints_disabled",
  "endpoints_owner",
  "feed_reached",
  "form_hooks_oldest",
  "invoices_connection",
  "invoices_due",
  "invoices_due_tenant",
  "invoices_external_order",
  "invoices_newest",
  "invoices_status",
  "login_challenges_address",
  "login_challenges_age",
  "login_challenges_phone",
  "mails_due",
  "mails_due_tenant",
  "memberships_account",
  "organizations_ahead",
  "pictures_organization",
  "organizations_owner",
  "organizations_partner",
  "organizations_referrer",
  "payment_links_oldest",
  "reactions_due",
  "reactions_failed",
  "reactions_order",
  "reactions_sandbox",
  "referral_earnings_account",
  "referral_earnings_newest",
  "refunds_invoice",
  "sessions_account",
  "sessions_idle",
  "subscription_runs_due",
  "subscription_runs_due_tenant",
  "subscription_runs_invoice",
  "subscriptions_due",
  "subscriptions_due_tenant",
  "subscriptions_newest",
  "tariff_orders_open"
]

/** Every index that the migrations leave, whether it is unique, by its name without prefix. */
export const indexes: ReadonlyArray<{ readonly name: string; readonly is_unique: 0 | 1 }> = [
  ...unique.map((name) => ({ name, is_unique: 1 }) as const),
  ...plain.map((name) => ({ name, is_unique: 0 }) as const)
]

/** The rules. */
export const schemaRules = (parts: Parts): Rules => {
  const { sql, dialect, tables } = parts
  const [invoices] = sql`${tables.invoices}`.compile(true)
  const prefix = invoices.replaceAll(/^.*\.|"/g, "").replace(/invoices$/, "")
  const source = dialect.source("s", { name: "text", is_unique: "bigint" })
  const expected = source(indexes.map(({ name, is_unique }) => ({ name: prefix + name, is_unique })))
  const found = sql.onDialectOrElse({
    pg: () => sql`select c.relname::text as name, case when x.indisunique then 1 else 0 end as is_unique
      from pg_index x join pg_class c on c.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
      where x.indisvalid and t.relnamespace = (select relnamespace from pg_class where oid = to_regclass(${invoices}))`,
    orElse: () => sql`select name, case when lower(sql) like 'create unique%' then 1 else 0 end as is_unique
      from sqlite_master where type = 'index' and sql is not null`
  })
  return {
    indexes_are_there: sql`
      select s.name as subject, case when f.name is null then 'the index is gone' else 'it keeps nothing apart' end
          as detail
        from ${expected} left join (${found}) as f on f.name = s.name
        where f.name is null or f.is_unique < s.is_unique`
  }
}
