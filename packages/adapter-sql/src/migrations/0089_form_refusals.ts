/** The log of refused forms: a bounded number of each hook and reason, and how many there were. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Adds the tables. Rows are written over again and again; the columns of the indexes change once a day. */
export const createFormRefusals: Step = (sql, { text, clustered }, naming) => {
  const { form_refusals: refusals, form_refusal_counts: counts } = tables(sql, naming)
  const roomy = sql.onDialectOrElse({
    pg: () => [sql`alter table ${refusals} set (fillfactor = 70)`, sql`alter table ${counts} set (fillfactor = 70)`],
    orElse: () => []
  })
  const statements = [
    sql`create table ${counts} (
      organization_id ${text} not null,
      hook_id ${text} not null,
      reason ${text} not null,
      refused bigint not null,
      first_at bigint not null,
      last_at bigint not null,
      day_at bigint not null,
      primary key (organization_id, hook_id, reason)
    ) ${clustered}`,
    sql`create index ${index(sql, naming, "form_refusal_counts_age")} on ${counts} (day_at)`,
    sql`create table ${refusals} (
      organization_id ${text} not null,
      hook_id ${text} not null,
      reason ${text} not null,
      place bigint not null,
      at bigint not null,
      faults ${text},
      names ${text},
      site ${text},
      day_at bigint not null,
      primary key (organization_id, hook_id, reason, place)
    ) ${clustered}`,
    sql`create index ${index(sql, naming, "form_refusals_age")} on ${refusals} (day_at)`,
    ...roomy
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
