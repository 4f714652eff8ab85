/**
 * The error catalogue: every code that an answer can carry, with its HTTP status, whether the same request may be sent
 * again later, and its text in Kazakh, Russian and English. Codes are stable, texts are not (interface specification,
 * Errors). The table in the documentation is generated from it.
 */
import type { CatalogEntry } from "./CatalogEntry.ts"
import { console } from "./ConsoleErrors.ts"
import { invoices } from "./InvoiceErrors.ts"
import { merchants } from "./MerchantErrors.ts"
import { organizations } from "./OrganizationErrors.ts"
import { requests } from "./RequestErrors.ts"

/** Every code with its row. */
export const catalog = { ...requests, ...invoices, ...merchants, ...organizations, ...console }

/** A code of the catalogue. */
export type Code = keyof typeof catalog

/** The row of a code. */
export const entry = (code: Code): CatalogEntry => catalog[code]

/**
 * The member of a request that a refusal with this code is about, by its own name, as `amount` or `externalOrderId`;
 * null if the code names none.
 */
export const fieldOf = (code: Code): string | null => {
  if (code in fields) return fields[code] ?? null
  const [, name] = /^invalid_(.+)$/.exec(code) ?? []
  return name?.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) ?? null
}

// Those whose names do not tell, or tell of more than a member.
const fields: Partial<Record<Code, string | null>> = {
  amount_too_small: "amount",
  amount_too_large: "amount",
  amount_must_be_whole_tenge: "amount",
  invalid_refund_amount: "amount",
  invalid_look_reason: "reason",
  invalid_payout_note: "note",
  phone_required: "phone",
  name_required: "name",
  email_required: "email",
  comment_required: "comment",
  cashier_number_rejected: "phone",
  slug_taken: "slug",
  webhook_url_requires_https: "url",
  webhook_url_requires_domain: "url",
  webhook_url_tunnel_forbidden: "url",
  invalid_url: null,
  invalid_json: null,
  invalid_request: null,
  invalid_api_key: null,
  invalid_duration: "byMs"
}

/** Whether a text is a code of the catalogue. */
export const isCode = (text: string): text is Code => Object.hasOwn(catalog, text)
