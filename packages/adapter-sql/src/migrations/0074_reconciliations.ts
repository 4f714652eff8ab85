/** Days that are compared with the provider's own list, and the differences that were found. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Adds the tables. */
export const createReconciliations: Step = (sql, { text }, naming) => {
  const { reconciliations, work_items: items } = tables(sql, naming)
  const statements = [
    sql`create table ${reconciliations} (
      organization_id ${text} not null,
      connection_id ${text} not null,
      day ${text} not null,
      status ${text} not null,
      due_at bigint,
      tries bigint not null,
      fault ${text},
      sums ${text},
      compared_at bigint,
      version bigint not null,
      primary key (organization_id, connection_id, day)
    )`,
    sql`create index ${index(sql, naming, "reconciliations_due")} on ${reconciliations} (due_at)
      where due_at is not null`,
    sql`create index ${index(sql, naming, "reconciliations_newest")} on ${reconciliations}
      (organization_id, day, connection_id)`,
    sql`create table ${items} (
      id ${text} not null primary key,
      organization_id ${text} not null,
      connection_id ${text} not null,
      day ${text} not null,
      subject ${text} not null,
      kind ${text} not null,
      cause ${text} not null,
      payment ${text},
      invoice_id ${text},
      refund_id ${text},
      amount_here bigint,
      amount_there bigint,
      status ${text} not null,
      found_at bigint not null,
      resolved_at bigint,
      resolution ${text},
      resolved_by ${text},
      note ${text},
      version bigint not null
    )`,
    sql`create unique index ${index(sql, naming, "work_items_subject")} on ${items}
      (organization_id, connection_id, day, subject)`,
    sql`create index ${index(sql, naming, "work_items_newest")} on ${items} (organization_id, status, day, id)`,
    sql`create index ${index(sql, naming, "work_items_open")} on ${items} (found_at) where status = 'open'`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
