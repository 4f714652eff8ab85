/** Letters: when they are tried again, and how many may leave. Durations are milliseconds. */
import type { Effect } from "effect"
import { type SandboxSettings, sandboxDefaults } from "../time/SandboxSettings.ts"
import { minutes, seconds, shareOf } from "../value/CommonSettings.ts"

/** The settings of letters. */
export interface MailSettings extends SandboxSettings {
  readonly mail: {
    /** Waits before a letter is handed over again that was not taken; their number is the number of retries. */
    readonly retryWaitsMs: ReadonlyArray<number>
    readonly pollMs: number
    readonly leaseMs: number
    readonly concurrency: number
    /** Letters of an organization and mode in a day of Almaty that are sent; the others are kept. Null: any number. */
    readonly perDay: number | null
  }
}

/** Their defaults. */
export const mailDefaults: MailSettings = {
  ...sandboxDefaults,
  mail: {
    retryWaitsMs: [1, 5, 15, 60, 240].map((wait) => wait * minutes),
    pollMs: 2 * seconds,
    leaseMs: 90 * seconds,
    concurrency: 8,
    perDay: null
  }
}

/** Those in force. */
export const MailSettings: Effect.Effect<MailSettings> = shareOf(mailDefaults)
