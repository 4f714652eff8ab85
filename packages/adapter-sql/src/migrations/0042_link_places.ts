/** Where the places of payment links are counted: an index, and sums that say what is held by now. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { index, type TableNaming, tables } from "../base/Tables.ts"
import { mending } from "../invoice/LinkTotals.ts"

/** Adds the index, and moves the sums by what they are off. */
export const indexLinkPlaces = (
  sql: SqlClient.SqlClient,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> => {
  const { invoices, link_totals: totals } = tables(sql, naming)
  const statements = [
    sql`create index ${index(sql, naming, "invoices_of_links")} on ${invoices} (origin, status)
      where substr(origin, 1, 13) = 'payment-link/'`,
    mending({ sql, totals, invoices }, null)
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
