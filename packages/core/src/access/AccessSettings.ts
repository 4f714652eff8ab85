/** How often callers may come, and how much memory they may take. Durations are milliseconds. */
import type { Effect } from "effect"
import { type CommonSettings, commonDefaults, seconds, shareOf } from "../value/CommonSettings.ts"

/** The settings of rates and of visitors. */
export interface AccessSettings extends CommonSettings {
  readonly readsPerMinute: number
  readonly writesPerMinute: number
  /** Public pages, per address of the visitor, over all servers of the database. */
  readonly pagesPerMinute: number
  /** Strangers, who are counted by their addresses: of IPv6 by its first 64 bits. */
  readonly visitors: {
    /** How often the pages that a visitor has open may ask for their status; each server counts for itself. */
    readonly statusesPerMinute: number
    /**
     * Invoices that a visitor may have made at all links and hooks, and that all may have made at one of those, and at
     * all of one organization in one mode. Of the latter two a visitor may have the next one while `freePerInvoice`
     * places of the minute are free for each that they had before.
     */
    readonly invoicesPerMinute: number
    readonly invoicesOfOnePerMinute: number
    readonly invoicesOfOrganizationPerMinute: number
    readonly freePerInvoice: number
    /** Codes that a visitor may have made for waiting invoices, and that all may have made for one of them. */
    readonly codesPerMinute: number
    readonly codesOfOnePerMinute: number
    /** For all visitors of unknown address together, as in an application that does not tell addresses. */
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
}

const visitorInvoices = {
  invoicesPerMinute: 10,
  invoicesOfOnePerMinute: 60,
  // As many as a key may make: a bucket of their own, which no key draws from.
  invoicesOfOrganizationPerMinute: 200,
  // As with the places of webhooks: of 50 visitors who want everything each has four, and places are left for others.
  freePerInvoice: 4
}

// As many as pages are viewed. One that a provider refuses is asked for some times more, not all the time.
const visitorCodes = { codesPerMinute: 120, codesOfOnePerMinute: 10 }

/** Their defaults. */
export const accessDefaults: AccessSettings = {
  ...commonDefaults,
  readsPerMinute: 600,
  writesPerMinute: 200,
  pagesPerMinute: 120,
  // A page that cannot be held asks every 2.5 seconds: 6 000 are 250 customers behind one address. 100 000 counters are
  // some ten megabytes.
  // No customer pays every six seconds; a shop that sells once in a second has a till of its own.
  visitors: {
    ...visitorInvoices,
    ...visitorCodes,
    statusesPerMinute: 6_000,
    unknownPerMinute: 6_000,
    maxCounted: 100_000,
    waitMs: 1_000
  },
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
  }
}

/** Those in force. */
export const AccessSettings: Effect.Effect<AccessSettings> = shareOf(accessDefaults)
