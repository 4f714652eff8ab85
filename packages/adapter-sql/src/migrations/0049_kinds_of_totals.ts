/** Which kinds and sources of invoices the daily totals are of, and where orders of tariffs are found. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Step } from "../base/Step.ts"
import { index, type TableNaming, tables } from "../base/Tables.ts"
import * as TotalKinds from "../invoice/TotalKinds.ts"

/**
 * Adds the columns, empty in rows that servers of the version before write: what those count is of all kinds. The
 * tables are small beside that of invoices, so that their indexes are built in the step.
 */
export const addTotalKinds: Step = (sql, { text }, naming) => {
  const { daily_totals, tariff_orders } = tables(sql, naming)
  const statements = [
    sql`alter table ${daily_totals} add column kind ${text}`,
    sql`alter table ${daily_totals} add column source ${text}`,
    sql`create index ${index(sql, naming, "daily_totals_day")}
      on ${daily_totals} (organization_id, mode, day, status, connection_id)`,
    sql`create index ${index(sql, naming, "daily_totals_mixed")}
      on ${daily_totals} (organization_id, mode, day) where kind is null`,
    sql`create index ${index(sql, naming, "tariff_orders_owner")}
      on ${tariff_orders} (organization_id, created_at, id)`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}

/**
 * Counts by kind and source what was counted without. A step of its own: it reads all invoices, and what it locks are
 * the totals, at its end. It moves each total by the difference, so that it is right where others count meanwhile;
 * repeated, it finds none.
 */
export const settleTotalKinds = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { daily_totals, invoices } = tables(sql, naming)
  const key = sql.literal("organization_id, mode, connection_id, status, day, shard")
  const settle = sql`
    insert into ${daily_totals} as t (${key}, kind, source, invoice_count, amount, refunded)
    select ${key}, kind, source, cast(sum(n) as bigint), cast(sum(a) as bigint), cast(sum(r) as bigint)
    from (
      select organization_id, mode, coalesce(connection_id, '') as connection_id, status, day,
        ${sql.literal(TotalKinds.shardOf("0"))} as shard, kind, ${sql.literal(TotalKinds.sourceOf)} as source,
        1 as n, amount as a, refunded as r
      from ${invoices}
      union all
      select organization_id, mode, connection_id, status, day,
        case when kind is null then shard else shard - ${sql.literal(TotalKinds.withinKind("shard"))} end,
        kind, source, -invoice_count, -amount, -refunded
      from ${daily_totals}
    ) as difference
    group by ${key}, kind, source having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0
    order by ${key}
    on conflict (${key}) do update set invoice_count = t.invoice_count + excluded.invoice_count,
      amount = t.amount + excluded.amount, refunded = t.refunded + excluded.refunded`
  // Of these rows nothing is left, unless a server of the version before has just counted in one.
  const clear = sql`
    delete from ${daily_totals} where kind is null and invoice_count = 0 and amount = 0 and refunded = 0`
  return Effect.andThen(settle, clear)
}
