/** Which visitor has asked for the code of an invoice that takes a place of a link, and how many they hold. */
import type { PaymentLinkStore } from "@tolem/core/paymentlink/PaymentLinkStore"
import { Effect } from "effect"
import type { Database } from "../base/Database.ts"
import { forgetOld } from "../base/OldRows.ts"
import * as LinkTotals from "../invoice/LinkTotals.ts"

type Store = PaymentLinkStore["Service"]

/** The verbs over this database. */
export const make = (database: Database["Service"]) => {
  const { sql, dialect, tables, transaction } = database
  const { place_takers: takers, invoices } = tables

  const takePlace: Store["takePlace"] = ({ linkId, invoiceId, visitor, mostBeside, restMs, ...times }) => {
    const at = (instant: number) => sql`cast(${instant} as bigint)`
    const { now, askedAt, freshMs } = times
    const write = Effect.gen(function* () {
      yield* dialect.lockName(`places of visitor ${linkId} ${visitor}`)
      const [found] = yield* sql<{ readonly held: string | null; readonly lost: string | null }>`
        select cast(sum(case when (${LinkTotals.holding(sql)} and i.paid_at is null)
              or ${LinkTotals.outliving(sql, at(now))}
              or (i.status = 'new' and t.asked_at > ${at(askedAt - freshMs)}) then 1 else 0 end) as text) as held,
          cast(sum(case when i.status = 'expired' and i.updated_at > ${at(now - restMs)} then 1 else 0 end) as text)
            as lost
        from ${takers} t join ${invoices} i on i.id = t.invoice_id
        where t.link_id = ${linkId} and t.visitor = ${visitor} and t.invoice_id <> ${invoiceId}`
      if (Number(found?.held ?? 0) > mostBeside || (restMs > 0 && Number(found?.lost ?? 0) > 0)) return false
      yield* sql`
        insert into ${takers} (invoice_id, link_id, visitor, asked_at)
        values (${invoiceId}, ${linkId}, ${visitor}, ${at(askedAt)})
        on conflict (invoice_id) do update set visitor = excluded.visitor, asked_at = excluded.asked_at`
      return true
    })
    return transaction("PaymentLinkStore.takePlace", write)
  }

  const forgetTakers: Store["forgetTakers"] = forgetOld(
    database,
    "PaymentLinkStore.forgetTakers",
    "place_takers",
    "asked_at",
    "invoice_id"
  )

  return { takePlace, forgetTakers }
}
