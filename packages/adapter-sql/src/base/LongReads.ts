/** Selects that may read very many rows: where a database has a better place for them than among all others. */
import type { Effect } from "effect"
import { Context } from "effect"
import type { SqlError, Statement } from "effect/sql"

/** Runs a select for a tenant, whose name is `line`; tenants are served in turn where they have to wait. */
export type LongReads = <A extends object>(
  line: string,
  select: Statement.Statement<A>
) => Effect.Effect<ReadonlyArray<A>, SqlError.SqlError>

/** How long reads are run. Without one they are statements as all others. */
export const LongReads = Context.Reference<LongReads>("@tolem/adapter-sql/LongReads", {
  defaultValue: () => (_line, select) => select
})
