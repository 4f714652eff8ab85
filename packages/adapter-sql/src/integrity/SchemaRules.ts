/** Rules about indexes: those that keep rows apart, and those without which reads are slow. */
import type { Parts, Rules } from "./Rule.ts"

/** The indexes of each table, whose names begin with the table's. */
type Indexes = Readonly<Record<string, ReadonlyArray<string>>>

const unique: Indexes = {
  accounts: ["referral"],
  connections: ["default"],
  feed: ["invoice"],
  invoices: ["idempotency", "run"],
  mails: ["invoice"],
  organizations: ["external", "idempotency"],
  payment_links: ["slug"],
  payouts: ["up_to"],
  messenger_links: ["code"],
  subscriptions: ["idempotency"],
  work_items: ["subject"]
}

const plain: Indexes = {
  accounts: ["name", "newest"],
  api_keys: ["organization"],
  attempts: ["age"],
  audit: ["actions", "actors", "all_actions", "all_actors", "all_times", "deeds", "organization", "times"],
  chain_links: ["record"],
  connections: ["expired", "organization"],
  daily_totals: ["day", "mixed"],
  deliveries: ["failed", "failed_oldest", "live", "lost", "newest", "newest_failed", "order", "sandbox", "turn"],
  endpoints: ["disabled", "owner", "paused"],
  feed: ["reached"],
  form_hooks: ["oldest"],
  form_refusal_counts: ["age"],
  form_refusals: ["age"],
  invitations: ["age", "organization", "phone"],
  invoice_leases: ["until"],
  invoices: [
    "connection",
    "due",
    "due_tenant",
    "external_order",
    "late",
    "moved",
    "of_links",
    "of_links_newest",
    "of_visitors",
    "paid",
    "status",
    "sums"
  ],
  login_challenges: ["address", "age", "phone"],
  mails: ["due", "due_tenant", "ended", "failed"],
  memberships: ["account"],
  organizations: ["ahead", "idn", "name", "newest", "owner", "partner", "referrer", "tariff"],
  payment_links: ["oldest"],
  pictures: ["organization"],
  payouts: ["account"],
  place_takers: ["age", "visitor"],
  reactions: ["due", "failed", "order", "sandbox"],
  reconciliations: ["due", "due_tenant", "newest"],
  statement_letters: ["due", "due_tenant"],
  referral_earnings: ["account", "accrued", "newest", "payout", "state", "sums", "unpaid"],
  notice_lines: ["due", "due_tenant"],
  messenger_links: ["chat"],
  refunds: ["invoice", "made", "newest", "unknown", "unknown_oldest"],
  request_hours: ["age"],
  requests: ["age"],
  sessions: ["account", "idle"],
  subscription_runs: ["due", "due_tenant", "invoice"],
  subscriptions: ["dates", "due", "due_tenant", "newest", "stuck", "stuck_oldest"],
  tariff_orders: ["applied", "newest", "open", "owner"],
  work_items: ["newest", "oldest"]
}

const namesOf = (indexes: Indexes): ReadonlyArray<string> =>
  Object.entries(indexes).flatMap(([table, names]) => names.map((name) => `${table}_${name}`))

/** Every index that the migrations leave, whether it is unique, by its name without prefix. */
export const indexes: ReadonlyArray<{ readonly name: string; readonly is_unique: 0 | 1 }> = [
  ...namesOf(unique).map((name) => ({ name, is_unique: 1 }) as const),
  ...namesOf(plain).map((name) => ({ name, is_unique: 0 }) as const)
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
