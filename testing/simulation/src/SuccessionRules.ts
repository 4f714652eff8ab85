/** What must hold of invoices that took the place of lost ones. Each broken promise is a line. */
import { type Invoice, isOpen } from "@tolem/core/invoice/Invoice"
import type { InvoiceDetail } from "@tolem/core/invoice/InvoiceStore"
import { isLinked, placeOf } from "@tolem/core/invoice/succession/Succession"

/** What invoices take each other's place of: a run of a subscription, or the first invoice of a link or hook. */
const successionOf = (invoice: Invoice): string | null => {
  const { origin } = invoice
  if (origin?.kind === "subscription") return `run ${origin.run} of ${origin.id}`
  return isLinked(origin) ? `the succession of ${placeOf(invoice).first}` : null
}

/** Two of one succession were never open at once, but for what clocks of servers differ, and all are of one kind. */
export const brokenSuccessions = (details: ReadonlyArray<InvoiceDetail>, skewMs: number): ReadonlyArray<string> => {
  const groups = Map.groupBy(details, ({ invoice }) => successionOf(invoice))
  return Array.from(groups).flatMap(([name, members]) =>
    name === null ? [] : brokenSuccession(name, members.toSorted(byAge), skewMs)
  )
}

const byAge = (a: InvoiceDetail, b: InvoiceDetail) => a.invoice.createdAt - b.invoice.createdAt

const brokenSuccession = (name: string, members: ReadonlyArray<InvoiceDetail>, skewMs: number) =>
  members.flatMap(({ invoice: { id, amount, createdAt } }, index) => {
    const before = members.slice(0, index)
    const open = before.filter((one) => closedAt(one) > createdAt + skewMs).map(({ invoice }) => invoice.id)
    const others = before.filter(({ invoice }) => invoice.amount !== amount).map(({ invoice }) => invoice.id)
    return [
      ...open.map((other) => `${name}: ${id} was made while ${other} was open`),
      ...others.map((other) => `${name}: ${id} is of another amount than ${other}`)
    ]
  })

const closedAt = ({ events }: InvoiceDetail): number =>
  events.find(({ to }) => !isOpen(to))?.createdAt ?? Number.POSITIVE_INFINITY
