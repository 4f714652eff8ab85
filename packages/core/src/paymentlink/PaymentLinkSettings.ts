/** Payment links. Durations are milliseconds. */
import type { Effect } from "effect"
import { type InvoiceSettings, invoiceDefaults } from "../invoice/InvoiceSettings.ts"
import { shareOf } from "../value/CommonSettings.ts"

/** The settings of payment links, beside those of their invoices. */
export interface PaymentLinkSettings extends InvoiceSettings {
  /** Payment links, and form hooks, of an organization in one mode. */
  readonly maxPaymentLinks: number
}

/** Their defaults. */
export const paymentLinkDefaults: PaymentLinkSettings = {
  ...invoiceDefaults,
  maxPaymentLinks: 100
}

/** Those in force. */
export const PaymentLinkSettings: Effect.Effect<PaymentLinkSettings> = shareOf(paymentLinkDefaults)
