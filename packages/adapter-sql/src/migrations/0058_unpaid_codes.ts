/** The index of what visitors have had made and not paid, which has its own part of a quota. */
import type { SqlClient, Statement } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const name = "invoices_of_visitors"

// Conditions and their words as in `Usage`: databases take the index for the same ones only.
const definition = (sql: SqlClient.SqlClient, naming: TableNaming): Statement.Fragment =>
  sql`${tables(sql, naming).invoices} (organization_id, counted_on)
    where mode = 'live' and paid_at is null
      and (substr(origin, 1, 13) = 'payment-link/' or substr(origin, 1, 10) = 'form-hook/')`

/** Builds the index while invoices are written. */
export const indexUnpaidCodesAhead: Step = (sql, _, naming) =>
  LargeIndex.build(sql, naming, name, definition(sql, naming))

/** Adds the index. */
export const indexUnpaidCodes: Step = (sql, _, naming) => LargeIndex.create(sql, naming, name, definition(sql, naming))
