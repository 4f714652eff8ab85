/** What payment links ask for, and the sums of their invoices. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

/** Adds the columns and the table of sums. `0038_link_totals` fills it: that reads all invoices, this locks links. */
export const addLinkPages = (
  sql: SqlClient.SqlClient,
  { text }: Dialect,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> => {
  const { payment_links: links, link_totals: totals } = tables(sql, naming)
  const added = [
    ["min_amount", sql`bigint`],
    ["max_amount", sql`bigint`],
    ["presets", text],
    ["fields", text],
    ["thank_you", text],
    ["max_payments", sql`bigint`],
    ["opens_at", sql`bigint`],
    ["closes_at", sql`bigint`]
  ] as const
  const statements = [
    ...added.map(([name, type]) => sql`alter table ${links} add column ${sql.literal(name)} ${type}`),
    sql`create table ${totals} (
      link_id ${text} not null,
      shard bigint not null,
      made bigint not null,
      held bigint not null,
      paid bigint not null,
      paid_amount bigint not null,
      refunded bigint not null,
      primary key (link_id, shard)
    )`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
