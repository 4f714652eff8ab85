/** Faces of organizations, and the pictures that people have sent. */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { Dialect } from "../base/Dialect.ts"
import { index, type TableNaming, tables } from "../base/Tables.ts"

/**
 * Adds the columns and the table. What is null in a row of before is a face of which nothing was said; a version that
 * is null is 0, since a default would change what chained rows hold. There is no view of the table.
 */
export const addFaces = (
  sql: SqlClient.SqlClient,
  { text }: Dialect,
  naming: TableNaming
): Effect.Effect<void, SqlError.SqlError> => {
  const names = tables(sql, naming)
  return Effect.gen(function* () {
    yield* sql`alter table ${names.organizations} add column face ${text}`
    yield* sql`alter table ${names.organizations} add column logo ${text}`
    yield* sql`alter table ${names.organizations} add column version bigint`
    yield* sql`create table ${names.pictures} (
      id ${text} primary key,
      organization_id ${text} not null,
      content_type ${text} not null,
      width bigint not null,
      height bigint not null,
      data ${text} not null,
      created_at bigint not null
    )`
    yield* sql`create index ${index(sql, naming, "pictures_organization")} on ${names.pictures} (organization_id)`
  })
}
