/** Invoices of one payment link by the day of their making, read from their index. */
import type { LinkDay, ReportStore } from "@tolem/core/cabinet/ReportStore"
import { Effect } from "effect"
import type { Database } from "../base/Database.ts"

interface DayRow {
  readonly nth: number
  readonly made: number
  readonly opened: number
  readonly paid: number
  readonly paid_amount: string
  readonly refunded: string
}

const dayOfRow = ({ paid_amount, refunded, ...counts }: DayRow): LinkDay => ({
  ...counts,
  paidAmount: BigInt(paid_amount),
  refunded: BigInt(refunded)
})

const dayMs = 86_400_000

/** The verb over this database. */
export const linkDays = ({ sql, tables, longRead }: Database["Service"]): Pick<ReportStore["Service"], "linkDays"> => ({
  linkDays: ({ organizationId, linkId, from }, rows) => {
    const at = sql`cast(${from} as bigint)`
    // Days of Almaty are all of one length since March 2024. Its index has the newest of a link; no others are read.
    const select = sql<DayRow>`
      select nth, count(*) as made, cast(sum(opened) as bigint) as opened, cast(sum(paid) as bigint) as paid,
        cast(sum(paid * amount) as text) as paid_amount, cast(sum(refunded) as text) as refunded
      from (
        select (i.created_at - ${at}) / ${sql.literal(String(dayMs))} as nth, i.amount, i.refunded,
          case when coalesce(i.making, 'made') = 'waits' then 0 else 1 end as opened,
          case when i.paid_at is null then 0 else 1 end as paid
        from ${tables.invoices} i
        where i.origin = ${`payment-link/${linkId}`} and substr(i.origin, 1, 13) = 'payment-link/'
          and i.created_at >= ${at} and i.organization_id = ${organizationId}
        order by i.created_at desc limit cast(${rows + 1} as bigint)
      ) as looked
      group by nth order by nth`
    return Effect.map(longRead("ReportStore.linkDays", organizationId, select), (found) => found.map(dayOfRow))
  }
})
