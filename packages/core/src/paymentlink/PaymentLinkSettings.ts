/** Payment links. Durations are milliseconds. */
import type { Effect } from "effect"
import { type InvoiceSettings, invoiceDefaults } from "../invoice/InvoiceSettings.ts"
import { minutes, shareOf } from "../value/CommonSettings.ts"

/** The settings of payment links, beside those of their invoices. */
export interface PaymentLinkSettings extends InvoiceSettings {
  /** Payment links, and form hooks, of an organization in one mode. */
  readonly maxPaymentLinks: number
  /** How long an unpaid invoice holds a place of a link that takes so many payments only. */
  readonly placeMs: number
}

/** Their defaults. */
export const paymentLinkDefaults: PaymentLinkSettings = {
  ...invoiceDefaults,
  maxPaymentLinks: 100,
  // A code and some more after it; ticket shops keep a seat for 10 to 20 minutes.
  placeMs: 15 * minutes
}

/** Those in force. */
export const PaymentLinkSettings: Effect.Effect<PaymentLinkSettings> = shareOf(paymentLinkDefaults)
