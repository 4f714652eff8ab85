/** Subscriptions with their runs and events, letters to customers, and sandbox clocks that are ahead. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import type { Step } from "../base/Step.ts"
import { index, type TableNaming, tables, view } from "../base/Tables.ts"

/** Creates the tables, and the views of them if the database is PostgreSQL. */
export const createSubscriptions: Step = (sql, dialect, naming) => {
  const parts = { sql, dialect, naming, names: tables(sql, naming) }
  const all = [...subscriptions(parts), ...runs(parts), ...mails(parts)]
  const people = sql.onDialectOrElse({ pg: () => views(parts), orElse: () => [] })
  return Effect.forEach([...all, ...people], (statement) => statement, { discard: true })
}

interface Parts {
  readonly sql: SqlClient.SqlClient
  readonly dialect: Dialect
  readonly naming: TableNaming
  readonly names: ReturnType<typeof tables>
}

const subscriptions = ({ sql, dialect: { text }, naming, names }: Parts) => [
  sql`alter table ${names.organizations} add column clock_ahead_ms bigint not null default 0`,
  sql`create index ${index(sql, naming, "organizations_ahead")}
    on ${names.organizations} (id) where clock_ahead_ms > 0`,
  sql`create table ${names.subscriptions} (
    id ${text} not null primary key,
    organization_id ${text} not null,
    mode ${text} not null,
    connection_id ${text},
    status ${text} not null,
    amount bigint not null,
    kind ${text} not null,
    description ${text},
    customer_name ${text},
    customer_phone ${text},
    customer_email ${text},
    metadata ${text},
    step ${text} not null,
    every bigint not null,
    day_of_month bigint,
    anchor_at bigint not null,
    retry_hours ${text} not null,
    misfire ${text} not null,
    next_index bigint not null,
    next_run_at bigint not null,
    last_run_at bigint,
    last_invoice_id ${text},
    runs bigint not null,
    max_runs bigint,
    faults bigint not null,
    fault ${text},
    idempotency_key ${text},
    fingerprint ${text},
    due_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    sequence bigint not null,
    version bigint not null
  )`,
  sql`create unique index ${index(sql, naming, "subscriptions_idempotency")}
    on ${names.subscriptions} (organization_id, mode, idempotency_key) where idempotency_key is not null`,
  sql`create index ${index(sql, naming, "subscriptions_newest")}
    on ${names.subscriptions} (organization_id, mode, created_at, id)`,
  sql`create index ${index(sql, naming, "subscriptions_due")}
    on ${names.subscriptions} (due_at) where due_at is not null`,
  sql`create table ${names.subscription_events} (
    subscription_id ${text} not null,
    sequence bigint not null,
    id ${text} not null,
    organization_id ${text} not null,
    type ${text} not null,
    source ${text} not null,
    run bigint,
    invoice_id ${text},
    code ${text},
    created_at bigint not null,
    primary key (subscription_id, sequence)
  )`
]

const runs = ({ sql, dialect: { text }, naming, names }: Parts) => [
  sql`create table ${names.subscription_runs} (
    subscription_id ${text} not null,
    run bigint not null,
    organization_id ${text} not null,
    mode ${text} not null,
    scheduled_at bigint,
    invoice_id ${text} not null,
    invoice_ids ${text} not null,
    status ${text} not null,
    faults bigint not null,
    due_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    primary key (subscription_id, run)
  )`,
  sql`create index ${index(sql, naming, "subscription_runs_invoice")} on ${names.subscription_runs} (invoice_id)`,
  sql`create index ${index(sql, naming, "subscription_runs_due")}
    on ${names.subscription_runs} (due_at) where due_at is not null`
]

const mails = ({ sql, dialect: { text }, naming, names }: Parts) => [
  sql`create table ${names.mails} (
    id ${text} not null primary key,
    kind ${text} not null,
    organization_id ${text} not null,
    mode ${text} not null,
    invoice_id ${text} not null,
    recipient ${text} not null,
    status ${text} not null,
    attempts bigint not null,
    reason ${text},
    due_at bigint,
    created_at bigint not null,
    completed_at bigint
  )`,
  sql`create unique index ${index(sql, naming, "mails_invoice")} on ${names.mails} (invoice_id, kind)`,
  sql`create index ${index(sql, naming, "mails_due")} on ${names.mails} (due_at) where due_at is not null`
]

const views = ({ sql, naming, names }: Parts) => {
  const instant = (column: string) => sql.literal(`to_timestamp(${column} / 1000.0) as ${column}`)
  const json = (column: string) =>
    sql.literal(`case when pg_input_is_valid(${column}, 'jsonb') then ${column}::jsonb end as ${column}`)
  return [
    sql`create view ${view(sql, naming, "subscriptions")} as select
      id, organization_id, mode, connection_id, status, round(amount / 100.0, 2) as amount, kind, description,
      customer_name, customer_phone, customer_email, ${json("metadata")}, step, every, day_of_month,
      ${instant("anchor_at")}, ${json("retry_hours")}, misfire, ${instant("next_run_at")}, ${instant("last_run_at")},
      last_invoice_id, runs, max_runs, faults, fault, ${instant("due_at")}, ${instant("created_at")},
      ${instant("updated_at")}
      from ${names.subscriptions}`,
    sql`create view ${view(sql, naming, "subscription_runs")} as select
      subscription_id, run, organization_id, mode, ${instant("scheduled_at")}, ${json("invoice_ids")}, status, faults,
      ${instant("due_at")}, ${instant("created_at")}, ${instant("updated_at")}
      from ${names.subscription_runs}`,
    sql`create view ${view(sql, naming, "subscription_events")} as select
      id, subscription_id, sequence, organization_id, type, source, run, invoice_id, code, ${instant("created_at")}
      from ${names.subscription_events}`,
    sql`create view ${view(sql, naming, "mails")} as select
      id, kind, organization_id, mode, invoice_id, recipient, status, attempts, reason,
      ${instant("due_at")}, ${instant("created_at")}, ${instant("completed_at")}
      from ${names.mails}`
  ]
}
