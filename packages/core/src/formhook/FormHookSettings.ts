/** Form hooks. Durations are milliseconds. */
import type { Effect } from "effect"
import { type InvoiceSettings, invoiceDefaults } from "../invoice/InvoiceSettings.ts"
import { shareOf } from "../value/CommonSettings.ts"

/** The settings of form hooks, beside those of their invoices. */
export interface FormHookSettings extends InvoiceSettings {
  /** See `maxPaymentLinks`. */
  readonly maxFormHooks: number
}

/** Their defaults. */
export const formHookDefaults: FormHookSettings = {
  ...invoiceDefaults,
  maxFormHooks: 100
}

/** Those in force. */
export const FormHookSettings: Effect.Effect<FormHookSettings> = shareOf(formHookDefaults)
