/** The core's `PartnerStore` in SQL. */
import type { InvoiceStatus } from "@tolem/core/invoice/Invoice"
import type { Account } from "@tolem/core/merchant/Merchant"
import { PartnerStore, type Referred, type StatusTotal } from "@tolem/core/partner/PartnerStore"
import type { Mode } from "@tolem/core/value/Mode"
import { Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import { Database } from "../base/Database.ts"
import { type ConnectionRow, toShownConnection } from "./ConnectionRow.ts"
import { type OrganizationRow, organizationTable } from "./MerchantRows.ts"

/** The store over the database. */
export const layer: Layer.Layer<PartnerStore, never, Database> = Layer.effect(
  PartnerStore,
  Effect.map(Database, (database) => make(database))
)

interface TotalRow {
  readonly organization_id: string
  readonly mode: Mode
  readonly status: InvoiceStatus
  readonly month_count: number
  readonly month_amount: number | bigint
  readonly month_refunded: number | bigint
  readonly count: number
  readonly amount: number | bigint
  readonly refunded: number | bigint
}

interface ReferredRow {
  readonly id: string
  readonly name: string
  readonly created_at: number
  readonly accrued: number | bigint
  readonly paid_out: number | bigint
}

const make = ({ sql, dialect, tables, snapshot }: Database["Service"]): PartnerStore["Service"] => {
  /** Sums may be more than a number holds. */
  const exactSnapshot: typeof snapshot = (operation, selects) => dialect.exact(snapshot(operation, selects))
  const totals = (organizations: Statement.Fragment, month: string) => {
    const ofMonth = (column: string) =>
      sql`cast(sum(case when substr(day, 1, 7) = ${month} then ${sql.literal(column)} else 0 end) as bigint)`
    return sql<TotalRow>`
      select organization_id, mode, status,
        ${ofMonth("invoice_count")} as month_count, ${ofMonth("amount")} as month_amount,
        ${ofMonth("refunded")} as month_refunded,
        cast(sum(invoice_count) as bigint) as count, cast(sum(amount) as bigint) as amount,
        cast(sum(refunded) as bigint) as refunded
      from ${tables.daily_totals} where organization_id in (${organizations})
      group by organization_id, mode, status having sum(invoice_count) <> 0
      order by organization_id, mode, status`
  }

  const clients: PartnerStore["Service"]["clients"] = Effect.fnUntraced(function* (partnerId, month, page) {
    const ofPartner = sql`from ${tables.organizations} o where o.partner_id = ${partnerId}`
    const chosen = sql`${ofPartner} order by o.created_at desc, o.id desc
      limit cast(${page.limit} as bigint) offset cast(${page.offset} as bigint)`
    const ids = sql`select id from (select o.id ${chosen}) as chosen`
    const rows = yield* exactSnapshot("PartnerStore.clients", {
      counted: sql<{ readonly total: number }>`select count(*) as total ${ofPartner}`,
      organizations: sql<OrganizationRow>`select o.* ${chosen}`,
      totals: totals(ids, month),
      connections: sql<ConnectionRow>`
        select * from ${tables.connections} where organization_id in (${ids}) and status = 'active'
        order by created_at, id`
    })
    const totalsOf = Map.groupBy(rows.totals.map(toTotal), ({ organizationId }) => organizationId)
    const connectionsOf = Map.groupBy(rows.connections.map(toShownConnection), ({ organizationId }) => organizationId)
    return {
      total: rows.counted[0]?.total ?? 0,
      clients: rows.organizations.map((row) => ({
        organization: organizationTable.decode(row),
        totals: totalsOf.get(row.id) ?? [],
        connections: connectionsOf.get(row.id) ?? []
      }))
    }
  })

  const client: PartnerStore["Service"]["client"] = Effect.fnUntraced(function* (id, month) {
    const rows = yield* exactSnapshot("PartnerStore.client", {
      organizations: sql<OrganizationRow & { readonly owner_status: Account["status"] }>`
        select o.*, a.status as owner_status from ${tables.organizations} o
        join ${tables.accounts} a on a.id = o.owner_id where o.id = ${id}`,
      totals: totals(sql`${id}`, month),
      connections: sql<ConnectionRow>`
        select * from ${tables.connections} where organization_id = ${id} order by created_at, id`
    })
    return Option.map(Option.fromUndefinedOr(rows.organizations[0]), (row) => ({
      organization: organizationTable.decode(row),
      ownerStatus: row.owner_status,
      totals: rows.totals.map(toTotal),
      connections: rows.connections.map(toShownConnection)
    }))
  })

  const earned: PartnerStore["Service"]["earned"] = Effect.fnUntraced(function* (accountId, partnerId) {
    const sumOf = (state: string) =>
      sql`coalesce(cast(sum(case when e.state = ${state} then e.amount else 0 end) as bigint), 0)`
    const opened = partnerId === null ? sql.literal("") : sql`or o.partner_id = ${partnerId}`
    const { accounts, referred } = yield* exactSnapshot("PartnerStore.earned", {
      accounts: sql<{ readonly referral_code: string }>`
        select referral_code from ${tables.accounts} where id = ${accountId}`,
      referred: sql<ReferredRow>`
        select o.id, o.name, o.created_at, ${sumOf("accrued")} as accrued, ${sumOf("paid_out")} as paid_out
        from ${tables.organizations} o
        left join ${tables.referral_earnings} e on e.organization_id = o.id and e.account_id = ${accountId}
        where o.referred_by = ${accountId} ${opened}
        group by o.id, o.name, o.created_at order by o.created_at, o.id`
    })
    return { referralCode: accounts[0]?.referral_code ?? "", referred: referred.map(toReferred) }
  })

  return { clients, client, earned }
}

const toReferred = (row: ReferredRow): Referred => ({
  organizationId: row.id,
  name: row.name,
  createdAt: row.created_at,
  accrued: BigInt(row.accrued),
  paidOut: BigInt(row.paid_out)
})

const toTotal = (row: TotalRow): StatusTotal => ({
  organizationId: row.organization_id,
  mode: row.mode,
  status: row.status,
  month: { count: row.month_count, amount: BigInt(row.month_amount), refunded: BigInt(row.month_refunded) },
  all: { count: row.count, amount: BigInt(row.amount), refunded: BigInt(row.refunded) }
})
