/**
 * Which rows of the daily totals a write uses. A row is locked until its transaction ends, so writes that are under way
 * at once use different ones, in this process as in others. Readers add all of them up.
 */
import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"

/** Chooses the rows that a counter is spread over. */
export interface Shards {
  /** Runs a write with a shard that no other one of this process uses meanwhile: the lowest, so that few are used. */
  readonly use: <A, E, R>(write: (shard: number) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

/** The first shard of those that transactions of applications use: far above those of processes. */
const ofTransactions = 1_000_000

/** How many there are of them. */
const atOnce = 10_000

/**
 * The shard of an open transaction: the lowest that no other one has until its end, in any process, since transactions
 * of applications may stay open for long. Where one transaction at a time writes it is always the same.
 */
export const ofTransaction = (sql: SqlClient.SqlClient): Effect.Effect<number, SqlError.SqlError> =>
  sql.onDialectOrElse({
    pg: () =>
      Effect.map(
        sql<{ readonly shard: number }>`
          select n as shard from generate_series(${ofTransactions}::int, ${ofTransactions + atOnce - 1}::int) as n
          where pg_try_advisory_xact_lock(hashtext('tolem daily totals'), n) limit 1`,
        ([row]) => row?.shard ?? ofTransactions
      ),
    orElse: () => Effect.succeed(ofTransactions)
  })

/** Processes with different numbers below this one share no row. */
export const processes = 64

/** The shards of the process with this number. */
export const make = (process: number): Shards => {
  const used = new Set<number>()
  const take = Effect.sync(() => {
    let shard = process
    while (used.has(shard)) shard += processes
    used.add(shard)
    return shard
  })
  const giveBack = (shard: number) =>
    Effect.sync(() => {
      used.delete(shard)
    })
  return { use: (write) => Effect.acquireUseRelease(take, write, giveBack) }
}
