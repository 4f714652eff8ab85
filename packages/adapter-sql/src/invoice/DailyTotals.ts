/**
 * How many invoices of which sum there are by organization, mode, cashier, status, kind, source and Almaty day, without
 * counting.
 */
import type { TotalMove } from "@tolem/core/invoice/Consequences"
import { dayOf } from "@tolem/core/value/Calendar"
import { Effect } from "effect"
import type { Statement } from "effect/sql"
import type { RowOfColumns } from "../base/Columns.ts"
import type { Database } from "../base/Database.ts"
import * as LinkTotals from "./LinkTotals.ts"
import * as TotalKinds from "./TotalKinds.ts"

const columns = {
  organization_id: "text",
  mode: "text",
  connection_id: "text",
  status: "text",
  day: "text",
  shard: "bigint",
  kind: "text",
  source: "text",
  invoice_count: "bigint",
  amount: "bigint",
  refunded: "bigint"
} as const

type Row = RowOfColumns<typeof columns>

/**
 * The statements that move the totals, and those of payment links, to be run with the change that causes it. For
 * `shard` see `Shards`.
 */
export const make = (database: Database["Service"]) => {
  const { sql, dialect, tables } = database
  const { move: moveLinks } = LinkTotals.make(database)
  const source = dialect.source("s", columns)
  return (moves: ReadonlyArray<TotalMove>, shard: number) => {
    const rows = sums(moves, shard)
    const moved = sql`
      insert into ${tables.daily_totals} as t (${sql.literal(names)})
      select ${sql.literal(names)} from ${source(rows)} where true ${sql.literal(addedUp)}`
    return Effect.andThen(rows.length === 0 ? Effect.void : Effect.asVoid(moved), moveLinks(moves, shard))
  }
}

const names = Object.keys(columns).join(", ")

const addedUp = `on conflict (organization_id, mode, connection_id, status, day, shard) do update set
  invoice_count = t.invoice_count + excluded.invoice_count,
  amount = t.amount + excluded.amount,
  refunded = t.refunded + excluded.refunded`

/** The part of a statement that counts the rows of `written`, which the same statement inserts into the invoices. */
export const countWritten = ({ sql, tables }: Database["Service"], shard: number): Statement.Fragment =>
  sql`insert into ${tables.daily_totals} as t (${sql.literal(names)})
    select organization_id, mode, coalesce(connection_id, ''), status, day, shard, kind, source,
      count(*), cast(sum(amount) as bigint), cast(sum(refunded) as bigint)
    from (
      select organization_id, mode, connection_id, status, day, amount, refunded, kind,
        ${sql.literal(TotalKinds.sourceOf)} as source, ${sql.literal(TotalKinds.shardOf(String(shard)))} as shard
      from written
    ) as counted
    group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6 ${sql.literal(addedUp)}`

// Sorted by key: two servers take the locks of the rows in one order, so that they cannot wait for each other.
const sums = (moves: ReadonlyArray<TotalMove>, shard: number): ReadonlyArray<Row> => {
  const byKey = new Map<string, Row>()
  for (const { invoice, by } of moves) {
    const { organizationId, mode, status } = invoice
    const connectionId = invoice.connectionId ?? ""
    const day = dayOf(invoice.createdAt)
    const source = TotalKinds.sourceOfInvoice(invoice)
    const own = TotalKinds.shardOfInvoice(invoice, shard)
    const key = `${organizationId}\n${mode}\n${connectionId}\n${status}\n${day}\n${own}`
    let row = byKey.get(key)
    if (row === undefined) {
      row = {
        organization_id: organizationId,
        mode,
        connection_id: connectionId,
        status,
        day,
        shard: own,
        kind: invoice.kind,
        source,
        invoice_count: 0,
        amount: 0,
        refunded: 0
      }
      byKey.set(key, row)
    }
    row.invoice_count += by
    row.amount += by * invoice.amount
    row.refunded += by * invoice.refunded
  }
  const moved = Array.from(byKey).filter(([, row]) => row.invoice_count !== 0 || row.amount !== 0 || row.refunded !== 0)
  return moved.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}
