/**
 * Every number of the engine that a deployment may want to change, with its default. Durations are milliseconds.
 * The defaults are those of the interface specification, or of the decision named beside each.
 */
import { Context } from "effect"
import { Tiyn } from "./Money.ts"

/** See the file's head. */
export interface Settings {
  /** Address that customers reach the service at, without a trailing slash; pay pages and receipts live under it. */
  readonly baseUrl: string
  readonly readsPerMinute: number
  readonly writesPerMinute: number
  /** Public pages, per address of the visitor. */
  readonly pagesPerMinute: number
  readonly amount: {
    readonly min: Tiyn
    readonly maxQr: Tiyn
    readonly maxPhone: Tiyn
  }
  /** How long a QR can be scanned. */
  readonly qrWindowMs: number
  /** How long a pushed invoice waits in the customer's app. */
  readonly phoneWindowMs: number
  readonly maxBulk: number
  readonly defaultPageSize: number
  readonly maxPageSize: number
  /** Of the text as sent, UTF-8. */
  readonly maxMetadataBytes: number
  /** Writes that concurrent calls share: items of one write, writes at once, calls that may wait. */
  readonly batch: {
    readonly maxSize: number
    readonly writers: number
    readonly capacity: number
  }
  readonly watcher: {
    readonly pollMs: number
    readonly leaseMs: number
    readonly batchSize: number
  }
  readonly webhook: {
    /** An attempt's time for everything, from looking up the name to the last byte read. */
    readonly timeoutMs: number
    /** Waits before the retries; their number is the number of retries. */
    readonly retryWaitsMs: ReadonlyArray<number>
    /** Failures in a row that pause an endpoint. */
    readonly failuresToPause: number
    /** Lengths of successive pauses; the last one repeats. */
    readonly pausesMs: ReadonlyArray<number>
    /** Bytes of an answer that are read and kept. */
    readonly maxResponseBytes: number
    readonly maxEndpoints: number
    /** How long the secret before a rotation signs as well. */
    readonly rotationMs: number
    readonly pollMs: number
    readonly leaseMs: number
    readonly concurrency: number
    readonly concurrencyPerEndpoint: number
  }
}

const seconds = 1000
const minutes = 60 * seconds
const hours = 60 * minutes

/** The settings of a service that nobody has configured. */
export const defaults: Settings = {
  baseUrl: "http://localhost:3000",
  readsPerMinute: 600,
  writesPerMinute: 200,
  pagesPerMinute: 120,
  amount: { min: Tiyn(100), maxQr: Tiyn(9_999_999_999), maxPhone: Tiyn(9_999_999_900) },
  qrWindowMs: 3 * minutes,
  phoneWindowMs: 24 * hours,
  maxBulk: 100,
  defaultPageSize: 50,
  maxPageSize: 200,
  maxMetadataBytes: 16 * 1024,
  batch: { maxSize: 128, writers: 1, capacity: 10_000 },
  watcher: { pollMs: 1 * seconds, leaseMs: 30 * seconds, batchSize: 256 },
  webhook: {
    timeoutMs: 8 * seconds,
    retryWaitsMs: [10, 20, 30, 60, 90, 120, 300, 600, 900, 1800, 3600].map((wait) => wait * seconds),
    failuresToPause: 5,
    pausesMs: [10, 20, 30, 40, 50].map((pause) => pause * minutes),
    maxResponseBytes: 20_000,
    maxEndpoints: 10,
    rotationMs: 24 * hours,
    pollMs: 500,
    leaseMs: 20 * seconds,
    concurrency: 64,
    concurrencyPerEndpoint: 4
  }
}

/** The settings in force; the defaults where none are provided. */
export const Settings = Context.Reference<Settings>("@tolem/core/Settings", { defaultValue: () => defaults })
