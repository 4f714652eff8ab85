/** When the customer was first seen to have opened an invoice in their app. */
import type { Step } from "../base/Step.ts"
import { tables } from "../base/Tables.ts"

/** Adds the column. What is null in a row of before was not seen. */
export const addScans: Step = (sql, _, naming) =>
  sql`alter table ${tables(sql, naming).invoices} add column scanned_at bigint`
