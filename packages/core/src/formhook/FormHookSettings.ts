/** Form hooks. Durations are milliseconds. */
import type { Effect } from "effect"
import { type InvoiceSettings, invoiceDefaults } from "../invoice/InvoiceSettings.ts"
import { hours, seconds, shareOf } from "../value/CommonSettings.ts"

/** The settings of form hooks, beside those of their invoices. */
export interface FormHookSettings extends InvoiceSettings {
  /** See `maxPaymentLinks`. */
  readonly maxFormHooks: number
  /** The log of forms that hooks have refused. */
  readonly formRefusals: {
    /** How long they are shown. They are removed within two days afterwards. */
    readonly keptMs: number
    /** Forms of a hook and reason that are kept; 0: none are logged. */
    readonly perReason: number
    /** How long they are gathered before they are written. */
    readonly gatherMs: number
    /** Forms that a server holds until then, shared fairly by hooks; others are counted only. */
    readonly maxGathered: number
    /** Hooks and reasons that a server counts until then. */
    readonly maxCounted: number
  }
}

/** Their defaults. */
export const formHookDefaults: FormHookSettings = {
  ...invoiceDefaults,
  maxFormHooks: 100,
  // Of some thirty reasons: at most 600 rows of some 200 bytes, whatever is sent to the hook. A flood for one reason
  // pushes out nothing that was refused for another.
  formRefusals: { keptMs: 7 * 24 * hours, perReason: 20, gatherMs: 1 * seconds, maxGathered: 2_000, maxCounted: 2_000 }
}

/** Those in force. */
export const FormHookSettings: Effect.Effect<FormHookSettings> = shareOf(formHookDefaults)
