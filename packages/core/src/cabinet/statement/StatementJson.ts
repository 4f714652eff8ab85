/** Statements and reports of a till as members are shown them. Pure. */
import { toIso } from "../../value/Calendar.ts"
import { sumToTenge, type TiynSum, toTenge } from "../../value/Money.ts"
import { invoiceSources } from "../ReportStore.ts"
import type { Moved, MovedSums, Movement } from "./MovementStore.ts"
import type { Shift, Statement } from "./Statements.ts"

/** Nothing has moved. */
export const unmoved: Moved = { payments: 0, paid: 0n, latePayments: 0, late: 0n, refunds: 0, refunded: 0n }

/** Both together. */
export const addMoved = (a: Moved, b: Moved): Moved => ({
  payments: a.payments + b.payments,
  paid: a.paid + b.paid,
  latePayments: a.latePayments + b.latePayments,
  late: a.late + b.late,
  refunds: a.refunds + b.refunds,
  refunded: a.refunded + b.refunded
})

/** The sums of the months of these days, in order; a month as `YYYY-MM`. */
export const monthsOf = (days: MovedSums["days"]): ReadonlyArray<Moved & { readonly month: string }> =>
  Array.from(
    Map.groupBy(days, ({ day }) => day.slice(0, 7)),
    ([month, of]) => ({ month, ...of.reduce(addMoved, unmoved) })
  )

const signed = (sum: TiynSum): number => (sum < 0n ? -sumToTenge(-sum) : sumToTenge(sum))

const figures = ({ payments, paid, latePayments, late, refunds, refunded }: Moved) => ({
  payments,
  paid: sumToTenge(paid),
  latePayments,
  late: sumToTenge(late),
  refunds,
  refunded: sumToTenge(refunded),
  net: signed(paid - refunded)
})

const whole = ({ days }: MovedSums) => figures(days.reduce(addMoved, unmoved))

const cashiersOf = ({ cashiers }: MovedSums) =>
  cashiers
    .toSorted((a, b) => (a.paid === b.paid ? 0 : a.paid < b.paid ? 1 : -1))
    .map(({ connectionId, ...moved }) => ({ connectionId, ...figures(moved) }))

const sourcesOf = ({ sources }: MovedSums) =>
  invoiceSources.flatMap((source) =>
    sources.filter((each) => each.source === source).map((moved) => ({ source, ...figures(moved) }))
  )

/** A statement: its sums, and the same by day, month, cashier and source. */
export const statementJson = ({ period, sums }: Statement) => ({
  ...period,
  ...whole(sums),
  days: sums.days.map(({ day, ...moved }) => ({ day, ...figures(moved) })),
  months: monthsOf(sums.days).map(({ month, ...moved }) => ({ month, ...figures(moved) })),
  cashiers: cashiersOf(sums),
  sources: sourcesOf(sums)
})

const payment = (movement: Movement | null) =>
  movement === null
    ? null
    : {
        invoiceId: movement.invoiceId,
        amount: toTenge(movement.amount),
        receiptNumber: movement.receiptNumber,
        late: movement.late,
        paidAt: toIso(movement.at)
      }

/** The report of a till. */
export const shiftJson = ({ query, sums, first, last }: Shift) => ({
  from: toIso(query.from),
  to: toIso(query.to),
  connectionId: query.connectionId,
  ...whole(sums),
  cashiers: cashiersOf(sums),
  sources: sourcesOf(sums),
  first: payment(first),
  last: payment(last)
})
