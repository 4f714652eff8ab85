/** The core's `TariffStore` in SQL. */
import { type Earning, type TariffOrder, TariffStore, type Term, type Usage } from "@tolem/core/tariff/TariffStore"
import { dayOf } from "@tolem/core/value/Calendar"
import type { OrganizationId } from "@tolem/core/value/Ids"
import type { Mode } from "@tolem/core/value/Mode"
import { Tiyn } from "@tolem/core/value/Money"
import { Data, Effect, Layer, Option } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import { type ConnectionRow, connectionOf as toConnection } from "../merchant/ConnectionRow.ts"
import { type OrganizationRow, toOrganization } from "../merchant/MerchantRows.ts"
import * as Chains from "../seal/Chains.ts"
import { paysForOrder } from "./OrderInvoice.ts"

/** The store over the database. */
export const layer: Layer.Layer<TariffStore, never, Database> = Layer.effect(
  TariffStore,
  Effect.map(Database, (database) => ({ ...terms(database), ...orders(database), ...earnings(database) }))
)

type Terms = Pick<TariffStore["Service"], "usage" | "standing" | "setTerm">
type Orders = Pick<TariffStore["Service"], "addOrder" | "paidOrders" | "fulfil">
type Earnings = Pick<TariffStore["Service"], "earnings" | "payOut">

/** Undoes what was written before it. */
class Overtaken extends Data.TaggedError("Overtaken") {}

const updateTerm = (database: Database["Service"], id: string, before: Term, after: Term) => {
  const { sql, tables } = database
  const update = sql`
    update ${tables.organizations} set
      tariff = ${after.tariff}, tariff_until = cast(${after.tariffUntil} as bigint)
    where id = ${id} and tariff = ${before.tariff}
      and coalesce(tariff_until, -1) = cast(${before.tariffUntil ?? -1} as bigint)
    returning *`
  return Chains.make(database).following("organizations", sql`id = ${id}`, update)
}

interface UsageRow {
  readonly period: string
  readonly used: number
}

const toUsage = (rows: ReadonlyArray<UsageRow>, at: number): Usage => {
  const usedIn = (period: string) => rows.find((row) => row.period === period)?.used ?? 0
  const day = dayOf(at)
  return { month: usedIn(day.slice(0, 7)), day: usedIn(day) }
}

const terms = (database: Database["Service"]): Terms => {
  const { sql, tables, statement, snapshot } = database
  const audits = AuditLog.make(database)
  const selectUsage = (organizationId: OrganizationId, at: number) => {
    const day = dayOf(at)
    return sql<UsageRow>`
      select period, used from ${tables.usage}
      where organization_id = ${organizationId} and period in (${day.slice(0, 7)}, ${day})`
  }
  return {
    usage: (organizationId, at) =>
      Effect.map(statement("TariffStore.usage", selectUsage(organizationId, at), { writes: false }), (rows) =>
        toUsage(rows, at)
      ),
    standing: Effect.fnUntraced(function* (organizationId, at) {
      const { organizations, usage, connections } = yield* snapshot("TariffStore.standing", {
        organizations: sql<OrganizationRow>`select * from ${tables.organizations} where id = ${organizationId}`,
        usage: selectUsage(organizationId, at),
        connections: sql<ConnectionRow>`
          select * from ${tables.connections} where organization_id = ${organizationId} order by created_at, id`
      })
      return Option.map(Option.fromUndefinedOr(organizations[0]), (row) => ({
        organization: toOrganization(row),
        usage: toUsage(usage, at),
        connections: connections.map((connection) => toConnection(connection, null))
      }))
    }),
    setTerm: (organizationId, before, after, audit) =>
      Effect.map(
        audits.chaining("TariffStore.setTerm", updateTerm(database, organizationId, before, after), audit),
        (rows) => rows.length > 0
      )
  }
}

interface OrderRow {
  readonly id: string
  readonly organization_id: string
  readonly tariff: string
  readonly months: number
  readonly amount: number
  readonly seller_id: string
  readonly seller_mode: Mode
  readonly created_at: number
}

const toOrder = (row: OrderRow): TariffOrder => ({
  id: row.id,
  organizationId: row.organization_id,
  tariff: row.tariff,
  months: row.months,
  amount: Tiyn(row.amount),
  sellerId: row.seller_id,
  sellerMode: row.seller_mode,
  createdAt: row.created_at
})

const orders = (database: Database["Service"]): Orders => {
  const { sql, dialect, tables, statement, transaction } = database
  const audits = AuditLog.make(database)
  const chains = Chains.make(database)

  const addOrder = (order: TariffOrder) => {
    const { id, organizationId, tariff, months, amount, sellerId, sellerMode, createdAt } = order
    const insert = sql<OrderRow>`insert into ${tables.tariff_orders}
      (id, organization_id, tariff, months, amount, seller_id, seller_mode, created_at)
      values (${id}, ${organizationId}, ${tariff}, ${months}, ${amount}, ${sellerId}, ${sellerMode}, ${createdAt})
      returning *`
    const write = Effect.flatMap(insert, (rows) => chains.append(rows.map((row) => ({ kind: "tariff_orders", row }))))
    return transaction("TariffStore.addOrder", write)
  }

  const paidOrders = (since: number, limit: number) => {
    const select = sql<OrderRow>`
      select o.* from ${tables.tariff_orders} o
      join ${tables.invoices} i on ${sql.literal(paysForOrder)}
      where o.applied_at is null and o.created_at >= cast(${since} as bigint)
        and i.paid_at is not null and i.amount >= o.amount
      order by o.created_at, o.id limit cast(${limit} as bigint)`
    return Effect.map(statement("TariffStore.paidOrders", select, { writes: false }), (rows) => rows.map(toOrder))
  }

  const insertEarning = ({ id, accountId, organizationId, orderId, amount, state, createdAt }: Earning) =>
    sql<EarningRow>`insert into ${tables.referral_earnings}
      (id, account_id, organization_id, order_id, amount, state, created_at, paid_out_at)
      values (${id}, ${accountId}, ${organizationId}, ${orderId}, ${amount}, ${state}, ${createdAt}, null)
      returning *`

  const fulfil: Orders["fulfil"] = ({ order, before, after, earning, now, audit }) => {
    const write = Effect.gen(function* () {
      const [open] = yield* sql<OrderRow>`
        select o.* from ${tables.tariff_orders} o where o.id = ${order.id} and o.applied_at is null
        ${dialect.lockRows("o")}`
      if (open === undefined) return yield* new Overtaken()
      const isTrusted = yield* chains.isTrusted("tariff_orders", open)
      const applied = yield* sql<OrderRow>`
        update ${tables.tariff_orders} set applied_at = cast(${now} as bigint) where id = ${order.id} returning *`
      const changed = yield* updateTerm(database, order.organizationId, before, after)
      if (changed.rows.length === 0) return yield* new Overtaken()
      const earned = earning === null ? [] : yield* insertEarning(earning)
      yield* audits.insert(audit, [
        ...changed.entries,
        ...(isTrusted ? applied.map((row): Chains.Entry => ({ kind: "tariff_orders", row })) : []),
        ...earned.map((row): Chains.Entry => ({ kind: "referral_earnings", row }))
      ])
      return true
    })
    return Effect.catchTag(transaction("TariffStore.fulfil", write), "Overtaken", () => Effect.succeed(false))
  }

  return { addOrder, paidOrders, fulfil }
}

interface EarningRow {
  readonly id: string
  readonly account_id: string
  readonly organization_id: string
  readonly order_id: string
  readonly amount: number
  readonly state: Earning["state"]
  readonly created_at: number
  readonly paid_out_at: number | null
}

const toEarning = (row: EarningRow): Earning => ({
  id: row.id,
  accountId: row.account_id,
  organizationId: row.organization_id,
  orderId: row.order_id,
  amount: Tiyn(row.amount),
  state: row.state,
  createdAt: row.created_at,
  paidOutAt: row.paid_out_at
})

const earnings = (database: Database["Service"]): Earnings => {
  const { sql, dialect, tables, statement, transaction } = database
  const audits = AuditLog.make(database)
  const chains = Chains.make(database)
  return {
    earnings: (accountId, limit) => {
      const of = accountId === null ? sql.literal("") : sql`where account_id = ${accountId}`
      const select = sql<EarningRow>`
        select * from ${tables.referral_earnings} ${of} order by created_at desc, id desc
        limit cast(${limit} as bigint)`
      return Effect.map(statement("TariffStore.earnings", select, { writes: false }), (rows) => rows.map(toEarning))
    },
    payOut: (id, now, audit) => {
      const write = Effect.gen(function* () {
        const [accrued] = yield* sql<EarningRow>`
          select e.* from ${tables.referral_earnings} e where e.id = ${id} and e.state = 'accrued'
          ${dialect.lockRows("e")}`
        if (accrued === undefined) return []
        const isTrusted = yield* chains.isTrusted("referral_earnings", accrued)
        const paid = yield* sql<EarningRow>`
          update ${tables.referral_earnings} set state = 'paid_out', paid_out_at = cast(${now} as bigint)
          where id = ${id} returning *`
        yield* audits.insert(audit, isTrusted ? paid.map((row) => ({ kind: "referral_earnings", row })) : [])
        return paid
      })
      return Effect.map(transaction("TariffStore.payOut", write), ([row]) =>
        Option.map(Option.fromUndefinedOr(row), toEarning)
      )
    }
  }
}
