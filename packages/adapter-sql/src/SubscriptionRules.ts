/** Rules that subscriptions must keep: they agree with their runs, and their runs with the invoices that exist. */
import type { Database } from "./Database.ts"
import type { Breach, Rules } from "./IntegrityRule.ts"

/** The rules, at most `limit` breaches each. */
export const subscriptionRules = (
  { sql, dialect, tables }: Pick<Database["Service"], "sql" | "dialect" | "tables">,
  limit: number
): Rules => {
  const { subscriptions, subscription_runs, subscription_events, invoices } = tables
  const most = sql.literal(`limit ${limit}`)
  const holds = (list: string, id: string) => sql`${dialect.position}(${sql.literal(list)}, ${sql.literal(id)}) > 0`

  return [
    [
      "runs_equal_rows",
      sql<Breach>`
        select coalesce(d.id, r.subscription_id) as subject,
          'runs ' || coalesce(d.runs, 0) || ', rows ' || coalesce(r.n, 0) || ' to ' || coalesce(r.high, 0) as detail
        from (select subscription_id, count(*) as n, max(run) as high
          from ${subscription_runs} group by subscription_id) as r
        full join ${subscriptions} d on d.id = r.subscription_id
        where d.id is null or d.runs <> coalesce(r.n, 0) or d.runs <> coalesce(r.high, 0)
        order by 1 ${most}`
    ],
    [
      "run_invoices_have_runs",
      sql<Breach>`
        select subject, detail from (
          select r.subscription_id as subject, 'run ' || r.run || ' names ' || r.invoice_id as detail
          from ${subscription_runs} r
          left join ${invoices} i on i.id = r.invoice_id and i.organization_id = r.organization_id and i.mode = r.mode
          where i.id is null
          union all
          select e.subscription_id, 'run ' || e.run || ' made ' || e.invoice_id from ${subscription_events} e
          left join ${invoices} i on i.id = e.invoice_id and i.organization_id = e.organization_id
          where e.invoice_id is not null and i.id is null
          union all
          select i.id, 'no run names it: ' || i.idempotency_key from ${invoices} i
          where i.fingerprint is null and i.idempotency_key like 'subscription/%' and not exists (
            select 1 from ${subscription_runs} r
            where r.subscription_id = substr(i.idempotency_key, 14, 30)
              and ${holds("r.invoice_ids", "'\"' || i.id || '\"'")}
          )
        ) as strays
        order by 1 ${most}`
    ],
    [
      "run_invoices_equal_events",
      sql<Breach>`
        select r.subscription_id as subject,
          'run ' || r.run || ' names ' || r.invoice_ids || ', its events ' || coalesce(e.n, 0) as detail
        from ${subscription_runs} r
        left join (select subscription_id, run, count(distinct invoice_id) as n
          from ${subscription_events} where invoice_id is not null group by subscription_id, run) as e
          on e.subscription_id = r.subscription_id and e.run = r.run
        where coalesce(e.n, 0) * 2 <> length(r.invoice_ids) - length(replace(r.invoice_ids, '"', ''))
          or exists (
            select 1 from ${subscription_events} m
            where m.subscription_id = r.subscription_id and m.run = r.run and m.invoice_id is not null
              and not ${holds("r.invoice_ids", "'\"' || m.invoice_id || '\"'")}
          )
        order by 1 ${most}`
    ],
    [
      "subscriptions_agree_with_runs",
      sql<Breach>`
        select d.id as subject, d.status || ', runs ' || d.runs || ' of ' || coalesce(d.max_runs, 0)
          || ', last ' || coalesce(d.last_invoice_id, 'none') as detail
        from ${subscriptions} d
        where (d.runs = 0 and (d.last_invoice_id is not null or d.last_run_at is not null))
          or (d.runs > 0 and not exists (
            select 1 from ${subscription_runs} r
            where r.subscription_id = d.id and r.run = d.runs and r.created_at = d.last_run_at
          ))
          or (d.runs > 0 and d.last_invoice_id is distinct from (
            select e.invoice_id from ${subscription_events} e
            where e.subscription_id = d.id and e.invoice_id is not null order by e.sequence desc limit 1
          ))
          or (d.status = 'finished' and (d.max_runs is null or d.runs < d.max_runs))
          or (d.status in ('active', 'paused') and d.runs >= d.max_runs)
        order by d.id ${most}`
    ],
    [
      "subscription_events_gap_free",
      sql<Breach>`
        select coalesce(d.id, e.subscription_id) as subject,
          'sequence ' || coalesce(d.sequence, 0) || ', events ' || coalesce(e.n, 0)
            || ' from ' || coalesce(e.low, 0) || ' to ' || coalesce(e.high, 0) as detail
        from (select subscription_id, count(*) as n, min(sequence) as low, max(sequence) as high
          from ${subscription_events} group by subscription_id) as e
        full join ${subscriptions} d on d.id = e.subscription_id
        where d.id is null or e.n is null or e.n <> d.sequence or e.low <> 1 or e.high <> d.sequence
        order by 1 ${most}`
    ]
  ]
}
