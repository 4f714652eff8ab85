/** Rules about the events of an invoice: each follows from the one before, and the last one is the invoice's state. */
import { announcedTypes, lostStatuses } from "@tolem/core/invoice/Consequences"
import { deliveryId } from "../invoice/InvoiceCommit.ts"
import { flaws, isNoFlag, isNone, type Parts, type Rules, removedBefore, skewMs, unique } from "./Rule.ts"

const sources = ["api", "cabinet", "provider", "schedule", "system"]

// What `decide` of the core allows, as `from>to`.
const steps = [
  ...["pending", "paid", "failed", "expired", "cancelled"].map((to) => `new>${to}`),
  ...["paid", "failed", "expired", "cancelled"].map((to) => `pending>${to}`),
  "expired>paid",
  "cancelled>paid",
  ...["paid", "partially_refunded"].flatMap((from) => [`${from}>partially_refunded`, `${from}>refunded`])
]

/** The rules. */
export const eventRules = (parts: Parts): Rules => ({ ...historyRules(parts), ...announcementRules(parts) })

/** Events, each with what the one before it says. */
const chainedEvents = ({ sql, tables }: Parts) => sql`(select e.*,
      lag(e.to_status) over (partition by e.invoice_id order by e.sequence) as before_status,
      lag(e.refunded) over (partition by e.invoice_id order by e.sequence) as before_refunded
    from ${tables.events} e) as e`

const historyRules = (parts: Parts): Rules => {
  const { sql, tables } = parts
  const { invoices, events, refunds } = tables
  const chained = chainedEvents(parts)
  return {
    sequences_gap_free: sql`select coalesce(i.id, e.invoice_id) as subject,
          'sequence ' || coalesce(i.sequence, 0) || ', events ' || coalesce(e.n, 0)
            || ' from ' || coalesce(e.low, 0) || ' to ' || coalesce(e.high, 0) as detail
        from (select invoice_id, count(*) as n, min(sequence) as low, max(sequence) as high
          from ${events} group by invoice_id) as e
        full join ${invoices} i on i.id = e.invoice_id
        where i.id is null or e.n is null or e.n <> i.sequence or e.low <> 1 or e.high <> i.sequence`,
    status_equals_last_event: sql`select i.id as subject, 'invoice ' || i.status || ', event ' || e.to_status as detail
        from ${invoices} i join ${events} e on e.invoice_id = i.id and e.sequence = i.sequence
        where e.to_status <> i.status`,
    last_events_tell_the_state: flaws(parts, {
      subject: "i.id",
      from: sql`${invoices} i join ${events} e on e.invoice_id = i.id and e.sequence = i.sequence`,
      of: {
        "another refunded sum": "e.refunded <> i.refunded",
        "another time": "i.sequence > 1 and i.version = i.sequence and e.created_at <> i.updated_at"
      }
    }),
    events_follow: flaws(parts, {
      subject: "e.id",
      from: sql`${chained} join ${invoices} i on i.id = e.invoice_id`,
      of: {
        "another organization": "e.organization_id <> i.organization_id",
        "an unknown source": isNone("e.source", sources),
        "a flag that is none": isNoFlag("e.late"),
        "a beginning that is none":
          "e.sequence = 1 and (e.type <> 'invoice.created' or e.from_status is not null" +
          " or e.to_status not in ('new', 'pending') or e.created_at <> i.created_at or e.refunded <> 0)",
        "another type than its status": "e.sequence > 1 and e.type <> 'invoice.' || e.to_status",
        "not from where the one before went": "e.sequence > 1 and e.from_status is distinct from e.before_status",
        "a step that cannot be": `e.sequence > 1 and ${isNone("e.from_status || '>' || e.to_status", steps)}`,
        "late, unlike its step":
          "e.late <> case when e.to_status = 'paid' and e.from_status in ('expired', 'cancelled') then 1 else 0 end",
        "a refunded sum that does not follow":
          "e.sequence > 1 and case when e.to_status in ('refunded', 'partially_refunded')" +
          " then e.refunded <= e.before_refunded else e.refunded <> e.before_refunded end",
        "another sum than its status says":
          "(e.to_status = 'refunded') <> (e.refunded = i.amount) and e.sequence > 1" + " or e.refunded > i.amount"
      }
    }),
    // The sums of the events grow by the refunds, whatever their order.
    refund_events_equal_refunds: sql`select invoice_id as subject,
          'refunds of ' || amount || ': ' || sum(told) || ' events, ' || sum(made) || ' records' as detail
        from (
          select e.invoice_id, e.refunded - e.before_refunded as amount, 1 as told, 0 as made from ${chained}
          where e.sequence > 1 and e.to_status in ('refunded', 'partially_refunded')
          union all
          select invoice_id, amount, 0, 1 from ${refunds} where status = 'succeeded'
        ) as both_sides
        group by invoice_id, amount having sum(told) <> sum(made)`,
    event_ids_are_unique: unique(parts, { from: events, of: ["id"] })
  }
}

const announcementRules = (parts: Parts): Rules => {
  const { sql, dialect, tables } = parts
  const { invoices, events, endpoints, deliveries, organizations } = tables
  // Deliveries go by real time. What a sandbox says happened was at most so much earlier as its clock is ahead.
  const isOld = sql`v.created_at - coalesce(
      (select o.clock_ahead_ms from ${organizations} o where o.id = v.organization_id), 0)
    < ${removedBefore(parts, "deliveries")}`
  return {
    events_have_deliveries: sql`select v.id as subject, v.type || ' has no delivery to endpoint ' || p.id as detail
        from ${events} v
        join ${invoices} i on i.id = v.invoice_id
        join ${endpoints} p on p.organization_id = v.organization_id and p.mode = i.mode
        where v.type in ${sql.in(announcedTypes)}
          and (v.from_status <> 'new' or ${sql.literal(isNone("v.to_status", lostStatuses))} or i.origin is not null)
          and p.disabled = 0 and p.removed_at is null
          and (p.connection_id is null or p.connection_id = i.connection_id)
          and p.updated_at <= v.created_at - cast(${skewMs} as bigint)
          and (p.events = '' or ${dialect.position}(p.events, ',' || v.type || ',') > 0)
          and not exists (
            select 1 from ${deliveries} d
            where d.id = ${deliveryId(sql, "v", "p")} and d.endpoint_id = p.id and d.event_id = v.id
          )
          and not (${isOld})`,
    // What an event was announced to is counted with it, so that no later change of an endpoint hides what is gone.
    announced_deliveries_are_kept: sql`
      select v.id as subject, 'announced ' || v.announced || ' times, deliveries ' || count(d.id) as detail
        from ${events} v
        left join ${deliveries} d on d.invoice_id = v.invoice_id and d.sequence = v.sequence and d.event_id = v.id
          and d.id = 'dlv_' || substr(v.id, 5) || '_' || substr(d.endpoint_id, 5)
        where v.announced is not null
        group by v.id, v.announced, v.created_at, v.organization_id
        having count(d.id) > v.announced or (count(d.id) < v.announced and not (${isOld}))`
  }
}
