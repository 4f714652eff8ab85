/** The index from which statements of money that has moved are read, without a look at any row. */
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const name = "invoices_moved"

const definition = (sql: SqlClient.SqlClient, naming: TableNaming) =>
  sql`${tables(sql, naming).invoices}
    (organization_id, mode, paid_at, id, connection_id, amount, late, origin) where paid_at is not null`

/** Builds the index while its table is written. */
export const indexStatementsAhead: Step = (sql, _, naming) =>
  LargeIndex.build(sql, naming, name, definition(sql, naming))

/** Adds the index. */
export const indexStatements: Step = (sql, _, naming) => LargeIndex.create(sql, naming, name, definition(sql, naming))
