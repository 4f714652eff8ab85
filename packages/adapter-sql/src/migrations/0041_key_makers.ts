/** Who has made a key. */
import type { Step } from "../base/Step.ts"
import { tables } from "../base/Tables.ts"

/** Adds the column, and nothing else: every call looks up its key, and waits until the column is there. */
export const addKeyMakers: Step = (sql, { text }, naming) =>
  sql`alter table ${tables(sql, naming).api_keys} add column made_by ${text}`
