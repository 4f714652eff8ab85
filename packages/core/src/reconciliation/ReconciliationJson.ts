/** Reconciliation as members are shown it. Amounts are tenge. Pure. */

import { toIso } from "../value/Calendar.ts"
import { Tiyn, toTenge } from "../value/Money.ts"
import type { Reconciliation, SideSums } from "./Reconciliation.ts"
import type { DayFound, ReconciledDays } from "./Reconciliations.ts"
import type { WorkItem } from "./WorkItem.ts"

const sideJson = ({ payments, paid, refunds, refunded }: SideSums) => ({
  payments,
  paid: toTenge(Tiyn(paid)),
  refunds,
  refunded: toTenge(Tiyn(refunded))
})

/** A day of a cashier. */
export const reconciliationJson = (row: Reconciliation, open: number) => ({
  day: row.day,
  connectionId: row.connectionId,
  status: row.status,
  fault: row.fault,
  here: row.sums === null ? null : sideJson(row.sums.here),
  there: row.sums === null ? null : sideJson(row.sums.there),
  comparedAt: row.comparedAt === null ? null : toIso(row.comparedAt),
  open
})

/** The days of some time. */
export const reconciledDaysJson = ({ isAble, from, to, days }: ReconciledDays) => ({
  isAble,
  from,
  to,
  days: days.map(({ row, open }: DayFound) => reconciliationJson(row, open))
})

const instant = (at: number | null) => (at === null ? null : toIso(at))
const money = (amount: Tiyn | null) => (amount === null ? null : toTenge(amount))

/** A difference. */
export const workItemJson = (item: WorkItem) => ({
  id: item.id,
  day: item.day,
  connectionId: item.connectionId,
  kind: item.kind,
  cause: item.cause,
  payment: item.payment,
  invoiceId: item.invoiceId,
  refundId: item.refundId,
  amountHere: money(item.amountHere),
  amountThere: money(item.amountThere),
  status: item.status,
  foundAt: toIso(item.foundAt),
  resolvedAt: instant(item.resolvedAt),
  resolution: item.resolution,
  note: item.note
})
