/** Pictures of payment links, who has asked for codes of their places, and how far the sweep over their sums is. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/**
 * Adds the column and the tables. A picture that is null is none, so servers of the version before leave it as it is.
 * They write no takers: what they let be taken counts for no visitor.
 */
export const addLinkPictures: Step = (sql, { text }, naming) => {
  const { payment_links: links, place_takers: takers, link_sweeps: sweeps } = tables(sql, naming)
  const statements = [
    sql`alter table ${links} add column picture ${text}`,
    sql`create table ${takers} (
      invoice_id ${text} primary key,
      link_id ${text} not null,
      visitor ${text} not null,
      asked_at bigint not null
    )`,
    sql`create index ${index(sql, naming, "place_takers_visitor")} on ${takers} (link_id, visitor)`,
    sql`create index ${index(sql, naming, "place_takers_age")} on ${takers} (asked_at)`,
    sql`create table ${sweeps} (
      name ${text} primary key,
      resume_after ${text} not null,
      due_at bigint not null,
      whole_until bigint
    )`,
    sql`insert into ${sweeps} (name, resume_after, due_at) values ('totals', '', 0)`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
