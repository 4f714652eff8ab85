/**
 * A day of a cashier, compared with the provider's own list: what is kept of it, and what becomes of it. Pure. Instants
 * are epoch milliseconds, sums are tiyn.
 */
import type { ConnectionId, OrganizationId } from "../value/Ids.ts"

/** What one side has of a day. */
export interface SideSums {
  readonly payments: number
  readonly paid: number
  readonly refunds: number
  readonly refunded: number
}

/** What was compared: what stands here, and what the provider's list has. */
export interface ComparedSums {
  readonly here: SideSums
  readonly there: SideSums
}

/** `waiting`: it is still to be compared, or again. `failed`: it could not be, so often that it is not tried again. */
export const ReconciliationStatus = ["waiting", "compared", "failed"] as const
/** See the list of the same name. */
export type ReconciliationStatus = (typeof ReconciliationStatus)[number]

/**
 * Why a day could not be compared. `no_cashier`: they are gone, or have to log in. `not_able`: the provider lists
 * nothing, or is not there. `throttled`: it has asked to wait. `refused`, `no_answer`: so was the call.
 * `too_different`: hardly anything is the same, which is not to be worked off one by one.
 */
export const ReconciliationFault = [
  "no_cashier",
  "not_able",
  "throttled",
  "refused",
  "no_answer",
  "too_different"
] as const
/** See the list of the same name. */
export type ReconciliationFault = (typeof ReconciliationFault)[number]

/** Names a day of a cashier. */
export interface CashierDay {
  readonly organizationId: OrganizationId
  readonly connectionId: ConnectionId
  /** Of Almaty, `YYYY-MM-DD`. */
  readonly day: string
}

/** A day of a cashier as it is kept. */
export interface Reconciliation extends CashierDay {
  readonly status: ReconciliationStatus
  /** When it is to be compared; null: it was, or is given up. */
  readonly dueAt: number | null
  /** Tries since it was last asked for. */
  readonly tries: number
  /** What the last try failed of; null: it did not. */
  readonly fault: ReconciliationFault | null
  /** Of the last comparison; null: there was none yet. */
  readonly sums: ComparedSums | null
  readonly comparedAt: number | null
  readonly version: number
}

/** A day that was never compared, due at `dueAt`. */
export const newReconciliation = (of: CashierDay, dueAt: number): Reconciliation => ({
  organizationId: of.organizationId,
  connectionId: of.connectionId,
  day: of.day,
  status: "waiting",
  dueAt,
  tries: 0,
  fault: null,
  sums: null,
  comparedAt: null,
  version: 1
})

/** The day after a comparison. */
export const compared = (row: Reconciliation, sums: ComparedSums, now: number): Reconciliation => ({
  ...row,
  status: "compared",
  dueAt: null,
  fault: null,
  sums,
  comparedAt: now,
  version: row.version + 1
})

/** The day after a try that failed: due again after the next of the waits, or given up if there is none left. */
export const notCompared = (
  row: Reconciliation,
  fault: ReconciliationFault,
  now: number,
  retryWaitsMs: ReadonlyArray<number>
): Reconciliation => {
  const waitMs = fault === "too_different" || fault === "not_able" ? undefined : retryWaitsMs[row.tries]
  return {
    ...row,
    status: waitMs === undefined ? "failed" : "waiting",
    dueAt: waitMs === undefined ? null : now + waitMs,
    tries: row.tries + 1,
    fault,
    version: row.version + 1
  }
}
