/** The core's `PartnerStore` in SQL. */
import type { Status } from "@tolem/core/invoice/Invoice"
import type { Mode } from "@tolem/core/Mode"
import { Tiyn } from "@tolem/core/Money"
import { PartnerStore, type StatusTotal } from "@tolem/core/partner/PartnerStore"
import { Effect, Layer } from "effect"
import { Database } from "./Database.ts"
import { type ConnectionRow, fromRow as toConnection } from "./rows/ConnectionRow.ts"
import { type OrganizationRow, toOrganization } from "./rows/MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<PartnerStore, never, Database> = Layer.effect(
  PartnerStore,
  Effect.map(Database, (database) => make(database))
)

interface TotalRow {
  readonly organization_id: string
  readonly mode: Mode
  readonly status: Status
  readonly month_count: number
  readonly month_amount: number
  readonly month_refunded: number
  readonly count: number
  readonly amount: number
  readonly refunded: number
}

interface ReferredRow {
  readonly id: string
  readonly name: string
  readonly created_at: number
  readonly accrued: number
  readonly paid_out: number
}

const make = ({ sql, tables, statement }: Database["Service"]): PartnerStore["Service"] => ({
  clients: Effect.fnUntraced(function* (partnerId, { limit, offset }) {
    const operation = "PartnerStore.clients"
    const select = sql<OrganizationRow>`
      select * from ${tables.organizations} where partner_id = ${partnerId} order by created_at desc, id desc
      limit cast(${limit} as bigint) offset cast(${offset} as bigint)`
    const count = sql<{ readonly n: number }>`
      select count(*) as n from ${tables.organizations} where partner_id = ${partnerId}`
    const rows = yield* statement(operation, select, { writes: false })
    const [counted] = yield* statement(operation, count, { writes: false })
    return { total: counted?.n ?? 0, organizations: rows.map(toOrganization) }
  }),

  statistics: (organizationIds, month) => {
    if (organizationIds.length === 0) return Effect.succeed([])
    const ofMonth = (column: string) =>
      sql`cast(sum(case when substr(day, 1, 7) = ${month} then ${sql.literal(column)} else 0 end) as bigint)`
    const select = sql<TotalRow>`
      select organization_id, mode, status,
        ${ofMonth("invoice_count")} as month_count, ${ofMonth("amount")} as month_amount,
        ${ofMonth("refunded")} as month_refunded,
        cast(sum(invoice_count) as bigint) as count, cast(sum(amount) as bigint) as amount,
        cast(sum(refunded) as bigint) as refunded
      from ${tables.daily_totals} where organization_id in ${sql.in(organizationIds)}
      group by organization_id, mode, status having sum(invoice_count) <> 0
      order by organization_id, mode, status`
    return Effect.map(statement("PartnerStore.statistics", select, { writes: false }), (rows) => rows.map(toTotal))
  },

  activeConnections: (organizationIds) => {
    if (organizationIds.length === 0) return Effect.succeed([])
    const select = sql<ConnectionRow>`
      select * from ${tables.connections}
      where organization_id in ${sql.in(organizationIds)} and status = 'active' order by created_at, id`
    return Effect.map(statement("PartnerStore.activeConnections", select, { writes: false }), (rows) =>
      rows.map((row) => toConnection(row, null))
    )
  },

  referred: (accountId) => {
    const sumOf = (state: string) =>
      sql`coalesce(cast(sum(case when e.state = ${state} then e.amount else 0 end) as bigint), 0)`
    const select = sql<ReferredRow>`
      select o.id, o.name, o.created_at, ${sumOf("accrued")} as accrued, ${sumOf("paid_out")} as paid_out
      from ${tables.organizations} o
      left join ${tables.referral_earnings} e on e.organization_id = o.id and e.account_id = o.referred_by
      where o.referred_by = ${accountId}
      group by o.id, o.name, o.created_at order by o.created_at, o.id`
    return Effect.map(statement("PartnerStore.referred", select, { writes: false }), (rows) =>
      rows.map((row) => ({
        organizationId: row.id,
        name: row.name,
        createdAt: row.created_at,
        accrued: Tiyn(row.accrued),
        paidOut: Tiyn(row.paid_out)
      }))
    )
  }
})

const toTotal = (row: TotalRow): StatusTotal => ({
  organizationId: row.organization_id,
  mode: row.mode,
  status: row.status,
  month: { count: row.month_count, amount: Tiyn(row.month_amount), refunded: Tiyn(row.month_refunded) },
  all: { count: row.count, amount: Tiyn(row.amount), refunded: Tiyn(row.refunded) }
})
