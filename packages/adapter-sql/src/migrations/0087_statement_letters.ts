/** Who wants the statement of each month by letter. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Adds the table. */
export const createStatementLetters: Step = (sql, { text }, naming) => {
  const { statement_letters: letters } = tables(sql, naming)
  const statements = [
    sql`create table ${letters} (
      organization_id ${text} not null,
      account_id ${text} not null,
      month ${text} not null,
      status ${text} not null,
      due_at bigint,
      tries bigint not null,
      sent_month ${text},
      reason ${text},
      created_at bigint not null,
      version bigint not null,
      primary key (organization_id, account_id)
    )`,
    sql`create index ${index(sql, naming, "statement_letters_due")} on ${letters} (due_at) where due_at is not null`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
