/** What referrers were paid at once, and the indexes of what they have still to be paid. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { index, type TableNaming, tables, view } from "../base/Tables.ts"

const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { referral_earnings: earnings } = tables(sql, naming)
  return [
    ["referral_earnings_unpaid", sql`${earnings} (account_id, created_at, id) where state = 'accrued'`],
    ["referral_earnings_sums", sql`${earnings} (account_id, state, amount)`]
  ] as const
}

/** Builds the indexes while the table is written. */
export const createPayoutsAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the table, and the payout of an earning; the views show them. */
export const createPayouts: Step = (sql, { text }, naming) => {
  const { payouts, referral_earnings: earnings } = tables(sql, naming)
  const instant = (column: string) => sql.literal(`to_timestamp(${column} / 1000.0) as ${column}`)
  const tenge = sql.literal("round(amount / 100.0, 2) as amount")
  const statements = [
    sql`create table ${payouts} (
      id ${text} not null primary key,
      account_id ${text} not null,
      amount bigint not null,
      earning_count bigint not null,
      up_to ${text} not null,
      note ${text} not null,
      paid_at bigint not null
    )`,
    sql`create unique index ${index(sql, naming, "payouts_up_to")} on ${payouts} (up_to)`,
    sql`create index ${index(sql, naming, "payouts_account")} on ${payouts} (account_id, paid_at, id)`,
    sql`alter table ${earnings} add column payout_id ${text}`,
    sql`create index ${index(sql, naming, "referral_earnings_payout")} on ${earnings} (payout_id)
      where payout_id is not null`,
    ...indexes(sql, naming).map(([name, definition]) => LargeIndex.create(sql, naming, name, definition))
  ]
  const people = sql.onDialectOrElse({
    pg: () => [
      sql`create or replace view ${view(sql, naming, "referral_earnings")} as select
        id, account_id, organization_id, order_id, ${tenge}, state, ${instant("created_at")}, ${instant("paid_out_at")},
        payout_id
        from ${earnings}`,
      sql`create view ${view(sql, naming, "payouts")} as select
        id, account_id, ${tenge}, earning_count, up_to, note, ${instant("paid_at")}
        from ${payouts}`
    ],
    orElse: () => []
  })
  return Effect.forEach([...statements, ...people], (statement) => statement, { discard: true })
}
