/** The request log: requests of the last day in a bounded number of places, and how many there were in each hour. */
import { Effect } from "effect"
import type { Step } from "../base/Step.ts"
import { index, tables } from "../base/Tables.ts"

/** Adds the tables. Rows of requests are written over again and again, in columns of no index. */
export const createRequests: Step = (sql, { text, clustered }, naming) => {
  const { requests, request_hours: hours } = tables(sql, naming)
  const roomy = sql.onDialectOrElse({
    pg: () => [sql`alter table ${requests} set (fillfactor = 70)`, sql`alter table ${hours} set (fillfactor = 70)`],
    orElse: () => []
  })
  const statements = [
    sql`create table ${hours} (
      organization_id ${text} not null,
      mode ${text} not null,
      hour_at bigint not null,
      requests bigint not null,
      refused bigint not null,
      failed bigint not null,
      primary key (organization_id, mode, hour_at)
    ) ${clustered}`,
    sql`create index ${index(sql, naming, "request_hours_age")} on ${hours} (hour_at)`,
    sql`create table ${requests} (
      organization_id ${text} not null,
      mode ${text} not null,
      hour_at bigint not null,
      place bigint not null,
      at bigint not null,
      request_id ${text} not null,
      key_ending ${text} not null,
      method ${text} not null,
      route ${text} not null,
      status bigint not null,
      code ${text},
      duration_ms bigint not null,
      primary key (organization_id, mode, hour_at, place)
    ) ${clustered}`,
    sql`create index ${index(sql, naming, "requests_age")} on ${requests} (hour_at)`,
    ...roomy
  ]
  return Effect.forEach(statements, (statement) => statement, { discard: true })
}
