/** Consumers, which are the application's own code that hears of events, and what each of them still has to hear. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Adds the tables. */
export const createReactions: Step = (sql, { text, clustered }, naming) => {
  const { consumers, reactions } = tables(sql, naming)
  const statements = [
    sql`create table ${consumers} (
      name ${text} not null primary key,
      types ${text} not null,
      organizations ${text} not null,
      since bigint not null
    ) ${clustered}`,
    sql`create table ${reactions} (
      id ${text} not null primary key,
      consumer ${text} not null,
      organization_id ${text} not null,
      mode ${text} not null,
      type ${text} not null,
      invoice_id ${text} not null,
      sequence bigint not null,
      event_id ${text} not null,
      status ${text} not null,
      attempt_count bigint not null,
      due_at bigint not null,
      lease ${text},
      error ${text},
      failed_at bigint
    )`,
    sql`create index ${index(sql, naming, "reactions_due")}
      on ${reactions} (consumer, due_at, id) where status = 'pending'`,
    sql`create index ${index(sql, naming, "reactions_order")}
      on ${reactions} (consumer, invoice_id, sequence) where status = 'pending'`,
    sql`create index ${index(sql, naming, "reactions_failed")}
      on ${reactions} (consumer, failed_at, id) where failed_at is not null`,
    sql`create index ${index(sql, naming, "reactions_sandbox")}
      on ${reactions} (invoice_id) where mode = 'sandbox'`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
