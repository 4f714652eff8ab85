/** Seals of invoices, and since when every one has to have one. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { tables } from "../base/Tables.ts"

/** Adds the column and the table. Nothing is sealed by it: it has no key. */
export const addSeals: Step = (sql, { text }, naming) => {
  const { invoices, sealing } = tables(sql, naming)
  const statements = [
    sql`alter table ${invoices} add column seal ${text}`,
    sql`create table ${sealing} (
      id ${text} not null primary key,
      state ${text} not null,
      begun_at bigint not null,
      seal ${text} not null
    )`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
