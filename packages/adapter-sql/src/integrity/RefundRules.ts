/** Rules about refund records, whatever became of them. */
import { flaws, isNone, type Parts, type Rules, unique } from "./Rule.ts"

/** The rules. */
export const refundRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { invoices, refunds } = tables
  const refundedOf = sql`
    select invoice_id, sum(amount) as refunded from ${refunds} where status = 'succeeded' group by invoice_id`
  return {
    refunds_within_payment: sql`
      select i.id as subject, 'paid ' || i.amount || ', refunded ' || coalesce(r.refunded, i.refunded) as detail
        from ${invoices} i left join (${refundedOf}) as r on r.invoice_id = i.id
        where i.refunded > i.amount or r.refunded > i.amount`,
    refunded_equals_refunds: sql`
      select i.id as subject, 'invoice ' || i.refunded || ', records ' || coalesce(r.refunded, 0) as detail
        from ${invoices} i left join (${refundedOf}) as r on r.invoice_id = i.id
        where i.refunded <> coalesce(r.refunded, 0)`,
    refunds_are_sound: flaws(parts, {
      subject: "r.id",
      from: sql`${refunds} r left join ${invoices} i on i.id = r.invoice_id`,
      of: {
        "of no invoice": "i.id is null",
        "another organization": "r.organization_id <> i.organization_id",
        "an unknown status": isNone("r.status", ["pending", "succeeded", "failed", "unknown"]),
        "no amount": "r.amount <= 0",
        "more than was paid": "r.amount > i.amount",
        "of an unpaid invoice": "i.paid_at is null",
        "completed at no time": "r.status in ('succeeded', 'failed') and r.completed_at is null",
        "completed before it was there": "r.completed_at < r.created_at",
        "completed and unresolved": "r.status in ('pending', 'unknown') and r.completed_at is not null",
        // A live one is written before the provider is asked, and once more when it does not succeed.
        "its invoice was not changed for it":
          "i.mode = 'live' and r.status in ('failed', 'unknown') and i.version < i.sequence + 2"
      }
    }),
    one_refund_at_a_time: sql`select invoice_id as subject, count(*) || ' unresolved refunds' as detail
        from ${refunds} where status in ('pending', 'unknown') group by invoice_id having count(*) > 1`,
    refund_keys_are_unique: unique(parts, {
      from: refunds,
      of: ["invoice_id", "idempotency_key"],
      where: "idempotency_key is not null and status <> 'failed'"
    }),
    refund_references_are_unique: unique(parts, {
      from: refunds,
      of: ["invoice_id", "provider_reference"],
      where: "provider_reference is not null"
    })
  }
}
