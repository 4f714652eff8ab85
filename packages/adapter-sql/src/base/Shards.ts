/**
 * Which rows of the daily totals a write uses. A row is locked until its transaction ends, so writes that are under way
 * at once use different ones, in this process as in others. Readers add all of them up.
 */
import { Effect } from "effect"

/** Chooses the rows that a counter is spread over. */
export interface Shards {
  /** Runs a write with a shard that no other one of this process uses meanwhile: the lowest, so that few are used. */
  readonly use: <A, E, R>(write: (shard: number) => Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

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
