/** Payment links and form hooks. */

import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { Step } from "../base/Step.ts"
import { index, type TableNaming, tables, view } from "../base/Tables.ts"

/** Creates the tables, and the views of them if the database is PostgreSQL. */
export const createPaymentLinks: Step = (sql, { text }, naming) => {
  const { payment_links, form_hooks } = tables(sql, naming)
  const statements = [
    sql`create table ${payment_links} (
      id ${text} not null primary key,
      organization_id ${text} not null,
      mode ${text} not null,
      connection_id ${text},
      slug ${text} not null,
      title ${text} not null,
      description ${text},
      amount bigint,
      success_url ${text},
      fail_url ${text},
      status ${text} not null,
      created_at bigint not null,
      updated_at bigint not null,
      version bigint not null,
      removed_at bigint
    )`,
    sql`create unique index ${index(sql, naming, "payment_links_slug")}
      on ${payment_links} (slug) where removed_at is null`,
    sql`create index ${index(sql, naming, "payment_links_oldest")}
      on ${payment_links} (organization_id, mode, created_at, id) where removed_at is null`,
    sql`create table ${form_hooks} (
      id ${text} not null primary key,
      organization_id ${text} not null,
      mode ${text} not null,
      connection_id ${text},
      name ${text} not null,
      success_url ${text},
      fail_url ${text},
      status ${text} not null,
      created_at bigint not null,
      updated_at bigint not null,
      version bigint not null,
      removed_at bigint
    )`,
    sql`create index ${index(sql, naming, "form_hooks_oldest")}
      on ${form_hooks} (organization_id, mode, created_at, id) where removed_at is null`
  ]
  const people = sql.onDialectOrElse({ pg: () => views(sql, naming), orElse: () => [] })
  return Effect.forEach([...statements, ...people], (statement) => statement, { discard: true })
}

const views = (sql: SqlClient.SqlClient, naming: TableNaming) => {
  const { payment_links, form_hooks } = tables(sql, naming)
  const instant = (column: string) => sql.literal(`to_timestamp(${column} / 1000.0) as ${column}`)
  const instants = sql`${instant("created_at")}, ${instant("updated_at")}, ${instant("removed_at")}`
  return [
    sql`create view ${view(sql, naming, "payment_links")} as select
      id, organization_id, mode, connection_id, slug, title, description, round(amount / 100.0, 2) as amount,
      success_url, fail_url, status, ${instants}
      from ${payment_links}`,
    sql`create view ${view(sql, naming, "form_hooks")} as select
      id, organization_id, mode, connection_id, name, success_url, fail_url, status, ${instants}
      from ${form_hooks}`
  ]
}
