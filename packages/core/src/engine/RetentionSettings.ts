/** How long is kept what is of use for a time only. Durations are milliseconds. */
import type { Effect } from "effect"
import { type CommonSettings, commonDefaults, hours, minutes, shareOf } from "../value/CommonSettings.ts"

/**
 * The settings of what is removed by its age. Invoices, events, refunds and the audit log are never removed, what
 * sandboxes hold aside (`sandbox.keptMs`).
 */
export interface RetentionSettings extends CommonSettings {
  /** Null each: for ever. */
  readonly retention: {
    /** Attempts of deliveries, after they began; not longer than deliveries, which stay. */
    readonly attemptsMs: number | null
    /**
     * What was sent and answered in attempts, after they began; an hour at least, in which every attempt has ended. The
     * rest of the attempt stays.
     */
    readonly attemptBodiesMs: number | null
    /** Deliveries with their attempts, after they were delivered or given up. What is still to be sent stays. */
    readonly deliveriesMs: number | null
    /** Letters to customers, after they were sent, kept or given up: there is no text to keep, but an address. */
    readonly lettersMs: number | null
    /** Invitations, after the time to answer them has ended. */
    readonly invitationsMs: number
    /** Sessions, after they have ended by being idle. */
    readonly sessionsMs: number
    /** Counts of requests; two minutes at least, in which they are counted by servers whose clocks differ. */
    readonly ratesMs: number
  }
}

/** Their defaults. A server bounds the first four, see its flags; an application decides of its own database. */
export const retentionDefaults: RetentionSettings = {
  ...commonDefaults,
  retention: {
    attemptsMs: null,
    attemptBodiesMs: null,
    deliveriesMs: null,
    lettersMs: null,
    invitationsMs: 90 * 24 * hours,
    sessionsMs: 24 * hours,
    ratesMs: 10 * minutes
  }
}

/** Those in force. */
export const RetentionSettings: Effect.Effect<RetentionSettings> = shareOf(retentionDefaults)
