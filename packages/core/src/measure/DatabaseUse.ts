/** What operators see of the database: how much is asked of it at once, and how long it takes. */
import { Clock, Effect, Metric } from "effect"
import { durationBounds, family } from "./Series.ts"

/** A single statement, or several in a transaction. */
export type DatabaseWork = "read" | "write" | "transaction"

const running = Metric.gauge("tolem_database_operations_running", {
  description: "Statements and transactions under way, those included that wait for a connection"
})

const durations = family(["kind"], (attributes) =>
  Metric.histogram("tolem_database_operation_duration_seconds", {
    description: "Time of a statement or transaction, the wait for a connection included",
    boundaries: durationBounds,
    attributes
  })
)

const series = {
  read: durations({ kind: "read" }),
  write: durations({ kind: "write" }),
  transaction: durations({ kind: "transaction" })
}

/** The same work, counted while it runs, and timed. Every statement goes this way: it makes no effects of its own. */
export const timed = <A, E, R>(kind: DatabaseWork, work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => {
    const clock = fiber.getRef(Clock.Clock)
    const startedAt = clock.monotonicTimeNanosUnsafe()
    running.modifyUnsafe(1, fiber.context)
    return Effect.onExitPrimitive(work, () => {
      running.modifyUnsafe(-1, fiber.context)
      series[kind].updateUnsafe(Number(clock.monotonicTimeNanosUnsafe() - startedAt) / 1e9, fiber.context)
      return undefined
    })
  })
