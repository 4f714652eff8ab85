/** Use-case of what members are shown of one payment link by day: from its own invoices, never kept apart from them. */
import { Clock, Context, Effect, Layer } from "effect"
import type { PaymentLink } from "../../paymentlink/PaymentLink.ts"
import { PaymentLinks } from "../../paymentlink/PaymentLinks.ts"
import { SandboxClocks } from "../../time/SandboxClocks.ts"
import { dayOf, startOfDay } from "../../value/Calendar.ts"
import type { PaymentLinkId } from "../../value/Ids.ts"
import { sumToTenge } from "../../value/Money.ts"
import type { Viewer } from "../../value/Tenant.ts"
import { type Period, shifted } from "../Periods.ts"
import { type LinkDay, ReportStore } from "../ReportStore.ts"

/** The days that are told of, today included. */
const shownDays = 30

/** The most invoices that a request looks at: more than visitors can make at one link in a day. */
const rows = 100_000

/** What was made at a link in some days, in their order; days without invoices are left out. */
export interface DaysOfLink {
  readonly link: PaymentLink
  readonly period: Period
  readonly days: ReadonlyArray<LinkDay & { readonly day: string }>
}

const make = Effect.gen(function* () {
  const store = yield* ReportStore
  const links = yield* PaymentLinks
  const { entering } = yield* SandboxClocks

  const ofLink = Effect.fn("LinkStatistics.ofLink")(function* (viewer: Viewer, id: PaymentLinkId) {
    const link = yield* links.get(viewer, id)
    const today = dayOf(yield* Clock.currentTimeMillis)
    const first = shifted(today, 1 - shownDays)
    const { organizationId } = viewer
    const found = yield* store.linkDays({ organizationId, linkId: link.id, from: startOfDay(first) }, rows)
    const made = found.reduce((sum, each) => sum + each.made, 0)
    // Where there are more, the earliest day is a part only.
    const whole = made > rows && found.length > 1 ? found.slice(1) : found
    const days = whole.map((each) => ({ ...each, day: shifted(first, each.nth) }))
    const from = made > rows ? (days[0]?.day ?? first) : first
    const told: DaysOfLink = { link, period: { from, to: today }, days }
    return told
  })

  return {
    /** The last 30 days of a link, by the clock of its mode; fewer if it has had very many invoices in them. */
    ofLink: entering(ofLink)
  }
})

/** The statistics of payment links. */
export class LinkStatistics extends Context.Service<LinkStatistics, Effect.Success<typeof make>>()(
  "@tolem/core/LinkStatistics"
) {
  /** The use-case over the store. */
  static readonly layer = Layer.effect(LinkStatistics, make)
}

/** The statistics as members are shown them. */
export const linkDaysJson = ({ period, days }: DaysOfLink) => ({
  ...period,
  invoices: days.reduce((sum, { made }) => sum + made, 0),
  opened: days.reduce((sum, { opened }) => sum + opened, 0),
  payments: days.reduce((sum, { paid }) => sum + paid, 0),
  paidAmount: sumToTenge(days.reduce((sum, { paidAmount }) => sum + paidAmount, 0n)),
  refundedAmount: sumToTenge(days.reduce((sum, { refunded }) => sum + refunded, 0n)),
  days: days.map(({ day, made, opened, paid, paidAmount, refunded }) => ({
    day,
    invoices: made,
    opened,
    payments: paid,
    paidAmount: sumToTenge(paidAmount),
    refundedAmount: sumToTenge(refunded)
  }))
})
