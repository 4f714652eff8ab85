/** The index of active subscriptions by their next dates, from which calendars of a merchant are read. */
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const name = "subscriptions_dates"

const definition = (sql: SqlClient.SqlClient, naming: TableNaming) =>
  sql`${tables(sql, naming).subscriptions} (organization_id, mode, next_run_at, id) where status = 'active'`

/** Builds the index while its table is written. */
export const indexDatesAhead: Step = (sql, _, naming) => LargeIndex.build(sql, naming, name, definition(sql, naming))

/** Adds the index. */
export const indexDates: Step = (sql, _, naming) => LargeIndex.create(sql, naming, name, definition(sql, naming))
