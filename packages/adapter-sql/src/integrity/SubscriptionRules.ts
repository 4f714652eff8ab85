/** Rules that subscriptions keep: they agree with their runs, and their runs with the invoices that exist. */
import { InvoiceKind } from "@tolem/core/invoice/Invoice"
import { flaws, isNoMode, isNone, neverMs, type Parts, type Rules, unique } from "./Rule.ts"

/** The rules. */
export const subscriptionRules = (parts: Parts): Rules => ({
  ...ownRules(parts),
  ...runRules(parts),
  ...runInvoiceRules(parts),
  ...historyRules(parts)
})

const statuses = ["active", "paused", "cancelled", "finished"]

const ownRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { subscriptions, connections, subscription_events: events } = tables
  return {
    subscriptions_are_sound: flaws(parts, {
      subject: "d.id",
      from: sql`${subscriptions} d left join ${connections} c on c.id = d.connection_id`,
      of: {
        "a cashier of another organization": "c.organization_id <> d.organization_id",
        "an unknown status": isNone("d.status", statuses),
        "an unknown mode": isNoMode("d.mode"),
        "an unknown kind": isNone("d.kind", InvoiceKind.literals),
        "no amount": "d.amount <= 0",
        "a push to no phone": "d.kind = 'phone' and d.customer_phone is null",
        "an unknown rhythm": `${isNone("d.step", ["day", "week", "month"])} or d.every < 1`,
        "no day of a month": "d.day_of_month not between 1 and 31 or d.day_of_month is not null and d.step <> 'month'",
        "retries that are no list": "d.retry_hours not like '[%]'",
        "an unknown way with missed dates": isNone("d.misfire", ["run_once", "skip"]),
        "a negative count": "d.runs < 0 or d.faults < 0 or d.next_index < 0 or d.max_runs < 1",
        "a fault that was not counted": "(d.fault is null) <> (d.faults = 0)",
        "a digest of no request": "d.fingerprint is not null and d.idempotency_key is null",
        "no version": "d.version < 1"
      }
    }),
    active_subscriptions_are_due: flaws(parts, {
      subject: "d.id",
      from: sql`${subscriptions} d`,
      of: {
        "nobody looks at it again": "d.status = 'active' and d.due_at is null",
        "due before its date": "d.status = 'active' and d.due_at < d.next_run_at",
        "due too late": `d.status = 'active' and d.due_at > d.next_run_at + ${neverMs}`,
        "due, and not active": "d.status <> 'active' and d.due_at is not null"
      }
    }),
    subscriptions_equal_events: flaws(parts, {
      subject: "d.id",
      from: sql`${subscriptions} d join (
        select subscription_id,
          max(case when type = 'subscription.created' then sequence else 0 end) as created,
          max(case when type = 'subscription.paused' then sequence else 0 end) as paused,
          max(case when type = 'subscription.resumed' then sequence else 0 end) as resumed,
          max(case when type = 'subscription.cancelled' then sequence else 0 end) as cancelled,
          max(case when type = 'subscription.finished' then sequence else 0 end) as finished,
          sum(case when type = 'subscription.run' then 1 else 0 end) as runs,
          min(created_at) as first_at, max(case when sequence = 1 then created_at end) as created_at
        from ${events} group by subscription_id) as e on e.subscription_id = d.id`,
      of: {
        "another status than its events":
          "d.status <> case when e.cancelled > 0 then 'cancelled' when e.finished > 0 then 'finished'" +
          " when e.paused > e.resumed then 'paused' else 'active' end",
        "another beginning than its events": "e.created <> 1 or e.created_at <> d.created_at",
        "another number of runs than its events": "e.runs <> d.runs"
      }
    })
  }
}

const runRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { subscriptions, subscription_runs, subscription_events, invoices } = tables
  return {
    runs_are_sound: flaws(parts, {
      subject: "r.subscription_id || ' ' || r.run",
      from: sql`${subscription_runs} r left join ${subscriptions} d on d.id = r.subscription_id`,
      of: {
        "of no subscription": "d.id is null",
        "another organization": "r.organization_id <> d.organization_id",
        "another mode": "r.mode <> d.mode",
        "an unknown status": isNone("r.status", ["issuing", "open", "ended"]),
        "another invoice than the last of its own": "r.invoice_ids not like '[%\"' || r.invoice_id || '\"]'",
        "a negative count": "r.faults < 0 or r.run < 1",
        "ended and due": "r.status = 'ended' and r.due_at is not null",
        "nobody looks at it again": "r.status = 'issuing' and r.due_at is null",
        "due too late": `r.due_at > r.updated_at + ${neverMs}`
      }
    }),
    // Late money on an earlier invoice of a run ends it before the newest one is cancelled.
    ended_runs_have_ended_invoices: sql`
      select r.subscription_id || ' ' || r.run as subject, r.invoice_id || ' is open, and nothing follows' as detail
        from ${subscription_runs} r join ${invoices} i on i.id = r.invoice_id
        where r.status = 'ended' and i.status in ('new', 'pending') and not exists (
          select 1 from ${subscription_events} e join ${invoices} p on p.id = e.invoice_id
          where e.subscription_id = r.subscription_id and e.run = r.run and p.paid_at is not null)`,
    one_run_of_a_date: unique(parts, {
      from: subscription_runs,
      of: ["subscription_id", "scheduled_at"],
      where: "scheduled_at is not null"
    }),
    runs_equal_rows: sql`select coalesce(d.id, r.subscription_id) as subject,
          'runs ' || coalesce(d.runs, 0) || ', rows ' || coalesce(r.n, 0) || ' to ' || coalesce(r.high, 0) as detail
        from (select subscription_id, count(*) as n, max(run) as high
          from ${subscription_runs} group by subscription_id) as r
        full join ${subscriptions} d on d.id = r.subscription_id
        where d.id is null or d.runs <> coalesce(r.n, 0) or d.runs <> coalesce(r.high, 0)`
  }
}

const runInvoiceRules = (parts: Parts): Rules => {
  const { sql, dialect, tables } = parts
  const { subscriptions, subscription_runs, subscription_events, invoices } = tables
  const holds = (list: string, id: string) => sql`${dialect.position}(${sql.literal(list)}, ${sql.literal(id)}) > 0`
  return {
    run_invoices_have_runs: sql`select subject, detail from (
          select r.subscription_id as subject, 'run ' || r.run || ' names ' || r.invoice_id as detail
          from ${subscription_runs} r
          left join ${invoices} i on i.id = r.invoice_id and i.organization_id = r.organization_id and i.mode = r.mode
          where i.id is null
          union all
          select e.subscription_id, 'run ' || e.run || ' made ' || e.invoice_id from ${subscription_events} e
          left join ${invoices} i on i.id = e.invoice_id and i.organization_id = e.organization_id
          where e.invoice_id is not null and i.id is null
          union all
          select i.id, 'no run names it: ' || i.origin from ${invoices} i
          where i.origin like 'subscription/%' and not exists (
            select 1 from ${subscription_runs} r
            where r.subscription_id = substr(i.origin, 14, 30)
              and ${holds("r.invoice_ids", "'\"' || i.id || '\"'")}
          )
        ) as strays`,
    run_invoices_equal_events: sql`select r.subscription_id as subject,
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
          )`,
    subscriptions_agree_with_runs: sql`
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
          or (d.status in ('active', 'paused') and d.runs >= d.max_runs)`
  }
}

const historyRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { subscriptions, subscription_events } = tables
  return {
    subscription_events_are_sound: flaws(parts, {
      subject: "e.id",
      from: sql`${subscription_events} e left join ${subscriptions} d on d.id = e.subscription_id`,
      of: {
        "another organization": "e.organization_id <> d.organization_id",
        "an unknown source": isNone("e.source", ["api", "cabinet", "provider", "schedule", "system"]),
        "an unknown type": isNone("e.type", types),
        "a run without its invoice":
          "e.type in ('subscription.run', 'subscription.reissued') and (e.run is null or e.invoice_id is null)",
        "an invoice of no run":
          "e.type not in ('subscription.run', 'subscription.reissued') and e.invoice_id is not null",
        "a failure without its code": "(e.type = 'subscription.run_failed') <> (e.code is not null)"
      }
    }),
    subscription_event_ids_are_unique: unique(parts, { from: subscription_events, of: ["id"] }),
    subscription_events_gap_free: sql`select coalesce(d.id, e.subscription_id) as subject,
          'sequence ' || coalesce(d.sequence, 0) || ', events ' || coalesce(e.n, 0)
            || ' from ' || coalesce(e.low, 0) || ' to ' || coalesce(e.high, 0) as detail
        from (select subscription_id, count(*) as n, min(sequence) as low, max(sequence) as high
          from ${subscription_events} group by subscription_id) as e
        full join ${subscriptions} d on d.id = e.subscription_id
        where d.id is null or e.n is null or e.n <> d.sequence or e.low <> 1 or e.high <> d.sequence`
  }
}

const types = [
  "created",
  "changed",
  "paused",
  "resumed",
  "cancelled",
  "finished",
  "run",
  "reissued",
  "skipped",
  "run_failed"
].map((type) => `subscription.${type}`)
