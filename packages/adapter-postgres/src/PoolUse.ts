/** What operators see of the connections to PostgreSQL: how many a process may have, are lent, and are waited for. */
import type { PgPool } from "@effect/sql-pg"
import { type Context, Effect, Metric, type Scope } from "effect"

const size = Metric.gauge("tolem_database_pool_size", {
  description: "PostgreSQL: connections that the process may have at once"
})
const used = Metric.gauge("tolem_database_pool_used", {
  description: "PostgreSQL: connections that statements, transactions and the listener hold"
})
const waiting = Metric.gauge("tolem_database_pool_waiting", {
  description: "PostgreSQL: statements and transactions that wait for a connection"
})

/** Connections of a pool, counted for as long as the scope is open. Pools of one process are counted together. */
export const counted = (connections: number): Effect.Effect<void, never, Scope.Scope> => held(size, connections)

/** The same acquisition: counted as waiting until there is a connection, and as used until the scope closes. */
export const acquired = <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Scope.Scope> =>
  Effect.withFiber((fiber) => {
    const endWait = beginWait(fiber.context)
    const there = Effect.tap(self, () => {
      endWait()
      return held(used, 1)
    })
    return Effect.onExitPrimitive(there, endWait)
  })

/** The same pool, with counts of what it lends. */
export const observed = (pool: PgPool.PgPool): PgPool.PgPool => ({
  ...pool,
  get: acquired(pool.get),
  reserve: acquired(pool.reserve),
  use: (work) =>
    Effect.withFiber(({ context }) => {
      const endWait = beginWait(context)
      let isLent = false
      const lent = pool.use((connection) => {
        endWait()
        isLent = true
        used.modifyUnsafe(1, context)
        return work(connection)
      })
      return Effect.onExitPrimitive(lent, () => {
        if (isLent) used.modifyUnsafe(-1, context)
        else endWait()
        return undefined
      })
    })
})

/** Counts a wait until what it answers is called, for the first time. */
const beginWait = (context: Context.Context<never>): (() => undefined) => {
  let isOver = false
  waiting.modifyUnsafe(1, context)
  return () => {
    if (!isOver) waiting.modifyUnsafe(-1, context)
    isOver = true
  }
}

const held = (gauge: Metric.Gauge<number>, count: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(Effect.acquireRelease(Metric.modify(gauge, count), () => Metric.modify(gauge, -count)))
