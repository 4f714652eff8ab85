/** The feed of events. Durations are milliseconds. */
import type { Effect } from "effect"
import { type InvoiceSettings, invoiceDefaults } from "../invoice/InvoiceSettings.ts"
import { retryWaitsMs, seconds, shareOf } from "../value/CommonSettings.ts"

/** Bounds of the feed. */
export interface FeedLimits {
  /** Events that a page looks at, however few of them are asked for. */
  readonly lookedAt: number
  /** Events that get their places in one write, and how many such writes a page waits for. */
  readonly placedAtOnce: number
  readonly writesOfPage: number
  /** The longest that a request may wait for something new. */
  readonly maxWaitMs: number
  /** How often is looked for something new while requests wait; one look serves all of a server. */
  readonly pollMs: number
  /** The shortest time between two looks, however many hints come. */
  readonly restMs: number
  /** Requests that may wait at once on a server: of one organization and mode, and of all. */
  readonly waitingOfTenant: number
  readonly waiting: number
  /** How often is looked for changes of what has no events while members listen, and whether they still may. */
  readonly thingsMs: number
  /** Streams of changes at once on a server: of one session, of one account, of one organization, and of all. */
  readonly streamsOfSession: number
  readonly streamsOfAccount: number
  readonly streamsOfOrganization: number
  readonly streams: number
}

/** Bounds of reactions, which are the application's own code that hears of events. */
export interface ReactionLimits {
  /** A handler's time; then its transaction is undone, and it is tried again. */
  readonly timeoutMs: number
  /** Waits before the retries; their number is the number of retries. */
  readonly retryWaitsMs: ReadonlyArray<number>
  /** Handlers at once of a process; each has a connection of the database meanwhile. */
  readonly atOnce: number
  /** How long a process may keep what it has claimed. */
  readonly leaseMs: number
  readonly pollMs: number
  /** By so much may the clocks of servers differ: a new consumer hears of what was made so shortly before it. */
  readonly skewMs: number
}

/** The settings of the feed, beside those of the invoices that it tells of. */
export interface FeedSettings extends InvoiceSettings {
  readonly feed: FeedLimits
  readonly reactions: ReactionLimits
}

/** Their defaults. */
export const feedDefaults: FeedSettings = {
  ...invoiceDefaults,
  feed: {
    // Some ten milliseconds of the database, as a list takes.
    lookedAt: 5_000,
    // SQLite holds the event loop while it writes: 500 are some ten milliseconds.
    placedAtOnce: 500,
    writesOfPage: 10,
    // Below the 30 seconds after which proxies commonly give a silent connection up.
    maxWaitMs: 20 * seconds,
    // A payment is told within 0.3 s also if no hint comes.
    pollMs: 200,
    restMs: 20,
    // A few readers of each of some systems of a merchant; what waits is a connection and a kilobyte.
    waitingOfTenant: 16,
    waiting: 1_000,
    // Told within half a second; a few milliseconds of the database for all of them.
    thingsMs: 300,
    // Some windows of a person on some devices, and the tills of a large shop.
    streamsOfSession: 8,
    streamsOfAccount: 24,
    streamsOfOrganization: 200,
    streams: 2_000
  },
  reactions: {
    // As long as a receiver of webhooks has; PostgreSQL ends transactions in which nothing happens after ten seconds.
    timeoutMs: 8 * seconds,
    retryWaitsMs,
    atOnce: 4,
    // SQLite has one transaction at a time: one more than all that are claimed may have to wait for.
    leaseMs: 60 * seconds,
    pollMs: 250,
    skewMs: 60 * seconds
  }
}

/** Those in force. */
export const FeedSettings: Effect.Effect<FeedSettings> = shareOf(feedDefaults)
