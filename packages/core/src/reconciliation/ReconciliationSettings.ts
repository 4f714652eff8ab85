/** Reconciliation with the provider's own list: when days are compared, and its bounds. Durations are milliseconds. */
import type { Effect } from "effect"
import { type CommonSettings, commonDefaults, hours, minutes, seconds, shareOf } from "../value/CommonSettings.ts"

/** The settings of reconciliation. */
export interface ReconciliationSettings extends CommonSettings {
  readonly reconciliation: {
    /** How often is looked for days that are to be compared. */
    readonly pollMs: number
    /** How long the comparison of a day may take. */
    readonly leaseMs: number
    /** Days that are compared at once by a server: of one organization half of them at most. */
    readonly atOnce: number
    /** How long after its end a day is compared: what was under way at midnight is settled by then. */
    readonly restMs: number
    /** Waits before the retries of a day that could not be compared; their number is the number of retries. */
    readonly retryWaitsMs: ReadonlyArray<number>
    /** Waits before a page without an answer is asked for again. */
    readonly pageWaitsMs: ReadonlyArray<number>
    /** By how much ours are read before and after the day: clocks differ. */
    readonly marginMs: number
    /** How long before it was paid an invoice may have been made that only the provider's reference names. */
    readonly lookBackMs: number
    /** Operations that may wait for the other side at a moment, and differences of a day. */
    readonly maxUnmatched: number
    readonly maxDifferences: number
    /** How many days back a day may be asked for. */
    readonly maxAgeDays: number
  }
}

/** Their defaults. */
export const reconciliationDefaults: ReconciliationSettings = {
  ...commonDefaults,
  reconciliation: {
    pollMs: 1 * minutes,
    // 100,000 operations take less than a minute, and a provider may be slow.
    leaseMs: 10 * minutes,
    atOnce: 4,
    restMs: 2 * hours,
    retryWaitsMs: [1 * minutes, 5 * minutes, 15 * minutes, 1 * hours, 2 * hours, 4 * hours, 8 * hours],
    pageWaitsMs: [1 * seconds, 5 * seconds],
    // The provider's clock may be minutes behind ours.
    marginMs: 10 * minutes,
    // The longest wait for a page to be opened, and a day of late money.
    lookBackMs: 9 * 24 * hours,
    // Some 10 MB.
    maxUnmatched: 20_000,
    maxDifferences: 1_000,
    // More than a year, so that its first days can be compared while it is closed.
    maxAgeDays: 400
  }
}

/** Those in force. */
export const ReconciliationSettings: Effect.Effect<ReconciliationSettings> = shareOf(reconciliationDefaults)
