/** What an operator wants to know of a database, whatever state it is in. Reads only. */
import type { SecretBox } from "@tolem/core/secret/SecretBox"
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import * as CopyMark from "../base/CopyMark.ts"
import * as Migrations from "../base/Migrations.ts"
import { type TableNaming, tables } from "../base/Tables.ts"
import { unopenedSecrets } from "./Sweeps.ts"

/** Parts of it, each asked for by itself: one that fails says nothing of the others. */
export interface Condition {
  /** The database's own clock, epoch milliseconds. */
  readonly now: Effect.Effect<number, SqlError.SqlError>
  /** How its schema stands to this version's. */
  readonly schema: Effect.Effect<Migrations.Standing, SqlError.SqlError>
  /** Whether another database is copied into it, and that has not ended. */
  readonly isCopied: Effect.Effect<boolean, SqlError.SqlError>
  /** Whether nothing can be written to it, as to a standby. */
  readonly isReadOnly: Effect.Effect<boolean, SqlError.SqlError>
  /** Bytes that it takes, with its indexes. */
  readonly bytes: Effect.Effect<number, SqlError.SqlError>
  /** Secrets that no key of the box opens: up to 1 000 of each kind. Only of a schema that lacks no step. */
  readonly unopened: (box: SecretBox["Service"]) => Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
}

/** The condition of the client's database. */
export const make = (naming: TableNaming = {}): Effect.Effect<Condition, never, SqlClient.SqlClient> =>
  Effect.map(SqlClient.SqlClient, (sql) => {
    const number = (sqlite: string, pg: string) =>
      Effect.map(
        sql.unsafe<{ readonly n: number | string }>(sql.onDialectOrElse({ pg: () => pg, orElse: () => sqlite })),
        ([row]) => Number(row?.n)
      )
    const onClient = Effect.provideService(SqlClient.SqlClient, sql)
    return {
      now: number(
        "select cast(unixepoch('now', 'subsec') * 1000 as integer) as n",
        "select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as n"
      ),
      schema: onClient(Migrations.standing(naming)),
      isCopied: onClient(CopyMark.isMarked(naming)),
      isReadOnly: Effect.map(
        number("select 0 as n", "select (current_setting('transaction_read_only') = 'on')::int as n"),
        (n) => n === 1
      ),
      bytes: number(
        "select page_count * page_size as n from pragma_page_count, pragma_page_size",
        "select pg_database_size(current_database()) as n"
      ),
      unopened: (box) =>
        Effect.map(unopenedSecrets({ sql, tables: tables(sql, naming) }, box), (found) =>
          found.map(({ subject, detail }) => `${subject}: ${detail}`)
        )
    }
  })
