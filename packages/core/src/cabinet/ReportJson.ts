/** Sums and totals as members are shown them. Pure. */
import type { InvoiceStatus } from "../invoice/Invoice.ts"
import { toIso } from "../value/Calendar.ts"
import { sumToTenge, type TiynSum } from "../value/Money.ts"
import { placeText } from "./InvoiceFilters.ts"
import { type Found, type InvoicePlace, invoiceSources, type StatusSum, type Sum } from "./ReportStore.ts"
import type { Totals } from "./Reports.ts"

const none: Sum = { count: 0, amount: 0n, refunded: 0n }

const add = (a: Sum, b: Sum): Sum => ({
  count: a.count + b.count,
  amount: a.amount + b.amount,
  refunded: a.refunded + b.refunded
})

const shown = ({ count, amount, refunded }: Sum) => ({
  count,
  amount: sumToTenge(amount),
  refunded: sumToTenge(refunded)
})

/** The sums of what a filter lets through, in all and by status. */
export const sumsJson = ({ found: sums, end }: Found<ReadonlyArray<StatusSum>>) => ({
  ...shown(sums.reduce<Sum>(add, none)),
  statuses: sums.map((sum) => ({ status: sum.status, ...shown(sum) })),
  ...lookJson(end, end?.createdAt ?? null)
})

/** Where the next request goes on, and how far back this one has looked if it has looked no further. */
export const lookJson = (next: InvoicePlace | null, lookedTo: number | null) => ({
  next: next === null ? null : placeText(next),
  lookedTo: lookedTo === null ? null : toIso(lookedTo)
})

/** Money came for these, whatever went back since. */
const paidStatuses: ReadonlyArray<InvoiceStatus> = ["paid", "partially_refunded", "refunded"]

/** Invoices that were made, those of them that are paid, and what went back of that. */
const figures = (sums: ReadonlyArray<StatusSum>) => {
  let [created, paid]: [number, number] = [0, 0]
  let [amount, refunded]: [TiynSum, TiynSum] = [0n, 0n]
  for (const sum of sums) {
    created += sum.count
    if (!paidStatuses.includes(sum.status)) continue
    paid += sum.count
    amount += sum.amount
    refunded += sum.refunded
  }
  return { created, paid, amount: sumToTenge(amount), refunded: sumToTenge(refunded) }
}

const grouped = <A extends StatusSum, K extends string | null>(sums: ReadonlyArray<A>, key: (sum: A) => K) =>
  Array.from(Map.groupBy(sums, key), ([name, of]) => ({ name, ...figures(of) }))

/** The totals of a period by day, cashier and source, and of the one before it. Days without invoices are left out. */
export const totalsJson = ({ period, before, days, daysBefore, sources }: Totals) => {
  const bySource = Map.groupBy(sources.found, ({ source }) => source)
  return {
    ...period,
    ...figures(days),
    before: { ...before, ...figures(daysBefore) },
    days: grouped(days, ({ day }) => day)
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map(({ name, ...rest }) => ({ day: name, ...rest })),
    cashiers: grouped(days, ({ connectionId }) => connectionId)
      .toSorted((a, b) => b.amount - a.amount)
      .map(({ name, ...rest }) => ({ connectionId: name, ...rest })),
    sources: invoiceSources.map((source) => ({ source, ...figures(bySource.get(source) ?? []) })),
    sourcesAreExact: sources.isExact
  }
}
