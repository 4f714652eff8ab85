/**
 * What the peers ask of PostgreSQL, written by hand: named statements, so that each is parsed and planned once a
 * connection, and as few of them as the work allows. The tables are those of `tolem migrate`.
 */
import { createHash, randomInt } from "node:crypto"
import { newId } from "../Rows.ts"

/** A statement with its values, as `pg` takes it. */
export interface Query {
  readonly name: string
  readonly text: string
  readonly values: Array<unknown>
}

const windowMs = 60_000

/** Finds a key by its digest, with what decides whether it may act, and counts the request: `hits`, with this one. */
export const admission = (digest: string, kind: "read" | "write", now: number): Query => ({
  name: "admission",
  text: admissionText,
  values: [digest, kind, now - (now % windowMs)]
})

const admissionText = `with caller as (
    select k.id, k.organization_id, k.mode, k.scopes, o.status as organization_status, a.status as owner_status
    from tolem_api_keys k
    join tolem_organizations o on o.id = k.organization_id
    join tolem_accounts a on a.id = o.owner_id
    where k.digest = $1
  ), hit as (
    insert into tolem_rate_windows as t (window_at, key_id, kind, hits)
    select $3::bigint, id, $2::text, 1 from caller where organization_status = 'active' and owner_status = 'active'
    on conflict (window_at, key_id, kind) do update set hits = t.hits + 1
    returning hits
  )
  select c.*, (select hits from hit) as hits from caller c`

/** Counts a write of a key that is known already. */
export const hit = (keyId: string, now: number): Query => ({
  name: "hit",
  text: `insert into tolem_rate_windows as t (window_at, key_id, kind, hits) values ($1, $2, 'write', 1)
    on conflict (window_at, key_id, kind) do update set hits = t.hits + 1
    returning hits`,
  values: [now - (now % windowMs), keyId]
})

/** The answer to `admission`. */
export interface Caller {
  readonly id: string
  readonly organization_id: string
  readonly mode: string
  readonly scopes: string
  readonly organization_status: string
  readonly owner_status: string
  readonly hits: number | null
}

/** What a create is given. */
export interface Draft {
  readonly organizationId: string
  /** In tenge. */
  readonly amount: number
  readonly description?: string | undefined
  readonly externalOrderId?: string | undefined
  readonly customer?:
    | {
        readonly name?: string | undefined
        readonly phone?: string | undefined
        readonly email?: string | undefined
      }
    | undefined
  /** JSON text. */
  readonly metadata: string | null
  readonly idempotencyKey: string | null
  readonly fingerprint: string | null
}

/** The columns of an invoice that creates, reads and answers need. */
export interface InvoiceRow {
  readonly id: string
  readonly organization_id: string
  readonly mode: string
  readonly kind: string
  readonly status: string
  readonly amount: number
  readonly refunded: number
  readonly description: string | null
  readonly external_order_id: string | null
  readonly customer_name: string | null
  readonly customer_phone: string | null
  readonly customer_email: string | null
  readonly metadata: string | null
  readonly idempotency_key: string | null
  readonly fingerprint: string | null
  readonly provider_status: string | null
  readonly provider_receipt_url: string | null
  readonly receipt_number: string | null
  readonly qr_url: string | null
  readonly deep_link: string | null
  readonly expires_at: number | null
  readonly paid_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

/** The row of a sandbox create. */
export const newInvoice = (draft: Draft, now: number): InvoiceRow => {
  const id = newId("inv")
  return {
    id,
    organization_id: draft.organizationId,
    mode: "sandbox",
    kind: "qr",
    status: "pending",
    amount: Math.round(draft.amount * 100),
    refunded: 0,
    description: draft.description ?? null,
    external_order_id: draft.externalOrderId ?? null,
    customer_name: draft.customer?.name ?? null,
    customer_phone: draft.customer?.phone ?? null,
    customer_email: draft.customer?.email ?? null,
    metadata: draft.metadata,
    idempotency_key: draft.idempotencyKey,
    fingerprint: draft.fingerprint,
    provider_status: null,
    provider_receipt_url: null,
    receipt_number: null,
    qr_url: `http://localhost:3000/pay/${id}`,
    deep_link: `tolem-sandbox://pay/${id}`,
    expires_at: now + 180_000,
    paid_at: null,
    created_at: now,
    updated_at: now
  }
}

/** The daily totals of one organization are spread over as many rows, so that creates do not wait for each other. */
const shards = 32

/**
 * Inserts the invoice unless its idempotency key is taken, and where it was inserted its event and its part of the
 * daily totals: one statement, so one round trip and one transaction. Answers its id, or no row.
 */
export const insertion = (row: InvoiceRow): Query => {
  const { customer_name, customer_phone, customer_email, external_order_id, description } = row
  const searched = [row.id, external_order_id, description, customer_name, customer_phone, customer_email]
  return {
    name: "insertion",
    text: insertionText,
    values: [
      row.id,
      row.organization_id,
      row.amount,
      description,
      external_order_id,
      customer_name,
      customer_phone,
      customer_email,
      row.metadata,
      row.idempotency_key,
      row.fingerprint,
      row.qr_url,
      row.deep_link,
      row.expires_at,
      row.created_at,
      new Date(row.created_at + 5 * 3_600_000).toISOString().slice(0, 10),
      searched
        .filter((text) => text !== null)
        .join("\u001f")
        .toLowerCase(),
      newId("evt"),
      randomInt(shards)
    ]
  }
}

const insertionText = `with made as (
    insert into tolem_invoices (id, organization_id, mode, kind, status, amount, refunded, description,
      external_order_id, customer_name, customer_phone, customer_email, metadata, idempotency_key, fingerprint,
      qr_url, deep_link, expires_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
    values ($1, $2, 'sandbox', 'qr', 'pending', $3, 0, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13,
      $14::bigint, $15::bigint, $15::bigint, 0, $14::bigint, 1, 1, $16, $17)
    on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing
    returning id, organization_id, mode, status, day, amount, created_at
  ), event as (
    insert into tolem_events (invoice_id, sequence, id, organization_id, type, from_status, to_status, source,
      refunded, late, created_at)
    select id, 1, $18, organization_id, 'invoice.created', null, 'pending', 'api', 0, 0, created_at from made
  ), total as (
    insert into tolem_daily_totals as t (organization_id, mode, connection_id, status, day, shard, invoice_count,
      amount, refunded)
    select organization_id, mode, '', status, day, $19::bigint, 1, amount, 0 from made
    on conflict (organization_id, mode, connection_id, status, day, shard) do update set
      invoice_count = t.invoice_count + 1, amount = t.amount + excluded.amount
  )
  select id from made`

/** The invoice that holds an idempotency key. */
export const replay = (organizationId: string, idempotencyKey: string): Query => ({
  name: "replay",
  text: `select * from tolem_invoices
    where organization_id = $1 and mode = 'sandbox' and idempotency_key = $2`,
  values: [organizationId, idempotencyKey]
})

/** An invoice with its events and refunds as JSON, of any organization. */
export const reading = (id: string): Query => ({
  name: "reading",
  text: `select i.*,
      (select json_agg(e order by e.sequence) from tolem_events e where e.invoice_id = i.id) as events,
      (select json_agg(r order by r.created_at, r.id) from tolem_refunds r where r.invoice_id = i.id) as refunds
    from tolem_invoices i where i.id = $1`,
  values: [id]
})

/** SHA-256, hexadecimal. */
export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex")
