/** Where the places of payment links are counted: an index, and sums that say what is held by now. */
import { Effect } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"
import { mending } from "../invoice/LinkTotals.ts"

const name = "invoices_of_links"

const definition = (sql: SqlClient.SqlClient, naming: TableNaming): Statement.Fragment =>
  sql`${tables(sql, naming).invoices} (origin, status) where substr(origin, 1, 13) = 'payment-link/'`

/** Builds the index while invoices are written. */
export const indexLinkPlacesAhead: Step = (sql, _, naming) =>
  LargeIndex.build(sql, naming, name, definition(sql, naming))

/** Adds the index. */
export const indexLinkPlaces: Step = (sql, _, naming) => LargeIndex.create(sql, naming, name, definition(sql, naming))

/** Moves the sums by what they are off. A step of its own: it reads all invoices of links. */
export const settleLinkPlaces = (
  sql: SqlClient.SqlClient,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> => {
  const { invoices, link_totals: totals } = tables(sql, naming)
  return Effect.asVoid(mending({ sql, totals, invoices }, null))
}
