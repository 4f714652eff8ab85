/** The payment link as a row. */
import type { LinkStatus, PaymentLink } from "@tolem/core/paymentlink/PaymentLink"
import type { Mode } from "@tolem/core/value/Mode"
import { Tiyn } from "@tolem/core/value/Money"

/** Columns that batches carry, in order. */
export const columns = {
  id: "text",
  organization_id: "text",
  mode: "text",
  connection_id: "text",
  slug: "text",
  title: "text",
  description: "text",
  amount: "bigint",
  success_url: "text",
  fail_url: "text",
  status: "text",
  created_at: "bigint",
  updated_at: "bigint",
  version: "bigint"
} as const

/** A row as the database answers it. */
export interface PaymentLinkRow {
  readonly id: string
  readonly organization_id: string
  readonly mode: Mode
  readonly connection_id: string | null
  readonly slug: string
  readonly title: string
  readonly description: string | null
  readonly amount: number | null
  readonly success_url: string | null
  readonly fail_url: string | null
  readonly status: LinkStatus
  readonly created_at: number
  readonly updated_at: number
  readonly version: number
}

/** The row of a link. */
export const toRow = (link: PaymentLink): PaymentLinkRow => ({
  id: link.id,
  organization_id: link.organizationId,
  mode: link.mode,
  connection_id: link.connectionId,
  slug: link.slug,
  title: link.title,
  description: link.description,
  amount: link.amount,
  success_url: link.successUrl,
  fail_url: link.failUrl,
  status: link.status,
  created_at: link.createdAt,
  updated_at: link.updatedAt,
  version: link.version
})

/** The link of a row. */
export const fromRow = (row: PaymentLinkRow): PaymentLink => ({
  id: row.id,
  organizationId: row.organization_id,
  mode: row.mode,
  connectionId: row.connection_id,
  slug: row.slug,
  title: row.title,
  description: row.description,
  amount: row.amount === null ? null : Tiyn(row.amount),
  successUrl: row.success_url,
  failUrl: row.fail_url,
  status: row.status,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  version: row.version
})
