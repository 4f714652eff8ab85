/**
 * Settings: one service, of which each feature sees the share that it names. Provide the whole, `Settings` of
 * `engine/`; a share is only read. Durations are milliseconds.
 */
import { Context, type Effect } from "effect"

/** The key of the one service behind all shares. */
export const settingsKey = "@tolem/core/Settings"

/** A share of the settings in force; `defaults` where none are provided. */
export const shareOf = <Share>(defaults: Share): Effect.Effect<Share> =>
  Context.Reference<Share>(settingsKey, { defaultValue: () => defaults })

/** Milliseconds of a second. */
export const seconds = 1000
/** Milliseconds of a minute. */
export const minutes = 60 * seconds
/** Milliseconds of an hour. */
export const hours = 60 * minutes

/** Waits before the retries of whatever is told to others; their number is the number of retries. */
export const retryWaitsMs: ReadonlyArray<number> = [10, 20, 30, 60, 90, 120, 300, 600, 900, 1800, 3600].map(
  (wait) => wait * seconds
)

/** What all features need. */
export interface CommonSettings {
  /** Address that customers reach the service at, without a trailing slash; pay pages and receipts live under it. */
  readonly baseUrl: string
  readonly defaultPageSize: number
  readonly maxPageSize: number
  /** Writes that concurrent calls share: items of one write, writes at once, calls that may wait (half of one's). */
  readonly batch: {
    readonly maxSize: number
    /** Bytes of metadata of one write, and of a bulk request that is worked through before others have a turn. */
    readonly maxBytes: number
    readonly writers: number
    readonly capacity: number
  }
  readonly watcher: {
    readonly pollMs: number
    readonly leaseMs: number
    readonly batchSize: number
  }
}

/** Their defaults. */
export const commonDefaults: CommonSettings = {
  baseUrl: "http://localhost:3000",
  defaultPageSize: 50,
  maxPageSize: 200,
  // SQLite holds the event loop while it writes: for 128 times 16 KiB, the most that metadata may have, 15 ms and more.
  batch: { maxSize: 128, maxBytes: 256 * 1024, writers: 1, capacity: 20_000 },
  watcher: { pollMs: 250, leaseMs: 20 * seconds, batchSize: 256 }
}
