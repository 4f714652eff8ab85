/** Cashiers and their logins at the provider. */

import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Creates the tables. */
export const createConnections: Step = (sql, { text }, naming) => {
  const { connections, logins } = tables(sql, naming)
  const statements = [
    sql`create table ${connections} (
      id ${text} not null primary key,
      organization_id ${text} not null,
      name ${text} not null,
      status ${text} not null,
      phone ${text},
      is_default bigint not null,
      session ${text},
      created_at bigint not null,
      updated_at bigint not null,
      version bigint not null
    )`,
    sql`create index ${index(sql, naming, "connections_organization")}
      on ${connections} (organization_id, created_at, id)`,
    sql`create unique index ${index(sql, naming, "connections_default")}
      on ${connections} (organization_id) where is_default = 1`,
    sql`create table ${logins} (
      id ${text} not null primary key,
      connection_id ${text} not null,
      organization_id ${text} not null,
      provider_process_id ${text} not null,
      phone ${text},
      tries bigint not null,
      expires_at bigint not null,
      used_at bigint
    )`
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
