/** What must hold of statements after a history: they say what the rows say has moved, and each part adds up to it. */
import type { Moved, MovementStore } from "@tolem/core/cabinet/statement/MovementStore"
import { addMoved, unmoved } from "@tolem/core/cabinet/statement/StatementJson"
import type { StorageError } from "@tolem/core/error/StorageError"
import type { InvoiceDetail } from "@tolem/core/invoice/InvoiceStore"
import { dayOf } from "@tolem/core/value/Calendar"
import type { Tenant } from "@tolem/core/value/Tenant"
import { Effect } from "effect"

/** A statement of all that an organization has in a mode, by day, as text; and what the rows say. */
export interface FoundStatement {
  readonly tenant: Tenant
  readonly days: ReadonlyArray<string>
  readonly rows: ReadonlyArray<string>
  /** The sums of the days, cashiers and sources, which are the same. */
  readonly sums: ReadonlyArray<string>
}

interface Row extends Moved {
  readonly at: number
}

const rowsOf = ({ invoice, refunds }: InvoiceDetail): ReadonlyArray<Row> => {
  const { paidAt, amount, late } = invoice
  const given = refunds.flatMap((refund): ReadonlyArray<Row> => {
    const at = refund.completedAt
    if (refund.status !== "succeeded" || at === null) return []
    return [{ ...unmoved, at, refunds: 1, refunded: BigInt(refund.amount) }]
  })
  if (paidAt === null) return given
  const paid = BigInt(amount)
  const isLate = late ? { latePayments: 1, late: paid } : { latePayments: 0, late: 0n }
  return [{ ...unmoved, at: paidAt, payments: 1, paid, ...isLate }, ...given]
}

const shown = (name: string, moved: Moved): string =>
  `${name} ${moved.payments} ${moved.paid} ${moved.latePayments} ${moved.late} ${moved.refunds} ${moved.refunded}`

/** Reads the statement of what these invoices are all of; none if nothing has moved. */
export const readStatement = Effect.fnUntraced(function* (
  movements: MovementStore["Service"],
  tenant: Tenant,
  details: ReadonlyArray<InvoiceDetail>
): Effect.fn.Return<ReadonlyArray<FoundStatement>, StorageError> {
  const rows = details
    .filter(({ invoice }) => invoice.organizationId === tenant.organizationId && invoice.mode === tenant.mode)
    .flatMap(rowsOf)
  const times = rows.map(({ at }) => at)
  if (times.length === 0) return []
  const span = { from: Math.min(...times), to: Math.max(...times) }
  const { days, cashiers, sources } = yield* movements.sums({ ...tenant, connectionId: null, ...span })
  const whole = (parts: ReadonlyArray<Moved>) => shown("in all", parts.reduce<Moved>(addMoved, unmoved))
  const byDay = Map.groupBy(rows, ({ at }) => dayOf(at))
  return [
    {
      tenant,
      days: days.map((each) => shown(each.day, each)),
      rows: Array.from(byDay, ([day, of]) => shown(day, of.reduce<Moved>(addMoved, unmoved))).sort(),
      sums: [days, cashiers, sources, rows].map(whole)
    }
  ]
})

/** The promises that were broken. */
export const brokenStatements = (found: ReadonlyArray<FoundStatement>): ReadonlyArray<string> =>
  found.flatMap(({ tenant: { organizationId, mode }, days, rows, sums }) => [
    ...(days.join() === rows.join()
      ? []
      : [`${organizationId} ${mode}: the statement says ${days.join()}, and the rows ${rows.join()}`]),
    ...(new Set(sums).size === 1
      ? []
      : [`${organizationId} ${mode}: parts of the statement add up to ${sums.join(" and ")}`])
  ])
