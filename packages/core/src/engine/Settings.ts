/**
 * Every number of the engine that a deployment may want to change, with its default. Durations are milliseconds.
 * The defaults are those of the interface specification, or of the decision named beside each.
 */
import { Context } from "effect"
import type { Limits } from "../invoice/live/CallBudget.ts"
import type { Origin } from "../invoice/Origin.ts"
import type { CodeLimits } from "../login/Challenge.ts"
import type { SessionLimits } from "../login/Session.ts"
import { type Tariff, tariffOf } from "../tariff/Tariff.ts"
import type { Mode } from "../value/Mode.ts"
import { Tiyn } from "../value/Money.ts"
import { type WebhookSettings, webhook } from "../webhook/WebhookSettings.ts"

/** Ask every `everyMs` until `untilMs` after the beginning. */
export interface Rung {
  readonly untilMs: number
  readonly everyMs: number
}

/** See the file's head. */
export interface Settings {
  /** Address that customers reach the service at, without a trailing slash; pay pages and receipts live under it. */
  readonly baseUrl: string
  /** Keys of an organization and mode: rates are counted by key, so that keys without a bound would be no bound. */
  readonly maxKeys: number
  /** How often uses of keys are written, which are kept to the minute. */
  readonly keyUsesMs: number
  readonly readsPerMinute: number
  readonly writesPerMinute: number
  /** Public pages, per address of the visitor, over all servers of the database. */
  readonly pagesPerMinute: number
  /** Strangers, who are counted by their addresses: of IPv6 by its first 64 bits. */
  readonly visitors: {
    /** How often the pages that a visitor has open may ask for their status; each server counts for itself. */
    readonly statusesPerMinute: number
    /** Invoices that a visitor may have made at all links and hooks, and that all may have made at one of those. */
    readonly invoicesPerMinute: number
    readonly invoicesOfOnePerMinute: number
    /** For all visitors together whose addresses nobody knows, as within an application that does not tell them. */
    readonly unknownPerMinute: number
    /** Subjects that a server counts in a minute; what comes beyond is counted in its memory only. */
    readonly maxCounted: number
    /** How long the storage may take to count; then the server counts by itself. */
    readonly waitMs: number
  }
  /** Lines of the log in a second for each kind of refusal, as a bad key; the others are counted. */
  readonly refusalLinesPerSecond: number
  /** Memory that large requests and answers share, on each server. */
  readonly room: {
    /** For answers, from before they are made until they are sent. */
    readonly answerBytes: number
    /** For bodies of requests, from before they are read until they are answered. */
    readonly bodyBytes: number
    /** Of both, what all together may take who have shown no key: a part of one, kept apart from the rest. */
    readonly strangersPart: number
    /** What is no larger takes no room. */
    readonly smallBytes: number
    /** How long a request waits for room; then it is refused as `service_unavailable`. */
    readonly waitMs: number
    /** Requests that may wait for room; the next one is refused at once. */
    readonly maxWaiting: number
  }
  readonly amount: {
    readonly min: Tiyn
    readonly maxQr: Tiyn
    readonly maxPhone: Tiyn
  }
  /** How long a QR can be scanned. */
  readonly qrWindowMs: number
  /** How long a pushed invoice waits in the customer's app. */
  readonly phoneWindowMs: number
  /** How long an invoice waits for its page to be opened, by what it was made for; then it expires. */
  readonly waitingMs: { readonly [Kind in Origin["kind"]]: number }
  readonly maxBulk: number
  /** Payment links, and form hooks, of an organization in one mode. */
  readonly maxPaymentLinks: number
  /** See `maxPaymentLinks`. */
  readonly maxFormHooks: number
  readonly defaultPageSize: number
  readonly maxPageSize: number
  /** Of the text as sent, UTF-8. */
  readonly maxMetadataBytes: number
  readonly tariffs: {
    /** What there is to choose from. The first one is that of a new organization. */
    readonly catalogue: ReadonlyArray<Tariff>
    /** How long a new organization may try it for nothing. */
    readonly trialMs: number
    /** Of a payment for a tariff, to whoever has brought the merchant. */
    readonly referralPercent: number
    /** The operator's own organization, whose invoices tariffs are paid with; null: they cannot be bought. */
    readonly seller: { readonly organizationId: string; readonly mode: Mode } | null
    /** How long an order waits for its payment. */
    readonly orderMs: number
    readonly pollMs: number
  }
  /** What keeps a sandbox from growing without bounds; null each: no bound, as for an application's own sandbox. */
  readonly sandbox: {
    /** Invoices of an organization in a day of Almaty. */
    readonly invoicesPerDay: number | null
    /** How long what has not changed is kept. */
    readonly keptMs: number | null
    /** Addresses that letters of sandboxes may go to; the others are kept and never sent. */
    readonly mailTo: ReadonlyArray<string> | null
  }
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
  /** Live invoices: when and how often the provider is asked. */
  readonly live: {
    /** How often open invoices are asked about, by the time since they were created. */
    readonly openRungs: ReadonlyArray<Rung>
    /** The same for expired and cancelled ones, by the time since they were closed. */
    readonly closedRungs: ReadonlyArray<Rung>
    /** How long late money is expected after expiry or cancellation. */
    readonly lateMs: number
    /** Looks at paid invoices, after the payment: for refunds that were made elsewhere. */
    readonly paidLooksMs: ReadonlyArray<number>
    /** Looks at refunds that nobody answered, after they were begun. */
    readonly refundLooksMs: ReadonlyArray<number>
    /** A create or refund that the provider does not know by then was never taken. */
    readonly neverTakenMs: number
    /** How long to wait with a cashier who has to log in again. */
    readonly sessionLostMs: number
    readonly calls: Limits
  }
  readonly subscriptions: {
    /** A date is missed when nobody has served it for so long; until then its run is only late. */
    readonly missedAfterMs: number
    /** Waits before a run is tried again that the provider could not take; the last one repeats. */
    readonly faultWaitsMs: ReadonlyArray<number>
    /** How far ahead a first or next run may lie. */
    readonly maxAheadMs: number
  }
  /** People who log in by a code that is sent to their phone. */
  readonly login: {
    /** How long a code lives. */
    readonly codeMs: number
    /** Codes that may be tried on one login, the right one included. */
    readonly maxTries: number
    readonly codes: CodeLimits
    readonly session: SessionLimits
    /** Live sessions that a person may have, as on so many devices: the next login ends the oldest (ASVS 7.1.2). */
    readonly maxSessions: number
    /** How long a session is kept after its end. */
    readonly keptMs: number
  }
  readonly mail: {
    /** Waits before a letter is handed over again that was not taken; their number is the number of retries. */
    readonly retryWaitsMs: ReadonlyArray<number>
    readonly pollMs: number
    readonly leaseMs: number
    readonly concurrency: number
    /** Letters of an organization and mode in a day of Almaty that are sent; the others are kept. Null: any number. */
    readonly perDay: number | null
  }
  readonly webhook: WebhookSettings
}

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

const visitorInvoices = { invoicesPerMinute: 10, invoicesOfOnePerMinute: 60 }

/** The settings of a service that nobody has configured. */
export const defaults: Settings = {
  baseUrl: "http://localhost:3000",
  maxKeys: 20,
  keyUsesMs: 10 * seconds,
  readsPerMinute: 600,
  writesPerMinute: 200,
  pagesPerMinute: 120,
  // A page asks every 3 seconds: 600 are thirty open pages behind one address. 100 000 counters are some ten megabytes.
  // Nobody pays for something every six seconds; a shop that sells once in a second has a till of its own.
  visitors: { ...visitorInvoices, statusesPerMinute: 600, unknownPerMinute: 6_000, maxCounted: 100_000, waitMs: 1_000 },
  // Enough to see who does what; an attack of a day is 400 000 lines at most.
  refusalLinesPerSecond: 5,
  // A page of 200 invoices with the largest metadata is 4 megabytes, and takes several times that while it is made: a
  // quarter of Node's smallest usual heap. What is small, 16 kilobytes, is bounded by the number of connections.
  room: {
    answerBytes: 64 * 2 ** 20,
    bodyBytes: 32 * 2 ** 20,
    // A household has thousands of networks of its own, so that shares by network alone do not hold strangers off.
    strangersPart: 1 / 4,
    smallBytes: 16 * 1024,
    waitMs: 5 * seconds,
    maxWaiting: 1000
  },
  amount: { min: Tiyn(100), maxQr: Tiyn(9_999_999_999), maxPhone: Tiyn(9_999_999_900) },
  qrWindowMs: 3 * minutes,
  phoneWindowMs: 24 * hours,
  // A week for who is asked by letter, a day for who has just made it (decided here: the specification is silent).
  waitingMs: { subscription: 7 * 24 * hours, "payment-link": 24 * hours, "form-hook": 24 * hours },
  maxBulk: 100,
  maxPaymentLinks: 100,
  maxFormHooks: 100,
  defaultPageSize: 50,
  maxPageSize: 200,
  maxMetadataBytes: 16 * 1024,
  tariffs: {
    catalogue: [
      tariffOf("trial", "Trial", 100),
      tariffOf("start", "Start", 500, { priceTenge: 5_000 }),
      tariffOf("business", "Business", 5_000, { priceTenge: 15_000 }),
      tariffOf("scale", "Scale", 50_000, { priceTenge: 60_000 }),
      tariffOf("partner", "Partner", 50_000, { priceTenge: 90_000, partner: true })
    ],
    trialMs: 7 * 24 * hours,
    referralPercent: 20,
    seller: null,
    orderMs: 40 * 24 * hours,
    pollMs: 1 * seconds
  },
  sandbox: { invoicesPerDay: null, keptMs: null, mailTo: null },
  // SQLite holds the event loop while it writes: for 128 times 16 KiB, the most that metadata may have, 15 ms and more.
  batch: { maxSize: 128, maxBytes: 256 * 1024, writers: 1, capacity: 20_000 },
  watcher: { pollMs: 250, leaseMs: 20 * seconds, batchSize: 256 },
  live: {
    openRungs: [
      { untilMs: 10 * minutes, everyMs: 3 * seconds },
      { untilMs: 1 * hours, everyMs: 10 * seconds },
      { untilMs: 24 * hours, everyMs: 30 * seconds }
    ],
    closedRungs: [
      { untilMs: 1 * minutes, everyMs: 3 * seconds },
      { untilMs: 10 * minutes, everyMs: 15 * seconds },
      { untilMs: 1 * hours, everyMs: 1 * minutes },
      { untilMs: 6 * hours, everyMs: 5 * minutes },
      { untilMs: 24 * hours, everyMs: 15 * minutes }
    ],
    lateMs: 24 * hours,
    paidLooksMs: [1 * hours, 24 * hours, 3 * 24 * hours, 7 * 24 * hours],
    refundLooksMs: [5 * minutes, 1 * hours, ...[1, 2, 3, 4, 5].map((day) => day * 24 * hours)],
    neverTakenMs: 1 * minutes,
    sessionLostMs: 1 * minutes,
    calls: {
      callsPerSecond: 5_000,
      callsPerSecondOfCashier: 100,
      callsAtOnce: 2_048,
      callsAtOnceOfCashier: 64
    }
  },
  subscriptions: {
    missedAfterMs: 1 * hours,
    faultWaitsMs: [10, 30, 60, 300, 900, 1800, 3600].map((wait) => wait * seconds),
    maxAheadMs: 10 * 366 * 24 * hours
  },
  login: {
    codeMs: 5 * minutes,
    maxTries: 5,
    codes: { waitMs: 60 * seconds, perPhone: 10, perAddress: 30, periodMs: 24 * hours },
    session: { idleMs: 7 * 24 * hours, maxMs: 30 * 24 * hours, touchMs: 1 * minutes },
    maxSessions: 10,
    keptMs: 24 * hours
  },
  mail: {
    retryWaitsMs: [1, 5, 15, 60, 240].map((wait) => wait * minutes),
    pollMs: 2 * seconds,
    leaseMs: 90 * seconds,
    concurrency: 8,
    perDay: null
  },
  webhook
}

/** The settings in force; the defaults where none are provided. */
export const Settings = Context.Reference<Settings>("@tolem/core/Settings", { defaultValue: () => defaults })
