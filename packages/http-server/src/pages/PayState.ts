/** What a pay page has to tell. Pure. */

import { type Invoice, type InvoiceStatus, isLatePayable, isOpen } from "@tolem/core/invoice/Invoice"
import { isOnDemand } from "@tolem/core/invoice/live/CreationStages"

/**
 * What the customer sees of an invoice: its status, where an open one is `ready` (its code is made when they ask for
 * it), `preparing` (nothing to pay with yet), `scan` (a code or link), `app` (pushed into the customer's app),
 * `scanned` (they have opened either in their app) or `overdue` (its window has passed, the outcome is due).
 */
export type PayState =
  | Exclude<InvoiceStatus, "new" | "pending">
  | "ready"
  | "preparing"
  | "scan"
  | "app"
  | "scanned"
  | "overdue"

/** What the page of `invoice` tells at `now`, milliseconds. */
export const stateOf = (invoice: Invoice, now: number): PayState => {
  const { status, kind, qrUrl, deepLink, expiresAt, scannedAt } = invoice
  if (status !== "new" && status !== "pending") return status
  if (status === "new") return isOnDemand(invoice) ? "ready" : "preparing"
  if (expiresAt !== null && expiresAt <= now) return "overdue"
  if (scannedAt !== null) return "scanned"
  if (kind === "phone") return "app"
  return qrUrl === null && deepLink === null ? "preparing" : "scan"
}

/** Whether something may yet happen to it that its page shows. */
export const isWatched = (invoice: Invoice): boolean => pollMsOf(invoice) !== null

/**
 * What the page shows of an invoice, as a word: another one means that the page is to be loaded anew. New parts come at
 * the end, and once said they stay said: a page takes no notice of a server that does not say them yet.
 */
export const seenOf = ({ status, expiresAt, refunded, scannedAt }: Invoice): string =>
  [status, expiresAt ?? "none", refunded, ...(scannedAt === null ? [] : ["scanned"])].join("-")

/** How often the page asks for the status, milliseconds; null: it is final. */
export const pollMsOf = ({ status }: Invoice): number | null =>
  isOpen(status) ? 2500 : isLatePayable(status) ? 10_000 : null

/** What can become of a payment in the sandbox. `late`: its time runs out, and the money comes all the same. */
export const sandboxOutcomes = ["paid", "failed", "expired", "late"] as const
/** See the list of the same name. */
export type SandboxOutcome = (typeof sandboxOutcomes)[number]
