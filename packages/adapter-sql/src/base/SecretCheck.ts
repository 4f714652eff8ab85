/**
 * One sealed text of the database's own. A server with other keys than those before it could read no secret of theirs,
 * and would seal new ones that they cannot read, so it must not start.
 */
import { SecretBox, type SecretUnreadable } from "@tolem/core/secret/SecretBox"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Database } from "./Database.ts"
import * as Failures from "./Failures.ts"
import { hasTable, type TableNaming, tableName, tables } from "./Tables.ts"

const id = "secret-check"

/**
 * Fails with `SecretUnreadable` if none of the box's keys opens the text. The first server seals it; one with a new
 * key in front seals it anew, after which the old key alone opens it no longer. With `readOnly` nothing is sealed.
 */
export const layer = ({
  readOnly = false
}: Options): Layer.Layer<never, SqlError.SqlError | SecretUnreadable, Database | SecretBox> =>
  // Servers that start together are in each other's way where every transaction is serializable.
  Layer.effectDiscard(
    (readOnly ? look : check).pipe(Effect.asVoid, Effect.retry({ times: 20, while: Failures.isConflict }))
  )

/** Settings of the check. */
export interface Options {
  /** Whether nothing must be written. Default false. */
  readonly readOnly?: boolean | undefined
}

/** Whether a server has sealed the text; false if there is no schema yet. */
export const isSealed = (naming: TableNaming): Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    if (!(yield* hasTable(sql, tableName(naming, "secret_checks")))) return false
    return (yield* sql`select 1 as found from ${tables(sql, naming).secret_checks} limit 1`).length > 0
  })

/** The text as it is stored, once a key has opened it; nothing if none was sealed yet. */
const look = Effect.gen(function* () {
  const { sql, tables } = yield* Database
  const [row] = yield* sql<{ readonly sealed: string }>`select sealed from ${tables.secret_checks} where id = ${id}`
  if (row !== undefined) yield* (yield* SecretBox).open(row.sealed, id)
  return row?.sealed
})

const check = Effect.gen(function* () {
  const { sql, tables } = yield* Database
  const box = yield* SecretBox
  const fresh = yield* box.seal(Redacted.make("readable"), id)
  yield* sql`insert into ${tables.secret_checks} (id, sealed) values (${id}, ${fresh}) on conflict (id) do nothing`
  const sealed = (yield* look) ?? fresh
  if (sealed.split(".")[1] === box.keyId) return
  yield* sql`update ${tables.secret_checks} set sealed = ${fresh} where id = ${id} and sealed = ${sealed}`
})
