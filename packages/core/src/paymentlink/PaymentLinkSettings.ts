/** Payment links. Durations are milliseconds. */
import type { Effect } from "effect"
import { type InvoiceSettings, invoiceDefaults } from "../invoice/InvoiceSettings.ts"
import { minutes, shareOf } from "../value/CommonSettings.ts"

/** The settings of payment links, beside those of their invoices. */
export interface PaymentLinkSettings extends InvoiceSettings {
  /** Payment links, and form hooks, of an organization in one mode. */
  readonly maxPaymentLinks: number
  /** How long an invoice that was made shortly before its link closes can be paid at least. */
  readonly closingMs: number
  /** Of its places what one visitor may hold at once without having paid, as a part of one; see `PlaceShare.ts`. */
  readonly placesPart: number
  /** How long a visitor whose code ended unpaid leaves the last free place to others. */
  readonly placeRestMs: number
}

/** Their defaults. */
export const paymentLinkDefaults: PaymentLinkSettings = {
  ...invoiceDefaults,
  maxPaymentLinks: 100,
  // A code and some more after it; ticket shops keep a seat for 10 to 20 minutes.
  closingMs: 15 * minutes,
  placesPart: 1 / 20,
  // Long enough to load a page that said "Sold out" anew.
  placeRestMs: minutes
}

/** Those in force. */
export const PaymentLinkSettings: Effect.Effect<PaymentLinkSettings> = shareOf(paymentLinkDefaults)
