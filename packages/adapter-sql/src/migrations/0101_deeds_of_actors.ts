/** The index by which the rare deeds of those who do much are found in journals. */
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const name = "audit_deeds"

const definition = (sql: SqlClient.SqlClient, naming: TableNaming) =>
  sql`${tables(sql, naming).audit} (actor_id, action, created_at, id)`

/** Builds the index while its table is written. */
export const indexDeedsAhead: Step = (sql, _, naming) => LargeIndex.build(sql, naming, name, definition(sql, naming))

/** Adds the index. */
export const indexDeeds: Step = (sql, _, naming) => LargeIndex.create(sql, naming, name, definition(sql, naming))
