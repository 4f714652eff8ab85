/** The core's `TariffStore` in SQL. */
import { TariffStore, type Term, type Usage } from "@tolem/core/tariff/TariffStore"
import { dayOf } from "@tolem/core/value/Calendar"
import type { OrganizationId } from "@tolem/core/value/Ids"
import { Data, Effect, Layer, Option } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { type ConnectionRow, toShownConnection } from "../merchant/ConnectionRow.ts"
import { type OrganizationRow, organizationTable } from "../merchant/MerchantRows.ts"
import * as Chains from "../seal/Chains.ts"
import { type EarningRow, earningTable } from "./EarningRow.ts"
import { paysForOrder } from "./OrderInvoice.ts"
import { type OrderRow, orderTable } from "./OrderRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<TariffStore, never, Database> = Layer.effect(
  TariffStore,
  Effect.map(Database, (database) => ({
    ...terms(database),
    ...orders(database),
    ...earnings(database)
  }))
)

type Terms = Pick<TariffStore["Service"], "usage" | "standing" | "setTerm">
type Orders = Pick<TariffStore["Service"], "newestOrder" | "addOrder" | "paidOrders" | "fulfil">
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
        organization: organizationTable.decode(row),
        usage: toUsage(usage, at),
        connections: connections.map(toShownConnection)
      }))
    }),
    setTerm: (organizationId, before, after, audit) =>
      Effect.map(
        audits.chaining("TariffStore.setTerm", updateTerm(database, organizationId, before, after), audit),
        (rows) => rows.length > 0
      )
  }
}

const orders = (database: Database["Service"]): Orders => {
  const { sql, dialect, tables, all, transaction } = database
  const orderRows = TableStatements.make(database, orderTable)
  const earningRows = TableStatements.make(database, earningTable)
  const audits = AuditLog.make(database)
  const chains = Chains.make(database)

  const selectNewest = (organizationId: OrganizationId, tariff: string) => sql<OrderRow>`
    select o.* from ${tables.tariff_orders} o
    where o.organization_id = ${organizationId} and o.tariff = ${tariff}
    order by o.created_at desc, o.id desc limit 1`

  const newestOrder: Orders["newestOrder"] = (organizationId, tariff) =>
    Effect.map(all("TariffStore.newestOrder", selectNewest(organizationId, tariff), orderTable.decode), ([newest]) =>
      Option.fromUndefinedOr(newest)
    )

  const addOrder: Orders["addOrder"] = (order, after, audit) => {
    const write = Effect.gen(function* () {
      // Orders of an organization are added one after the other: what is newest is asked once it has the row.
      yield* sql`
        select b.id from ${tables.organizations} b where b.id = ${order.organizationId} ${dialect.lockRows("b")}`
      const [newest] = yield* selectNewest(order.organizationId, order.tariff)
      if ((newest?.id ?? null) !== after) return false
      const rows = yield* orderRows.insert(order, "returning *")
      yield* audits.insert(
        audit,
        rows.map((row) => ({ kind: "tariff_orders", row }))
      )
      return true
    })
    return transaction("TariffStore.addOrder", write)
  }

  const paidOrders = (since: number, limit: number) => {
    const select = sql<OrderRow>`
      select o.* from ${tables.tariff_orders} o
      join ${tables.invoices} i on ${sql.literal(paysForOrder)}
      where o.applied_at is null and o.created_at >= cast(${since} as bigint)
        and i.paid_at is not null and i.amount >= o.amount
      order by o.created_at, o.id limit cast(${limit} as bigint)`
    return all("TariffStore.paidOrders", select, orderTable.decode)
  }

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
      const earned = earning === null ? [] : yield* earningRows.insert(earning, "returning *")
      yield* audits.insert(audit, [
        ...changed.entries,
        ...(isTrusted ? applied.map((row): Chains.Entry => ({ kind: "tariff_orders", row })) : []),
        ...earned.map((row): Chains.Entry => ({ kind: "referral_earnings", row }))
      ])
      return true
    })
    return Effect.catchTag(transaction("TariffStore.fulfil", write), "Overtaken", () => Effect.succeed(false))
  }

  return { newestOrder, addOrder, paidOrders, fulfil }
}

const earnings = (database: Database["Service"]): Earnings => {
  const { sql, dialect, tables, all, transaction } = database
  const audits = AuditLog.make(database)
  const chains = Chains.make(database)
  return {
    earnings: (accountId, limit) => {
      const of = accountId === null ? sql.literal("") : sql`where account_id = ${accountId}`
      const select = sql<EarningRow>`
        select * from ${tables.referral_earnings} ${of} order by created_at desc, id desc
        limit cast(${limit} as bigint)`
      return all("TariffStore.earnings", select, earningTable.decode)
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
        Option.map(Option.fromUndefinedOr(row), earningTable.decode)
      )
    }
  }
}
