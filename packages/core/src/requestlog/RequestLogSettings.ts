/** How much of the requests is kept, and how it is written. Durations are milliseconds. */
import type { Effect } from "effect"
import { type CommonSettings, commonDefaults, hours, seconds, shareOf } from "../value/CommonSettings.ts"

/** The settings of the request log. */
export interface RequestLogSettings extends CommonSettings {
  readonly requestLog: {
    /** How long requests are shown. They are removed some two hours later. */
    readonly keptMs: number
    /** Requests of an organization, mode and hour that are kept, and as many that were refused; 0: none are logged. */
    readonly perHour: number
    /** How long requests are gathered before they are written. */
    readonly gatherMs: number
    /** Requests that a server holds until then, shared fairly by organizations; others are counted only. */
    readonly maxGathered: number
    /** Organizations and hours that a server counts until then. */
    readonly maxCounted: number
  }
}

/** Their defaults. */
export const requestLogDefaults: RequestLogSettings = {
  ...commonDefaults,
  // At most 25 hours of 200 rows of some 200 bytes: a megabyte of an organization and mode, whatever it asks. Refusals
  // have places of their own, or a busy hour would push out what is looked for.
  requestLog: { keptMs: 24 * hours, perHour: 100, gatherMs: 1 * seconds, maxGathered: 10_000, maxCounted: 10_000 }
}

/** Those in force. */
export const RequestLogSettings: Effect.Effect<RequestLogSettings> = shareOf(requestLogDefaults)
