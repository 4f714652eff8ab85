/** Which kinds and sources of invoices the daily totals are of, and where orders of tariffs are found. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"
import * as TotalKinds from "../invoice/TotalKinds.ts"

/** Adds the columns, empty in rows that servers of the version before write: what those count is of all kinds. */
export const addTotalKinds: Step = (sql, { text }, naming) => {
  const { daily_totals } = tables(sql, naming)
  const statements = [
    sql`alter table ${daily_totals} add column kind ${text}`,
    sql`alter table ${daily_totals} add column source ${text}`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}

const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { daily_totals, tariff_orders } = tables(sql, naming)
  return [
    ["daily_totals_day", sql`${daily_totals} (organization_id, mode, day, status, connection_id)`],
    ["daily_totals_mixed", sql`${daily_totals} (organization_id, mode, day) where kind is null`],
    ["tariff_orders_owner", sql`${tariff_orders} (organization_id, created_at, id)`]
  ] as const
}

/** Builds the indexes while totals are written, and settles those of one organization after the other. */
export const settleTotalKindsAhead: Step = (sql, _, naming) =>
  Effect.andThen(
    Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
      discard: true
    }),
    settleInPortions(sql, naming)
  )

/** Adds the indexes, and settles what is left. */
export const settleTotalKinds: Step = (sql, _, naming) =>
  Effect.andThen(
    Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.create(sql, naming, name, definition), {
      discard: true
    }),
    settle(sql, naming, (own) => {
      const { daily_totals } = tables(sql, naming)
      return sql`${own} in (select organization_id from ${daily_totals} where kind is null)`
    })
  )

/**
 * Settles what has counts of all kinds, each organization in a transaction of its own: who counts an invoice waits for
 * the totals of that one, until its change ends. Not for use in a transaction.
 */
export const settleInPortions = (
  sql: SqlClient.SqlClient,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.gen(function* () {
    const { daily_totals } = tables(sql, naming)
    for (let last = ""; ; ) {
      const [next] = yield* sql<{ readonly id: string | null }>`
        select min(organization_id) as id from ${daily_totals} where kind is null and organization_id > ${last}`
      if (typeof next?.id !== "string") return
      const { id } = next
      yield* sql.withTransaction(settle(sql, naming, (own) => sql`${own} = ${id}`))
      last = id
    }
  })

/**
 * Counts by kind and source what was counted without, of these organizations. It reads all their invoices, and what it
 * locks are the totals, at its end. It moves each total by the difference, so that it is right where others count
 * meanwhile; repeated, it finds none.
 */
const settle = (
  sql: SqlClient.SqlClient,
  naming: TableNaming,
  isOne: (organizationId: Statement.Fragment) => Statement.Fragment
) => {
  const { daily_totals, invoices } = tables(sql, naming)
  const own = isOne(sql.literal("organization_id"))
  const key = sql.literal("organization_id, mode, connection_id, status, day, shard")
  const counted = sql`
    insert into ${daily_totals} as t (${key}, kind, source, invoice_count, amount, refunded)
    select ${key}, kind, source, cast(sum(n) as bigint), cast(sum(a) as bigint), cast(sum(r) as bigint)
    from (
      select organization_id, mode, coalesce(connection_id, '') as connection_id, status, day,
        ${sql.literal(TotalKinds.shardOf("0"))} as shard, kind, ${sql.literal(TotalKinds.sourceOf)} as source,
        1 as n, amount as a, refunded as r
      from ${invoices} where ${own}
      union all
      select organization_id, mode, connection_id, status, day,
        case when kind is null then shard else shard - ${sql.literal(TotalKinds.withinKind("shard"))} end,
        kind, source, -invoice_count, -amount, -refunded
      from ${daily_totals} where ${own}
    ) as difference
    group by ${key}, kind, source having sum(n) <> 0 or sum(a) <> 0 or sum(r) <> 0
    order by ${key}
    on conflict (${key}) do update set invoice_count = t.invoice_count + excluded.invoice_count,
      amount = t.amount + excluded.amount, refunded = t.refunded + excluded.refunded`
  // Of these rows nothing is left, unless a server of the version before has just counted in one.
  const clear = sql`
    delete from ${daily_totals}
    where ${own} and kind is null and invoice_count = 0 and amount = 0 and refunded = 0`
  return Effect.asVoid(Effect.andThen(counted, clear))
}
