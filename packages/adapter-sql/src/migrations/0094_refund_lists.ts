/** The index by which the refunds of an organization are listed, the newest first. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import * as LargeIndex from "../base/LargeIndex.ts"
import type { Step } from "../base/Step.ts"
import { type TableNaming, tables } from "../base/Tables.ts"

const definition = (sql: SqlClient.SqlClient, naming: TableNaming) =>
  sql`${tables(sql, naming).refunds} (organization_id, created_at, id)`

/** Builds the index while its table is written. */
export const indexRefundsAhead: Step = (sql, _, naming) =>
  Effect.asVoid(LargeIndex.build(sql, naming, "refunds_newest", definition(sql, naming)))

/** Adds the index. */
export const indexRefunds: Step = (sql, _, naming) =>
  Effect.asVoid(LargeIndex.create(sql, naming, "refunds_newest", definition(sql, naming)))
