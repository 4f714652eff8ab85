/** How often letters were sent again. */
import type { Step } from "../base/Step.ts"
import { tables } from "../base/Tables.ts"

/** Adds the column. Servers of the version before send none again, and leave it as it is. */
export const addResentLetters: Step = (sql, _types, naming) =>
  sql`alter table ${tables(sql, naming).mails} add column resent bigint not null default 0`
