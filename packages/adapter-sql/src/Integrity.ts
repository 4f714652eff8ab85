/** The core's `Integrity` in SQL: rules over one state of the data, each a statement or a passage through a table. */
import { type Finding, Integrity, type Report } from "@tolem/core/Integrity"
import { SecretBox } from "@tolem/core/SecretBox"
import { Clock, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import { Database } from "./Database.ts"
import { auditRules } from "./integrity/AuditRules.ts"
import { deliveryRules } from "./integrity/DeliveryRules.ts"
import { eventRules } from "./integrity/EventRules.ts"
import { invoiceRules } from "./integrity/InvoiceRules.ts"
import { merchantRules } from "./integrity/MerchantRules.ts"
import { refundRules } from "./integrity/RefundRules.ts"
import type { Parts, Rule } from "./integrity/Rule.ts"
import { physicalNotices, storageRules } from "./integrity/StorageRules.ts"
import { subscriptionRules } from "./integrity/SubscriptionRules.ts"
import { sweeps } from "./integrity/Sweeps.ts"
import { tariffRules } from "./integrity/TariffRules.ts"
import { totalRules } from "./integrity/TotalRules.ts"

/** The checks over the database. Secrets are tried with the keys of the box. */
export const layer: Layer.Layer<Integrity, never, Database | SecretBox> = Layer.effect(
  Integrity,
  Effect.gen(function* () {
    const database = yield* Database
    const box = yield* SecretBox
    const report = database.statement("Integrity.report", check(database, box), { writes: false, unhurried: true })
    return { report, findings: Effect.map(report, ({ findings }) => findings) }
  })
)

const rulesOf = (parts: Parts, box: SecretBox["Service"]): ReadonlyArray<Rule> => [
  // First: where pages are broken, what the others say or fail with comes from that.
  ...storageRules(parts),
  ...refundRules(parts),
  ...totalRules(parts),
  ...eventRules(parts),
  ...invoiceRules(parts),
  ...deliveryRules(parts),
  ...subscriptionRules(parts),
  ...tariffRules(parts),
  ...merchantRules(parts),
  ...auditRules(parts),
  ...sweeps(parts, box)
]

const check = Effect.fnUntraced(function* (
  { sql, dialect, tables }: Database["Service"],
  box: SecretBox["Service"]
): Effect.fn.Return<Report, SqlError.SqlError> {
  const parts: Parts = { sql, dialect, tables, now: yield* Clock.currentTimeMillis }
  const rules = rulesOf(parts, box)
  const report = Effect.gen(function* () {
    const findings: Array<Finding> = []
    for (const rule of rules) findings.push(...(yield* breachesOf(rule, findings)))
    return { rows: yield* rowsOf(parts), rules: rules.map(({ name }) => name), findings }
  })
  const found = yield* dialect.atOneMoment(report)
  const physical = yield* physicalNotices(parts)
  return { ...found, findings: [...found.findings, ...physical.findings], notices: physical.notices }
})

// A broken page fails whatever reads it, and that is a finding too, beside what the pages themselves have shown.
const breachesOf = ({ name, breaches }: Rule, before: ReadonlyArray<Finding>) => {
  const told = Effect.map(breaches, (all) => all.map((breach): Finding => ({ rule: name, ...breach })))
  return before.some(({ rule }) => rule === "pages_are_whole")
    ? Effect.catch(told, () => Effect.succeed([{ rule: name, subject: "database", detail: "cannot be checked" }]))
    : told
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
        full join ${tables.usage} u on u.organization_id = t.organization_id and u.period = t.period
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
          and (p.connection_id is null or p.connection_id = i.connection_id)
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

const rowsOf = Effect.fnUntraced(function* ({ sql, tables }: Parts) {
  const rows: Record<string, number> = {}
  for (const [name, table] of Object.entries(tables)) {
    const [counted] = yield* sql<{ readonly n: number }>`select count(*) as n from ${table}`
    rows[name] = counted?.n ?? 0
  }
  return rows
})
