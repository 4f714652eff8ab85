/** A subscription as tests begin with it. */
import { defaults } from "../../src/engine/Settings.ts"
import type { Subscription } from "../../src/subscription/Subscription.ts"
import { Tiyn } from "../../src/value/Money.ts"

/** Noon in Almaty on 10 January 2026. */
export const now = Date.UTC(2026, 0, 10, 7)
/** A day in milliseconds. */
export const day = 86_400_000
/** Default settings. */
export const settings = defaults

/** An active subscription, daily since yesterday. */
export const subscription = (members: Partial<Subscription> = {}): Subscription => ({
  id: "sub_1",
  organizationId: "org_shop",
  mode: "sandbox",
  connectionId: null,
  status: "active",
  amount: Tiyn(50_000),
  kind: "qr",
  description: null,
  customer: { name: null, phone: null, email: null },
  metadata: null,
  interval: "day",
  every: 1,
  dayOfMonth: null,
  anchorAt: now - day,
  retryHours: [],
  misfire: "run_once",
  nextIndex: 1,
  nextRunAt: now,
  lastRunAt: now - day,
  lastInvoiceId: "inv_1",
  runs: 1,
  maxRuns: null,
  faults: 0,
  fault: null,
  idempotencyKey: null,
  fingerprint: null,
  dueAt: now,
  createdAt: now - day,
  updatedAt: now - day,
  sequence: 2,
  version: 2,
  ...members
})

/** Circumstances of a decision. */
export const circumstances = (at = now) => ({ now: at, eventIds: ["evt_1", "evt_2"] as const, source: "api" as const })
