/** Rules about orders of tariffs, the tariffs that they brought, and what referrers earn by them. */
import { paysForOrder } from "../tariff/OrderInvoice.ts"
import { flaws, isNoMode, isNone, neverMs, type Parts, type Rules, skewMs } from "./Rule.ts"

/** How long a paid order may wait to take effect. */
const servedWithinMs = 3_600_000

/** The rules. */
export const tariffRules = (parts: Parts): Rules => ({
  ...orderRules(parts),
  ...recordRules(parts),
  ...payoutRules(parts)
})

const orderRules = (parts: Parts): Rules => {
  const { sql, dialect, tables, now } = parts
  const { organizations, tariff_orders, referral_earnings, invoices, events, accounts } = tables
  const { member } = dialect
  return {
    orders_agree_with_invoices: flaws(parts, {
      subject: "o.id",
      from: sql`(select o.*, i.id as invoice_id, i.amount as invoiced, i.paid_at as paid_at,
          ${member("i.metadata", "tariff")} as invoiced_tariff,
          ${member("i.metadata", "organizationId")} as invoiced_organization,
          (select min(e.created_at) from ${events} e where e.invoice_id = i.id and e.type = 'invoice.paid') as told_at
        from ${tariff_orders} o
        left join ${invoices} i on ${sql.literal(paysForOrder)}) as o`,
      of: {
        "no amount": "o.amount <= 0",
        "no months": "o.months < 1",
        "an unknown mode": isNoMode("o.seller_mode"),
        "in force without an invoice": "o.applied_at is not null and o.invoice_id is null",
        "in force and unpaid": "o.applied_at is not null and o.paid_at is null",
        "another amount than its invoice": "o.amount <> o.invoiced",
        "another tariff than its invoice": "o.tariff <> o.invoiced_tariff",
        "another organization than its invoice": "o.organization_id <> o.invoiced_organization",
        "paid and not in force": `o.applied_at is null and o.told_at < ${now - servedWithinMs}`,
        "in force before it was ordered": `o.applied_at < o.created_at - ${skewMs}`,
        "in force too late": `o.applied_at > o.created_at + ${neverMs}`
      }
    }),
    orders_agree_with_organizations: flaws(parts, {
      subject: "o.id",
      from: sql`${tariff_orders} o left join ${organizations} b on b.id = o.organization_id
        left join ${organizations} s on s.id = o.seller_id`,
      of: { "of no organization": "b.id is null", "sold by no organization": "s.id is null" }
    }),
    earnings_agree_with_orders: flaws(parts, {
      subject: "e.id",
      from: sql`${referral_earnings} e
        left join ${tariff_orders} o on o.id = e.order_id
        left join ${organizations} b on b.id = e.organization_id
        left join ${accounts} a on a.id = e.account_id`,
      of: {
        "of no order": "o.id is null",
        "of an order that is not in force": "o.applied_at is null",
        "another organization than its order": "e.organization_id <> o.organization_id",
        "for no known account": "a.id is null",
        "for one who has not brought the organization": "b.referred_by is distinct from e.account_id",
        "no amount": "e.amount <= 0",
        "more than was paid": "e.amount > o.amount",
        "at another time than its order": "e.created_at <> o.applied_at",
        "an unknown state": isNone("e.state", ["accrued", "paid_out"]),
        "paid out at no time": "(e.state = 'paid_out') <> (e.paid_out_at is not null)"
      }
    })
  }
}

const recordRules = (parts: Parts): Rules => {
  const { sql, dialect, tables } = parts
  const { organizations, tariff_orders, referral_earnings, audit } = tables
  const { member } = dialect
  return {
    // The record of an order that took effect says what was earned by it.
    orders_agree_with_records: flaws(parts, {
      subject: "o.id",
      from: sql`(select o.*, a.id as record_id, a.organization_id as told_organization,
          ${member("a.detail", "tariff")} as told_tariff, ${member("a.detail", "earning")} as told_earning,
          ${member("a.detail", "earned")} as told_amount, e.id as earning_id, cast(e.amount as text) as earned
        from ${tariff_orders} o
        left join ${audit} a on a.action = 'tariff.paid' and a.subject = o.id
        left join ${referral_earnings} e on e.order_id = o.id
        where o.applied_at is not null) as o`,
      of: {
        "nothing in the audit log tells of it": "o.record_id is null",
        "another organization than its record": "o.organization_id <> o.told_organization",
        "another tariff than its record": "o.tariff <> o.told_tariff",
        "its earning is gone": "o.told_earning is not null and o.earning_id is distinct from o.told_earning",
        "another amount was earned": "o.told_amount <> o.earned"
      }
    }),
    earnings_agree_with_records: sql`
      select e.id as subject, e.state || ', unlike the audit log' as detail from ${referral_earnings} e
        where (e.state = 'paid_out') <> exists (
          select 1 from ${audit} a where a.action = 'earning.paid_out' and a.subject = coalesce(e.payout_id, e.id)
        )`,
    applied_records_have_orders: sql`
      select a.subject as subject, 'the audit log says that it was paid' as detail from ${audit} a
        left join ${tariff_orders} o on o.id = a.subject
        where a.action = 'tariff.paid' and o.applied_at is null`,
    // Whatever the newest records say; several of one moment have no order.
    tariffs_agree_with_records: sql`select o.id as subject, 'tariff ' || o.tariff || ' unlike the audit log' as detail
        from ${organizations} o
        join (select organization_id, max(created_at) as newest_at from ${audit}
          where action in ('tariff.granted', 'tariff.paid') and detail is not null group by organization_id) as n
          on n.organization_id = o.id
        where not exists (
          select 1 from ${audit} a
          where a.organization_id = o.id and a.action in ('tariff.granted', 'tariff.paid')
            and a.created_at >= n.newest_at - cast(${skewMs} as bigint)
            and ${member("a.detail", "tariff")} = o.tariff
            and coalesce(${member("a.detail", "tariffUntil")}, '') = coalesce(cast(o.tariff_until as text), '')
        )`
  }
}

const payoutRules = (parts: Parts): Rules => {
  const { sql, dialect, tables } = parts
  const { payouts, referral_earnings, accounts, audit } = tables
  const { member } = dialect
  return {
    payouts_agree_with_earnings: flaws(parts, {
      subject: "p.id",
      from: sql`(select p.*, a.id as payee, count(e.id) as earnings, coalesce(sum(e.amount), 0) as earned,
          count(case when e.account_id = p.account_id and e.paid_out_at = p.paid_at then 1 end) as agreeing,
          count(case when e.id = p.up_to then 1 end) as last_ones
        from ${payouts} p left join ${referral_earnings} e on e.payout_id = p.id
        left join ${accounts} a on a.id = p.account_id
        group by p.id, p.account_id, p.amount, p.earning_count, p.up_to, p.note, p.paid_at, a.id) as p`,
      of: {
        "for no known account": "p.payee is null",
        "for nothing": "p.earnings = 0",
        "another sum than its earnings": "p.amount <> p.earned",
        "another number of earnings": "p.earning_count <> p.earnings",
        "an earning of another person or time": "p.agreeing <> p.earnings",
        "its last earning is of another": "p.last_ones <> 1",
        "without a note": "p.note = ''"
      }
    }),
    payouts_agree_with_records: flaws(parts, {
      subject: "p.id",
      from: sql`(select p.*, a.id as record_id, ${member("a.detail", "accountId")} as told_account,
          ${member("a.detail", "amount")} as told_amount
        from ${payouts} p left join ${audit} a on a.action = 'earning.paid_out' and a.subject = p.id) as p`,
      of: {
        "nothing in the audit log tells of it": "p.record_id is null",
        "another person than its record": "p.account_id <> p.told_account",
        "another amount than its record": "cast(p.amount as text) <> p.told_amount"
      }
    }),
    recorded_payouts_are_kept: sql`
      select coalesce(e.id, a.subject) as subject, 'its payout is gone' as detail
        from (select payout_id as subject from ${referral_earnings} where payout_id is not null
          union select subject from ${audit} where action = 'earning.paid_out' and detail is not null) as a
        left join ${referral_earnings} e on e.payout_id = a.subject
        left join ${payouts} p on p.id = a.subject
        where p.id is null`
  }
}
