/**
 * Invoices: their bounds, how long they live, and when the provider is asked about live ones. Durations are
 * milliseconds.
 */
import type { Effect } from "effect"
import { type MailSettings, mailDefaults } from "../mail/MailSettings.ts"
import { hours, minutes, seconds, shareOf } from "../value/CommonSettings.ts"
import { Tiyn } from "../value/Money.ts"
import type { CallLimits } from "./live/CallBudget.ts"
import type { Origin } from "./Origin.ts"

/** Ask every `everyMs` until `untilMs` after the beginning. */
export interface PollInterval {
  readonly untilMs: number
  readonly everyMs: number
}

/** The settings of invoices, beside those of their letters. */
export interface InvoiceSettings extends MailSettings {
  readonly amount: {
    readonly min: Tiyn
    readonly maxQr: Tiyn
    readonly maxPhone: Tiyn
  }
  /** How long a QR can be scanned. */
  readonly qrWindowMs: number
  /** How long a pushed invoice waits in the customer's app. */
  readonly phoneWindowMs: number
  /** How long an invoice waits to be made at the provider, by what it was made for; then it expires. */
  readonly waitingMs: { readonly [Kind in Origin["kind"]]: number }
  /** Open pages that wait for changes of their invoices. */
  readonly watching: {
    /** Pages that may wait on a server, and those of one visitor, who may be all customers behind one address. */
    readonly all: number
    readonly ofVisitor: number
    /** How often is looked for changes while pages wait, hints aside, and the shortest time between two looks. */
    readonly pollMs: number
    readonly restMs: number
    /** How long a page may hold one request: that of a stream, and a single question. */
    readonly holdMs: number
    readonly waitMs: number
    /** How often a stream says that it is still there. */
    readonly beatMs: number
  }
  /** Codes that a customer can have made one after another, where those before ended without money. */
  readonly maxSuccessors: number
  readonly maxBulk: number
  /** What one request of the cabinet looks at, of an organization's invoices: so many rows, newest first. */
  readonly rowsPerLook: number
  /** How far a list of the cabinet is counted whose number is not kept. */
  readonly maxCounted: number
  /** Of the text as sent, UTF-8. */
  readonly maxMetadataBytes: number
  /** Live invoices: when and how often the provider is asked. */
  readonly live: {
    /** How often open invoices are asked about, by the time since they were created. */
    readonly openIntervals: ReadonlyArray<PollInterval>
    /** The same for expired and cancelled ones, by the time since they were closed. */
    readonly closedIntervals: ReadonlyArray<PollInterval>
    /** How long late money is expected after expiry or cancellation. */
    readonly lateMs: number
    /** Looks at paid invoices, after the payment: for refunds that were made elsewhere. */
    readonly paidCheckDelaysMs: ReadonlyArray<number>
    /** When unanswered refunds are looked at, after they were begun. */
    readonly refundCheckDelaysMs: ReadonlyArray<number>
    /** A create or refund that the provider does not know by then was never taken. */
    readonly abandonedAfterMs: number
    /** How long to wait with a cashier who has to log in again. */
    readonly sessionLostMs: number
    readonly calls: CallLimits
  }
}

/** Their defaults. */
export const invoiceDefaults: InvoiceSettings = {
  ...mailDefaults,
  amount: { min: Tiyn(100), maxQr: Tiyn(9_999_999_999), maxPhone: Tiyn(9_999_999_900) },
  qrWindowMs: 3 * minutes,
  phoneWindowMs: 24 * hours,
  // A week for who is asked by letter, a day for who has just made it (decided here: the specification is silent).
  waitingMs: {
    subscription: 7 * 24 * hours,
    "payment-link": 24 * hours,
    "form-hook": 24 * hours,
    transaction: 24 * hours
  },
  watching: {
    // Half of the connections that a server takes. A mobile carrier or a market hall has hundreds behind one address.
    all: 5_000,
    ofVisitor: 500,
    // A payment is told within 0.3 s also if no hint comes.
    pollMs: 250,
    restMs: 25,
    // A phone that is gone without a word holds its place no longer.
    holdMs: 5 * minutes,
    // Below the 30 seconds after which proxies commonly give a silent connection up.
    waitMs: 20 * seconds,
    beatMs: 15 * seconds
  },
  // An hour of trying again; each costs some look-ups of those before.
  maxSuccessors: 20,
  maxBulk: 100,
  // Less than 50 ms each on one core, of an organization with a million.
  rowsPerLook: 25_000,
  maxCounted: 10_000,
  maxMetadataBytes: 16 * 1024,
  live: {
    openIntervals: [
      { untilMs: 10 * minutes, everyMs: 3 * seconds },
      { untilMs: 1 * hours, everyMs: 10 * seconds },
      { untilMs: 24 * hours, everyMs: 30 * seconds }
    ],
    closedIntervals: [
      { untilMs: 1 * minutes, everyMs: 3 * seconds },
      { untilMs: 10 * minutes, everyMs: 15 * seconds },
      { untilMs: 1 * hours, everyMs: 1 * minutes },
      { untilMs: 6 * hours, everyMs: 5 * minutes },
      { untilMs: 24 * hours, everyMs: 15 * minutes }
    ],
    lateMs: 24 * hours,
    paidCheckDelaysMs: [1 * hours, 24 * hours, 3 * 24 * hours, 7 * 24 * hours],
    refundCheckDelaysMs: [5 * minutes, 1 * hours, ...[1, 2, 3, 4, 5].map((day) => day * 24 * hours)],
    abandonedAfterMs: 1 * minutes,
    sessionLostMs: 1 * minutes,
    calls: {
      callsPerSecond: 5_000,
      callsPerSecondOfCashier: 100,
      callsAtOnce: 2_048,
      callsAtOnceOfCashier: 64
    }
  }
}

/** Those in force. */
export const InvoiceSettings: Effect.Effect<InvoiceSettings> = shareOf(invoiceDefaults)
