/** Subscriptions: when a run is late, missed, or tried again. Durations are milliseconds. */
import type { Effect } from "effect"
import { type InvoiceSettings, invoiceDefaults } from "../invoice/InvoiceSettings.ts"
import { hours, seconds, shareOf } from "../value/CommonSettings.ts"

/** The settings of subscriptions, beside those of their invoices. */
export interface SubscriptionSettings extends InvoiceSettings {
  readonly subscriptions: {
    /** A date is missed when it was not served for so long; until then its run is only late. */
    readonly missedAfterMs: number
    /** Waits before a run is tried again that the provider could not take; the last one repeats. */
    readonly faultWaitsMs: ReadonlyArray<number>
    /** How far ahead a first or next run may lie. */
    readonly maxAheadMs: number
  }
}

/** Their defaults. */
export const subscriptionDefaults: SubscriptionSettings = {
  ...invoiceDefaults,
  subscriptions: {
    missedAfterMs: 1 * hours,
    faultWaitsMs: [10, 30, 60, 300, 900, 1800, 3600].map((wait) => wait * seconds),
    maxAheadMs: 10 * 366 * 24 * hours
  }
}

/** Those in force. */
export const SubscriptionSettings: Effect.Effect<SubscriptionSettings> = shareOf(subscriptionDefaults)
