/** Until when things may have been removed by their age, so that the checks of the data do not miss them. */
import { Effect } from "effect"
import type { SqlError } from "effect/sql"
import type { Database } from "./Database.ts"

/** What is removed by its age, although something else tells of it, or of which something stays. */
export const removalKinds = ["attempts", "bodies", "deliveries"] as const

/** One of them. */
export type RemovalKind = (typeof removalKinds)[number]

/** Until when things of a kind may have gone; 0: none has. */
export const notedBefore = (
  { sql, tables }: Pick<Database["Service"], "sql" | "tables">,
  kind: RemovalKind
): Effect.Effect<number, SqlError.SqlError> =>
  Effect.map(
    sql<{ readonly ended_before: number }>`select r.ended_before from ${tables.removals} r where r.kind = ${kind}`,
    ([row]) => row?.ended_before ?? 0
  )

/** Notes, in the transaction that removes, that what ended before an instant may have gone. It never goes back. */
export const note = (
  { sql, tables }: Pick<Database["Service"], "sql" | "tables">,
  kind: RemovalKind,
  before: number
): Effect.Effect<void, SqlError.SqlError> =>
  Effect.asVoid(sql`
    insert into ${tables.removals} as t (kind, ended_before) values (${kind}, cast(${before} as bigint))
    on conflict (kind) do update set ended_before = excluded.ended_before
      where t.ended_before < excluded.ended_before`)
