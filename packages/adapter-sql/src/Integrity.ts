/** The core's `Integrity` in SQL: each rule is one statement, so that it sees one state of the data. */
import { type Finding, Integrity } from "@tolem/core/Integrity"
import { EventKind } from "@tolem/core/webhook/Webhook"
import { Effect, Layer } from "effect"
import { Database } from "./Database.ts"
import type { Breach, Rules } from "./IntegrityRule.ts"
import { deliveryId } from "./InvoiceCommit.ts"
import { subscriptionRules } from "./SubscriptionRules.ts"

/** The checks over the database. */
export const layer: Layer.Layer<Integrity, never, Database> = Layer.effect(
  Integrity,
  Effect.map(Database, (database) => ({
    findings: findings(database, [...rules(database), ...subscriptionRules(database, maxFindings)])
  }))
)

const findings = ({ statement }: Database["Service"], rules: Rules) =>
  Effect.map(
    Effect.forEach(rules, ([rule, select]) =>
      Effect.map(statement("Integrity.findings", select, { writes: false, unhurried: true }), (breaches) =>
        breaches.map(({ subject, detail }): Finding => ({ rule, subject, detail }))
      )
    ),
    (found) => found.flat()
  )

const maxFindings = 1000

// Clocks of servers differ, and a change of an endpoint may meet an event that was decided just before it.
const settledMs = 10_000

const rules = ({ sql, dialect, tables }: Database["Service"]): Rules => {
  const { invoices, events, refunds, daily_totals, endpoints, deliveries } = tables
  const limit = sql.literal(`limit ${maxFindings}`)
  const refundedOf = sql`
    select invoice_id, sum(amount) as refunded from ${refunds} where status = 'succeeded' group by invoice_id`

  return [
    [
      "refunds_within_payment",
      sql<Breach>`
        select i.id as subject, 'paid ' || i.amount || ', refunded ' || coalesce(r.refunded, i.refunded) as detail
        from ${invoices} i left join (${refundedOf}) as r on r.invoice_id = i.id
        where i.refunded > i.amount or r.refunded > i.amount
        order by i.id ${limit}`
    ],
    [
      "refunded_equals_refunds",
      sql<Breach>`
        select i.id as subject, 'invoice ' || i.refunded || ', records ' || coalesce(r.refunded, 0) as detail
        from ${invoices} i left join (${refundedOf}) as r on r.invoice_id = i.id
        where i.refunded <> coalesce(r.refunded, 0)
        order by i.id ${limit}`
    ],
    [
      "usage_equals_totals",
      sql<Breach>`
        select coalesce(u.organization_id, t.organization_id) || ' ' || coalesce(u.period, t.period) as subject,
          'counted ' || coalesce(u.used, 0) || ', totals ' || coalesce(t.n, 0) as detail
        from (
          select organization_id, day as period, sum(invoice_count) as n
          from ${daily_totals} where mode = 'live' group by 1, 2
          union all
          select organization_id, substr(day, 1, 7) as period, sum(invoice_count) as n
          from ${daily_totals} where mode = 'live' group by 1, 2
        ) as t
        full join (select * from ${tables.usage} where period not like '%/%') as u
          on u.organization_id = t.organization_id and u.period = t.period
        where coalesce(u.used, 0) <> coalesce(t.n, 0)
        order by 1 ${limit}`
    ],
    [
      "totals_equal_rows",
      sql<Breach>`
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
        having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0
        order by 1 ${limit}`
    ],
    [
      "sequences_gap_free",
      sql<Breach>`
        select coalesce(i.id, e.invoice_id) as subject,
          'sequence ' || coalesce(i.sequence, 0) || ', events ' || coalesce(e.n, 0)
            || ' from ' || coalesce(e.low, 0) || ' to ' || coalesce(e.high, 0) as detail
        from (select invoice_id, count(*) as n, min(sequence) as low, max(sequence) as high
          from ${events} group by invoice_id) as e
        full join ${invoices} i on i.id = e.invoice_id
        where i.id is null or e.n is null or e.n <> i.sequence or e.low <> 1 or e.high <> i.sequence
        order by 1 ${limit}`
    ],
    [
      "status_equals_last_event",
      sql<Breach>`
        select i.id as subject, 'invoice ' || i.status || ', event ' || e.to_status as detail
        from ${invoices} i join ${events} e on e.invoice_id = i.id and e.sequence = i.sequence
        where e.to_status <> i.status
        order by i.id ${limit}`
    ],
    [
      "events_have_deliveries",
      sql<Breach>`
        select v.id as subject, v.type || ' has no delivery to endpoint ' || p.id as detail
        from ${events} v
        join ${invoices} i on i.id = v.invoice_id
        join ${endpoints} p on p.organization_id = v.organization_id and p.mode = i.mode
        where v.type in ${sql.in(EventKind.literals)}
          and p.disabled = 0 and p.removed_at is null
          and p.updated_at <= v.created_at - cast(${settledMs} as bigint)
          and (p.events = '' or ${dialect.position}(p.events, ',' || v.type || ',') > 0)
          and not exists (
            select 1 from ${deliveries} d
            where d.id = ${deliveryId(sql, "v", "p")} and d.endpoint_id = p.id and d.event_id = v.id
          )
        order by v.id, p.id ${limit}`
    ]
  ]
}
