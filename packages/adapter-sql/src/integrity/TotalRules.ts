/** Rules about what is counted: totals of days, and what is used of tariffs. */
import { holding } from "../invoice/LinkTotals.ts"
import { shardOf, shardsOfKinds, sourceOf, withinKind } from "../invoice/TotalKinds.ts"
import type { Parts, Rules } from "./Rule.ts"

/** The rules. */
export const totalRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { invoices, daily_totals, usage, link_totals } = tables
  const holds = holding(sql)
  // A server of an earlier version leaves it out, and counts every live invoice on its first day.
  const countedOn = sql.literal("coalesce(counted_on, day)")
  return {
    usage_equals_rows: sql`
      select coalesce(u.organization_id, t.organization_id) || ' ' || coalesce(u.period, t.period) as subject,
          'counted ' || coalesce(u.used, 0) || ', invoices ' || coalesce(t.n, 0) as detail
        from (
          select organization_id, ${countedOn} as period, count(*) as n
          from ${invoices} where mode = 'live' and ${countedOn} <> '' group by 1, 2
          union all
          select organization_id, substr(${countedOn}, 1, 7) as period, count(*) as n
          from ${invoices} where mode = 'live' and ${countedOn} <> '' group by 1, 2
        ) as t
        full join (select * from ${usage} where period not like '%/%') as u
          on u.organization_id = t.organization_id and u.period = t.period
        where coalesce(u.used, 0) <> coalesce(t.n, 0)`,
    totals_equal_rows: sql`
      select organization_id || ' ' || mode || ' ' || connection_id || ' ' || status || ' ' || day as subject,
          'totals are off by ' || sum(n) || ' invoices, amount ' || sum(a) || ', refunded ' || sum(r) as detail
        from (
          select organization_id, mode, connection_id, status, day, invoice_count as n, amount as a, refunded as r
          from ${daily_totals}
          union all
          select organization_id, mode, coalesce(connection_id, ''), status, day, -1, -amount, -refunded
          from ${invoices}
        ) as balance
        group by organization_id, mode, connection_id, status, day
        having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0`,
    // Days in which a server of an earlier version has counted are of all kinds.
    totals_of_kinds_equal_rows: sql`
      select organization_id || ' ' || mode || ' ' || connection_id || ' ' || status || ' ' || day || ' '
            || coalesce(kind, '') || ' ' || coalesce(source, '') as subject,
          'totals of a kind are off by ' || n || ' invoices, amount ' || a || ', refunded ' || r as detail
        from (
          select organization_id, mode, connection_id, status, day, kind, source, shard,
            sum(n) as n, sum(a) as a, sum(r) as r
          from (
            select organization_id, mode, connection_id, status, day, kind, source,
              shard - ${sql.literal(withinKind("shard"))} as shard, invoice_count as n, amount as a, refunded as r
            from ${daily_totals}
            where kind is not null or source is not null or shard >= ${sql.literal(shardsOfKinds)}
            union all
            select organization_id, mode, coalesce(connection_id, ''), status, day, kind, ${sql.literal(sourceOf)},
              ${sql.literal(shardOf("0"))}, -1, -amount, -refunded
            from ${invoices}
          ) as parts
          group by organization_id, mode, connection_id, status, day, kind, source, shard
          having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0
        ) as balance
        where not exists (
          select 1 from ${daily_totals} m
          where m.organization_id = balance.organization_id and m.mode = balance.mode and m.day = balance.day
            and m.kind is null and m.source is null and m.shard < ${sql.literal(shardsOfKinds)})`,
    link_totals_equal_rows: sql`
      select link_id as subject, 'sums of a link are off by ' || sum(n) || ' invoices, ' || sum(h) || ' held, '
          || sum(p) || ' paid, amount ' || sum(a) || ', refunded ' || sum(r) as detail
        from (
          select link_id, made as n, held as h, paid as p, paid_amount as a, refunded as r from ${link_totals}
          union all
          select substr(origin, 14), -1, case when ${holds} then -1 else 0 end,
            case when paid_at is null then 0 else -1 end, case when paid_at is null then 0 else -amount end, -refunded
          from ${invoices} where origin like 'payment-link/%'
        ) as balance
        group by link_id
        having sum(n) <> 0 or sum(h) <> 0 or sum(p) <> 0 or sum(a) <> 0 or sum(r) <> 0`
  }
}
