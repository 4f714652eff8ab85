/** The first schema. Columns are TEXT and BIGINT: money in tiyn, instants in epoch milliseconds, booleans 0 and 1. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import type { Step } from "../base/Step.ts"
import { index, type TableNaming, tables } from "../base/Tables.ts"

/** Creates every table and index. */
export const createTables: Step = (sql, dialect, naming) => {
  const parts = { sql, dialect, naming, names: tables(sql, naming) }
  return Effect.forEach([...merchants(parts), ...invoices(parts), ...webhooks(parts)], (statement) => statement, {
    discard: true
  })
}

interface Parts {
  readonly sql: SqlClient.SqlClient
  readonly dialect: Dialect
  readonly naming: TableNaming
  readonly names: ReturnType<typeof tables>
}

const merchants = ({ sql, dialect: { text, clustered }, naming, names }: Parts) => [
  sql`create table ${names.accounts} (
    id ${text} not null primary key,
    phone ${text} not null unique,
    name ${text},
    status ${text} not null,
    created_at bigint not null
  )`,
  sql`create table ${names.organizations} (
    id ${text} not null primary key,
    name ${text} not null,
    legal_name ${text},
    idn ${text},
    tariff ${text} not null,
    status ${text} not null,
    owner_id ${text} not null references ${names.accounts} (id),
    created_at bigint not null
  )`,
  sql`create index ${index(sql, naming, "organizations_owner")} on ${names.organizations} (owner_id)`,
  sql`create table ${names.api_keys} (
    id ${text} not null primary key,
    organization_id ${text} not null references ${names.organizations} (id),
    mode ${text} not null,
    name ${text} not null,
    scopes ${text} not null,
    connection_id ${text},
    digest ${text} not null unique,
    last_characters ${text} not null,
    created_at bigint not null
  )`,
  sql`create index ${index(sql, naming, "api_keys_organization")} on ${names.api_keys} (organization_id, created_at)`,
  sql`create table ${names.rate_windows} (
    window_at bigint not null,
    key_id ${text} not null,
    kind ${text} not null,
    hits bigint not null,
    primary key (window_at, key_id, kind)
  ) ${clustered}`
]

const invoices = ({ sql, dialect: { text, clustered }, naming, names }: Parts) => [
  sql`create table ${names.invoices} (
    id ${text} not null primary key,
    organization_id ${text} not null,
    mode ${text} not null,
    connection_id ${text},
    kind ${text} not null,
    status ${text} not null,
    amount bigint not null,
    refunded bigint not null,
    description ${text},
    external_order_id ${text},
    customer_name ${text},
    customer_phone ${text},
    customer_email ${text},
    success_url ${text},
    fail_url ${text},
    metadata ${text},
    idempotency_key ${text},
    fingerprint ${text},
    provider_reference ${text},
    provider_status ${text},
    provider_receipt_url ${text},
    receipt_number ${text},
    qr_url ${text},
    deep_link ${text},
    expires_at bigint,
    paid_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    late bigint not null,
    due_at bigint,
    sequence bigint not null,
    version bigint not null,
    day ${text} not null,
    search_text ${text} not null
  )`,
  sql`create unique index ${index(sql, naming, "invoices_idempotency")}
    on ${names.invoices} (organization_id, mode, idempotency_key) where idempotency_key is not null`,
  sql`create index ${index(sql, naming, "invoices_newest")}
    on ${names.invoices} (organization_id, mode, created_at, id)`,
  sql`create index ${index(sql, naming, "invoices_status")}
    on ${names.invoices} (organization_id, mode, status, created_at, id)`,
  sql`create index ${index(sql, naming, "invoices_external_order")}
    on ${names.invoices} (organization_id, mode, external_order_id, created_at, id)
    where external_order_id is not null`,
  sql`create index ${index(sql, naming, "invoices_connection")}
    on ${names.invoices} (organization_id, mode, connection_id, created_at, id) where connection_id is not null`,
  sql`create index ${index(sql, naming, "invoices_due")} on ${names.invoices} (due_at) where due_at is not null`,
  sql`create table ${names.events} (
    invoice_id ${text} not null,
    sequence bigint not null,
    id ${text} not null,
    organization_id ${text} not null,
    type ${text} not null,
    from_status ${text},
    to_status ${text} not null,
    source ${text} not null,
    refunded bigint not null,
    late bigint not null,
    created_at bigint not null,
    primary key (invoice_id, sequence)
  ) ${clustered}`,
  sql`create table ${names.refunds} (
    id ${text} not null primary key,
    invoice_id ${text} not null,
    organization_id ${text} not null,
    amount bigint not null,
    status ${text} not null,
    reason ${text},
    idempotency_key ${text},
    created_at bigint not null,
    completed_at bigint
  )`,
  sql`create index ${index(sql, naming, "refunds_invoice")} on ${names.refunds} (invoice_id, created_at, id)`,
  sql`create table ${names.daily_totals} (
    organization_id ${text} not null,
    mode ${text} not null,
    connection_id ${text} not null,
    status ${text} not null,
    day ${text} not null,
    shard bigint not null,
    invoice_count bigint not null,
    amount bigint not null,
    refunded bigint not null,
    primary key (organization_id, mode, connection_id, status, day, shard)
  ) ${clustered}`,
  sql`create table ${names.receipt_counters} (
    organization_id ${text} not null primary key,
    value bigint not null
  )`
]

const webhooks = ({ sql, dialect: { text }, naming, names }: Parts) => [
  sql`create table ${names.endpoints} (
    id ${text} not null primary key,
    organization_id ${text} not null,
    mode ${text} not null,
    url ${text} not null,
    events ${text} not null,
    secret ${text} not null,
    previous_secret ${text},
    previous_secret_until bigint,
    disabled bigint not null,
    failure_count bigint not null,
    pause_count bigint not null,
    paused_until bigint,
    created_at bigint not null,
    updated_at bigint not null,
    removed_at bigint
  )`,
  sql`create index ${index(sql, naming, "endpoints_owner")}
    on ${names.endpoints} (organization_id, mode, created_at, id) where removed_at is null`,
  sql`create index ${index(sql, naming, "endpoints_disabled")} on ${names.endpoints} (id) where disabled = 1`,
  sql`create table ${names.deliveries} (
    id ${text} not null primary key,
    endpoint_id ${text} not null,
    organization_id ${text} not null,
    mode ${text} not null,
    kind ${text} not null,
    invoice_id ${text} not null,
    event_id ${text} not null,
    sequence bigint not null,
    status ${text} not null,
    attempt_count bigint not null,
    due_at bigint not null,
    ready_at bigint not null,
    lease ${text},
    created_at bigint not null,
    completed_at bigint
  )`,
  sql`create index ${index(sql, naming, "deliveries_due")}
    on ${names.deliveries} (due_at, endpoint_id, invoice_id, sequence) where status = 'pending'`,
  sql`create index ${index(sql, naming, "deliveries_order")}
    on ${names.deliveries} (endpoint_id, invoice_id, sequence) where status = 'pending'`,
  sql`create index ${index(sql, naming, "deliveries_log")}
    on ${names.deliveries} (endpoint_id, created_at, id)`,
  sql`create index ${index(sql, naming, "deliveries_log_status")}
    on ${names.deliveries} (endpoint_id, status, created_at, id)`,
  sql`create table ${names.attempts} (
    delivery_id ${text} not null,
    number bigint not null,
    started_at bigint not null,
    duration_ms bigint not null,
    url ${text} not null,
    request_headers ${text} not null,
    request_body ${text} not null,
    status bigint,
    response_body ${text},
    error ${text},
    primary key (delivery_id, number)
  )`
]
