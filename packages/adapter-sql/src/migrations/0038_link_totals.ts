/**
 * Adds to the sums of payment links what they lack. A step of its own, in a transaction of its own: it reads all
 * invoices, and what it locks are the sums that it changes, at its end.
 */
import { placeStatuses } from "@tolem/core/invoice/changes/LinkShare"
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { type TableNaming, tables } from "../base/Tables.ts"

const counted = ["made", "held", "paid", "paid_amount", "refunded"] as const
const names = counted.join(", ")

/**
 * Moves each sum by the difference between what the invoices of its link are and what is counted of them. So it is
 * also right where servers of this version count meanwhile, and where those of before it have made invoices since the
 * sums are there, which they did not count. Repeated, it finds no difference.
 */
export const settleLinkTotals = (
  sql: SqlClient.SqlClient,
  naming: TableNaming
): Effect.Effect<unknown, SqlError.SqlError> => {
  const { link_totals: totals, invoices } = tables(sql, naming)
  const holds = sql.literal(placeStatuses.map((status) => `'${status}'`).join(", "))
  const each = (of: (name: string) => string) => sql.literal(counted.map(of).join(", "))
  const settle = sql`
    insert into ${totals} as t (link_id, shard, ${sql.literal(names)})
    select link_id, 0, ${each((name) => `cast(sum(${name}) as bigint)`)}
    from (
      select substr(origin, 14) as link_id, 1 as made, case when status in (${holds}) then 1 else 0 end as held,
        case when paid_at is null then 0 else 1 end as paid,
        case when paid_at is null then 0 else amount end as paid_amount, refunded
      from ${invoices} where origin like 'payment-link/%'
      union all
      select link_id, ${each((name) => `-${name}`)} from ${totals}
    ) as difference
    group by link_id
    having ${sql.literal(counted.map((name) => `sum(${name}) <> 0`).join(" or "))}
    order by link_id
    on conflict (link_id, shard) do update set ${each((name) => `${name} = t.${name} + excluded.${name}`)}`
  return Effect.asVoid(settle)
}
