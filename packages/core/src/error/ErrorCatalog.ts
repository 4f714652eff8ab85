/**
 * The error catalogue: every code that an answer can carry, with its HTTP status, whether the same request may be sent
 * again later, and its text in Kazakh, Russian and English. Codes are stable, texts are not (interface specification,
 * Errors). The table in the documentation is generated from it.
 */
import type { CatalogEntry } from "./CatalogEntry.ts"
import { invoices } from "./InvoiceErrors.ts"
import { merchants } from "./MerchantErrors.ts"
import { requests } from "./RequestErrors.ts"

/** Every code with its row. */
export const catalog = { ...requests, ...invoices, ...merchants }

/** A code of the catalogue. */
export type Code = keyof typeof catalog

/** The row of a code. */
export const entry = (code: Code): CatalogEntry => catalog[code]

/** Whether a text is a code of the catalogue. */
export const isCode = (text: string): text is Code => Object.hasOwn(catalog, text)
