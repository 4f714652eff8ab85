/** The sweep over the sums of links: one for all servers, lent to one at a time, and taken up where it was left. */
import type { LinkSweep, PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import { Effect } from "effect"
import type { Database } from "../base/Database.ts"
import * as LinkTotals from "../invoice/LinkTotals.ts"

type Store = PaymentLinkStore["Service"]

interface SweepRow {
  readonly resume_after: string
  readonly whole_until: number
}

/** The verbs over this database. */
export const make = (database: Database["Service"]) => {
  const { sql, dialect, tables, one, transaction } = database
  const { link_sweeps: sweeps, payment_links: links } = tables
  const { mend } = LinkTotals.make(database)
  const at = (instant: number) => sql`cast(${instant} as bigint)`

  const lendSweep: Store["lendSweep"] = (now, until, wholeMs) => {
    const lend = sql<SweepRow>`
      update ${sweeps} set due_at = ${at(until)}, whole_until = coalesce(whole_until, ${at(now + wholeMs)})
      where name = 'totals' and due_at <= ${at(now)} returning resume_after, whole_until`
    return one(
      "PaymentLinkStore.lendSweep",
      lend,
      ({ resume_after: after, whole_until }): LinkSweep => ({
        after,
        isWhole: now < whole_until,
        until
      })
    )
  }

  const sweep: Store["sweep"] = (lent, { limit, until, nextAt }) => {
    const which = lent.isWhole ? sql.literal("") : sql.literal("and l.max_payments is not null")
    const write = Effect.gen(function* () {
      const rows = yield* sql<{ readonly id: string }>`
        select l.id from ${links} l where l.id > ${lent.after} and l.removed_at is null ${which}
        order by l.id limit cast(${limit} as bigint) ${dialect.lockRows("l")}`
      const last = rows.length < limit ? undefined : rows.at(-1)?.id
      // First, so that one who has lost the loan does no more.
      const kept = yield* sql`
        update ${sweeps} set resume_after = ${last ?? ""}, due_at = ${at(last === undefined ? nextAt : until)}
        where name = 'totals' and due_at = ${at(lent.until)} and resume_after = ${lent.after} returning name`
      if (kept.length === 0) return null
      yield* mend(rows.map(({ id }) => id))
      return last === undefined ? null : { ...lent, after: last, until }
    })
    return transaction("PaymentLinkStore.sweep", write)
  }

  return { lendSweep, sweep }
}
