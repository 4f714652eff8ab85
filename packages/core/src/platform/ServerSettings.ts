/** Whether a server tells of itself in the database, and how often. */
import type { Effect } from "effect"
import { type CommonSettings, commonDefaults, hours, seconds, shareOf } from "../value/CommonSettings.ts"

/** The settings of the rows that servers keep of themselves. Durations are milliseconds. */
export interface ServerSettings extends CommonSettings {
  readonly servers: {
    /** Whether this one keeps a row: servers do, an application that embeds the engine may. */
    readonly isTold: boolean
    /** How often a row is written. The same at all servers: it says when one is silent. */
    readonly everyMs: number
    /** How long the row of one that has ended, or is silent, is kept. */
    readonly keptMs: number
    /** The version that is told; null: none. */
    readonly version: string | null
  }
}

/** Their defaults. */
export const serverDefaults: ServerSettings = {
  ...commonDefaults,
  // As often as the figures of the storage are read. A day: what has ended at night is seen in the morning.
  servers: { isTold: false, everyMs: 15 * seconds, keptMs: 24 * hours, version: null }
}

/** Those in force. */
export const ServerSettings: Effect.Effect<ServerSettings> = shareOf(serverDefaults)
