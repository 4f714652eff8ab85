/** What must hold of invoices that took the place of lost ones. Each broken promise is a line. */
import { type Invoice, type InvoiceStatus, isOpen } from "@tolem/core/invoice/Invoice"
import type { InvoiceDetail } from "@tolem/core/invoice/InvoiceStore"
import { isLinked, placeOf } from "@tolem/core/invoice/succession/Succession"

/** What invoices take each other's place of: a run of a subscription, or the first invoice of a link or hook. */
const successionOf = (invoice: Invoice): string | null => {
  const { origin } = invoice
  if (origin?.kind === "subscription") return `run ${origin.run} of ${origin.id}`
  return isLinked(origin) ? `the succession of ${placeOf(invoice).first}` : null
}

/**
 * Two of one succession were never open at once, but for what clocks of servers differ, and all are of one kind. Beside
 * one that is paid none gets its code any more, nor is open once everything has come to rest.
 */
export const brokenSuccessions = (details: ReadonlyArray<InvoiceDetail>, skewMs: number): ReadonlyArray<string> => {
  const groups = Map.groupBy(details, ({ invoice }) => successionOf(invoice))
  return Array.from(groups).flatMap(([name, members]) =>
    name === null ? [] : brokenSuccession(name, members.toSorted(byAge), skewMs)
  )
}

const byAge = (a: InvoiceDetail, b: InvoiceDetail) => a.invoice.createdAt - b.invoice.createdAt

const brokenSuccession = (name: string, members: ReadonlyArray<InvoiceDetail>, skewMs: number) => {
  const paid = members.find(({ invoice }) => invoice.paidAt !== null)
  const left = paid === undefined ? [] : members.filter(({ invoice }) => isOpen(invoice.status))
  return [
    ...left.map(({ invoice }) => `${name}: ${invoice.id} is open, and ${paid?.invoice.id} is paid`),
    ...members
      .filter((one) => members.some((other) => other !== one && offeredAt(one) > paidAt(other) + underWayMs + skewMs))
      .map(({ invoice }) => `${name}: the code of ${invoice.id} was made though another was paid`),
    ...brokenPairs(name, members, skewMs)
  ]
}

const brokenPairs = (name: string, members: ReadonlyArray<InvoiceDetail>, skewMs: number) =>
  members.flatMap(({ invoice: { id, amount, createdAt } }, index) => {
    const before = members.slice(0, index)
    const open = before.filter((one) => closedAt(one) > createdAt + skewMs).map(({ invoice }) => invoice.id)
    const others = before.filter(({ invoice }) => invoice.amount !== amount).map(({ invoice }) => invoice.id)
    return [
      ...open.map((other) => `${name}: ${id} was made while ${other} was open`),
      ...others.map((other) => `${name}: ${id} is of another amount than ${other}`)
    ]
  })

/** How long a code may be on its way that was asked for before the money came, also past a server that ended. */
const underWayMs = 120_000

const timeOf = ({ events }: InvoiceDetail, status: InvoiceStatus): number | undefined =>
  events.find(({ to }) => to === status)?.createdAt

const offeredAt = (detail: InvoiceDetail): number => timeOf(detail, "pending") ?? Number.NEGATIVE_INFINITY
const paidAt = (detail: InvoiceDetail): number => timeOf(detail, "paid") ?? Number.POSITIVE_INFINITY

const closedAt = ({ events }: InvoiceDetail): number =>
  events.find(({ to }) => !isOpen(to))?.createdAt ?? Number.POSITIVE_INFINITY
