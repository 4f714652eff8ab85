/** Who runs the platform, and the indexes by which they find people, organizations, orders, earnings and records. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const indexes = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { accounts, organizations, tariff_orders: orders, referral_earnings: earnings, audit } = tables(sql, naming)
  return [
    ["accounts_name", sql`${accounts} (name)`],
    ["accounts_newest", sql`${accounts} (created_at, id)`],
    ["organizations_name", sql`${organizations} (name)`],
    ["organizations_idn", sql`${organizations} (idn)`],
    ["organizations_newest", sql`${organizations} (created_at, id)`],
    ["organizations_tariff", sql`${organizations} (tariff, status)`],
    ["tariff_orders_newest", sql`${orders} (created_at, id)`],
    ["tariff_orders_applied", sql`${orders} (applied_at, tariff, amount) where applied_at is not null`],
    ["referral_earnings_state", sql`${earnings} (state, created_at, id)`],
    ["referral_earnings_accrued", sql`${earnings} (account_id, amount) where state = 'accrued'`],
    ["audit_all_times", sql`${audit} (created_at, id)`],
    ["audit_all_actors", sql`${audit} (actor_id, created_at, id)`],
    ["audit_all_actions", sql`${audit} (action, created_at, id)`]
  ] as const
}

/** Builds the indexes while their tables are written. */
export const createOperatorsAhead: Step = (sql, _, naming) =>
  Effect.forEach(indexes(sql, naming), ([name, definition]) => LargeIndex.build(sql, naming, name, definition), {
    discard: true
  })

/** Adds the table and the indexes. */
export const createOperators: Step = (sql, { text }, naming) => {
  const statements = [
    sql`create table ${tables(sql, naming).operators} (
      account_id ${text} not null primary key,
      granted_at bigint not null,
      granted_by ${text}
    )`,
    ...indexes(sql, naming).map(([name, definition]) => LargeIndex.create(sql, naming, name, definition))
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
