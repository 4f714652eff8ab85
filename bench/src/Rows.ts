/** The rows of one create, written by hand with `node:sqlite`: what the peers do. */
import { randomBytes } from "node:crypto"
import type { DatabaseSync } from "node:sqlite"

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz"

/** A sortable identifier, as cheap as one can make it. */
export const newId = (prefix: string): string => {
  let text = `${prefix}_${Date.now().toString(36).padStart(10, "0")}`
  for (const byte of randomBytes(16)) text += alphabet[byte & 31]
  return text
}

/** Prepared statements that write an invoice, its event, its total, and the deliveries of a create: none. */
export const makeInsert = (db: DatabaseSync, organizationId: string) => {
  const invoice = db.prepare(`insert into tolem_invoices (id, organization_id, mode, kind, status, amount, refunded,
    description, external_order_id, customer_phone, metadata, idempotency_key, fingerprint, qr_url, deep_link,
    expires_at, created_at, updated_at, late, due_at, sequence, version, day, search_text)
    values (?, ?, 'sandbox', 'qr', 'pending', ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?, 1, 1, ?, ?)
    on conflict (organization_id, mode, idempotency_key) where idempotency_key is not null do nothing`)
  const event = db.prepare(`insert into tolem_events (invoice_id, sequence, id, organization_id, type, from_status,
    to_status, source, refunded, late, created_at)
    values (?, 1, ?, ?, 'invoice.created', null, 'pending', 'api', 0, 0, ?)`)
  const total = db.prepare(`insert into tolem_daily_totals (organization_id, mode, connection_id, status, day, shard,
    invoice_count, amount, refunded) values (?, 'sandbox', '', 'pending', ?, 0, 1, ?, 0)
    on conflict (organization_id, mode, connection_id, status, day, shard)
    do update set invoice_count = invoice_count + 1, amount = amount + excluded.amount`)
  return (draft: {
    readonly amount: number
    readonly description: string
    readonly externalOrderId: string
    readonly phone: string
    readonly metadata: string
    readonly key: string
    readonly fingerprint: string
  }): { readonly id: string; readonly created: boolean; readonly now: number } => {
    const now = Date.now()
    const invoiceId = newId("inv")
    const day = new Date(now + 5 * 3_600_000).toISOString().slice(0, 10)
    const tiyn = BigInt(Math.round(draft.amount * 100))
    const url = `http://localhost:3000/pay/${invoiceId}`
    const at = BigInt(now)
    const search = `${invoiceId}\n${draft.externalOrderId}\n${draft.description}\n${draft.phone}`.toLowerCase()
    const { changes } = invoice.run(
      invoiceId,
      organizationId,
      tiyn,
      draft.description,
      draft.externalOrderId,
      draft.phone,
      draft.metadata,
      draft.key,
      draft.fingerprint,
      url,
      `tolem-sandbox://pay/${invoiceId}`,
      at + 180_000n,
      at,
      at,
      at + 180_000n,
      day,
      search
    )
    if (Number(changes) === 0) return { id: invoiceId, created: false, now }
    event.run(invoiceId, newId("evt"), organizationId, at)
    total.run(organizationId, day, tiyn)
    return { id: invoiceId, created: true, now }
  }
}
