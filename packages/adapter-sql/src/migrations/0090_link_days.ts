/** The index from which the statistics of a payment link are read: its newest invoices, whatever others there are. */
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const name = "invoices_of_links_newest"

const definition = (sql: SqlClient.SqlClient, naming: TableNaming) =>
  sql`${tables(sql, naming).invoices} (origin, created_at) where substr(origin, 1, 13) = 'payment-link/'`

/** Builds the index while its table is written. */
export const indexLinkDaysAhead: Step = (sql, _, naming) => LargeIndex.build(sql, naming, name, definition(sql, naming))

/** Adds the index. */
export const indexLinkDays: Step = (sql, _, naming) => LargeIndex.create(sql, naming, name, definition(sql, naming))
