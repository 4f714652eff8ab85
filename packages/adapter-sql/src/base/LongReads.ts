/** Selects that may read very many rows: where a database has a better place for them than among all others. */
import { Context, Effect, Option, PartitionedSemaphore } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"

/** Runs a select for a tenant, whose name is `line`; tenants are served in turn where they have to wait. */
export type LongReads = <A extends object>(
  line: string,
  select: Statement.Statement<A>
) => Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>

/** How long reads are run. Without one they are statements as all others. */
export const LongReads = Context.Reference<LongReads>("@tolem/adapter-sql/LongReads", {
  defaultValue: () => (_line, select) => select
})

/**
 * Long reads on connections that all statements share: no more than `places` of them at once, so that the other
 * connections are left to what is quick, however many long reads one tenant asks for.
 */
export const turnsOfReads = (sql: SqlClient.SqlClient, places: number): LongReads => {
  const turns = PartitionedSemaphore.makeUnsafe<string>({ permits: places })
  return (line, select) =>
    Effect.flatMap(Effect.serviceOption(sql.transactionService), (open) =>
      // A transaction has its connection already: those whose turn it is may wait for that one.
      Option.isSome(open) ? select : turns.withPermit(line)(select)
    )
}
