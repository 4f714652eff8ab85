/** Every number about webhooks that a deployment may want to change. Durations are milliseconds. */
import type { Effect } from "effect"
import { type InvoiceSettings, invoiceDefaults } from "../invoice/InvoiceSettings.ts"
import { hours, minutes, retryWaitsMs, seconds, shareOf } from "../value/CommonSettings.ts"

/** Bounds and waits of webhooks. */
export interface WebhookLimits {
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
  /**
   * Networks (`10.0.0.0/8`) and hosts (`shop.internal`) of the operator's own that endpoints of either mode may be
   * at, http as well. Other private addresses are for sandboxes of a service on this machine.
   */
  readonly privateNetworks: ReadonlyArray<string>
  /** How long the secret before a rotation signs as well. */
  readonly rotationMs: number
  readonly pollMs: number
  readonly leaseMs: number
  /** Attempts at once of a server. What they wait for is other people's machines, so places cost little. */
  readonly concurrency: number
  readonly concurrencyPerEndpoint: number
  /** Places that all sandboxes together may have; the others are always there for live events. */
  readonly concurrencyOfSandbox: number
  /** Free places that there must be for each one that an organization and mode has already, or it gets no more. */
  readonly freePerPlace: number
  /**
   * Share of the places, of all and of those of sandboxes, that only endpoints get whose last attempt arrived. From 0
   * to 1; one place at least is for all.
   */
  readonly soundShare: number
  /** Endpoints that a claim looks at in one statement. */
  readonly endpointsPerLook: number
  /**
   * How many deliveries a server starts again at once that were started once, twice and so on, but whose attempt
   * never ended, because its server did first; what was started more often is given up. The last time a delivery
   * goes alone among its like, so that it is not condemned for another one's fault.
   */
  readonly restarts: ReadonlyArray<number>
  /**
   * How long a server must have run before it starts a delivery again that was started twice. Servers that are killed
   * for other reasons, again and again, would else take each time the one that goes alone for the cause.
   */
  readonly calmMs: number
  /** How long a delivery that cannot be read stays out of the way. */
  readonly asideMs: number
}

/** The settings of webhooks, beside those of what they announce. */
export interface WebhookSettings extends InvoiceSettings {
  readonly webhook: WebhookLimits
}

/** Those of webhooks alone. */
export const webhook: WebhookLimits = {
  timeoutMs: 8 * seconds,
  retryWaitsMs,
  failuresToPause: 5,
  pausesMs: [10, 20, 30, 40, 50].map((pause) => pause * minutes),
  maxResponseBytes: 20_000,
  maxEndpoints: 10,
  privateNetworks: [],
  rotationMs: 24 * hours,
  pollMs: 500,
  leaseMs: 20 * seconds,
  concurrency: 256,
  concurrencyPerEndpoint: 4,
  concurrencyOfSandbox: 128,
  freePerPlace: 4,
  soundShare: 0.25,
  endpointsPerLook: 256,
  restarts: [8, 1],
  // One and a half times the lease: what an earlier server had begun has come back by then.
  calmMs: 30 * seconds,
  asideMs: 1 * hours
}

/** Their defaults. */
export const webhookDefaults: WebhookSettings = { ...invoiceDefaults, webhook }

/** Those in force. */
export const WebhookSettings: Effect.Effect<WebhookSettings> = shareOf(webhookDefaults)
