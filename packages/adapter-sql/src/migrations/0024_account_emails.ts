/** E-mail addresses of accounts. */

import type { Step } from "../base/Step.ts"
import { tables } from "../base/Tables.ts"

/** Adds the column. There is no view of the table. */
export const addAccountEmails: Step = (sql, { text }, naming) =>
  sql`alter table ${tables(sql, naming).accounts} add column email ${text}`
