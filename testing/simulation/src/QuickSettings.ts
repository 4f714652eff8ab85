/** Settings of a simulated server. */
import { defaults, type Settings } from "@tolem/core/engine/Settings"
import * as Application from "./Application.ts"
import type { Shop } from "./World.ts"

/** In milliseconds. */
export const seconds = 1000
/** In milliseconds. */
export const hours = 3600 * seconds

/** The engine's settings with waits of seconds instead of hours, so that a history is short. */
export const quick = (pollMs: number, [seller]: ReadonlyArray<Shop> = []): Settings => ({
  ...defaults,
  qrWindowMs: 60 * seconds,
  phoneWindowMs: 120 * seconds,
  waitingMs: { subscription: 20 * hours, "payment-link": 10 * hours, "form-hook": 10 * hours, transaction: 10 * hours },
  watcher: { ...defaults.watcher, pollMs },
  mail: { ...defaults.mail, pollMs: 5 * pollMs },
  reconciliation: { ...defaults.reconciliation, pollMs: 5 * pollMs },
  tariffs: {
    ...defaults.tariffs,
    seller: seller === undefined ? null : { organizationId: seller.organizationId, mode: "live" },
    pollMs: 5 * pollMs
  },
  live: {
    ...defaults.live,
    openIntervals: [{ untilMs: 3600 * seconds, everyMs: 3 * seconds }],
    closedIntervals: [
      { untilMs: 30 * seconds, everyMs: 5 * seconds },
      { untilMs: 3600 * seconds, everyMs: 60 * seconds }
    ],
    lateMs: 240 * seconds,
    paidCheckDelaysMs: [30 * seconds, 120 * seconds, 480 * seconds],
    refundCheckDelaysMs: [5, 20, 60, 120, 240, 480, 960].map((wait) => wait * seconds),
    abandonedAfterMs: 60 * seconds,
    sessionLostMs: 5 * seconds
  },
  reactions: {
    ...defaults.reactions,
    retryWaitsMs: Application.retryWaitsMs,
    timeoutMs: 2 * seconds,
    leaseMs: 4 * seconds,
    pollMs
  },
  webhook: {
    ...defaults.webhook,
    retryWaitsMs: [1, 2, 3, 5, 5, 8, 10, 15, 20, 30, 60].map((wait) => wait * seconds),
    failuresToPause: 3,
    pausesMs: [3, 6, 9, 12, 15].map((pause) => pause * seconds),
    pollMs
  }
})
