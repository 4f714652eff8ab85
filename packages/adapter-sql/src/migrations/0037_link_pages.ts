/** What payment links ask for, and the sums of their invoices. */
import { placeStatuses } from "@tolem/core/invoice/changes/LinkShare"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

/** Adds the columns and the table of sums, and fills that from the invoices that there are. */
export const addLinkPages = (
  sql: SqlClient.SqlClient,
  { text }: Dialect,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> => {
  const { payment_links: links, link_totals: totals, invoices } = tables(sql, naming)
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
  const holds = sql.literal(placeStatuses.map((status) => `'${status}'`).join(", "))
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
    )`,
    sql`insert into ${totals} (link_id, shard, made, held, paid, paid_amount, refunded)
      select substr(origin, 14), 0, count(*), sum(case when status in (${holds}) then 1 else 0 end),
        sum(case when paid_at is null then 0 else 1 end),
        cast(sum(case when paid_at is null then 0 else amount end) as bigint), cast(sum(refunded) as bigint)
      from ${invoices} where origin like 'payment-link/%' group by 1`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
