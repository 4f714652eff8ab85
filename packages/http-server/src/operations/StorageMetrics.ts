/** What operators see of the storage: what waits in it, and its size. Every server asks, so all show the same. */

import * as AgentRuns from "@tolem/core/measure/AgentRuns"
import { type Backlog, BacklogStore } from "@tolem/core/measure/BacklogStore"
import { family } from "@tolem/core/measure/Series"
import { Clock, Effect, Metric } from "effect"

/** As often as Prometheus usually reads. */
const everyMs = 15_000

/** A count beyond this is shown as this: each look goes through so many places of an index at most. */
const maxCounted = 10_000

const rows = family(["kind"], (attributes) =>
  Metric.gauge("tolem_backlog_rows", {
    description: "What waits to be worked off: rows that are due, and work items that are open; 10000: as many or more",
    attributes
  })
)

const oldest = family(["kind"], (attributes) =>
  Metric.gauge("tolem_backlog_oldest_seconds", {
    description: "How long the oldest of them has waited",
    attributes
  })
)

const size = Metric.gauge("tolem_database_size_bytes", {
  description: "Size of the database, without its log of writes"
})

/** Asks again and again for as long as the scope is open. What is not answered stays as it was. */
export const show = Effect.gen(function* () {
  const store = yield* BacklogStore
  const look = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* Effect.forEach(yield* store.waiting(now, maxCounted), (backlog) => tell(backlog, now), { discard: true })
    yield* Metric.update(size, yield* store.size)
  })
  yield* AgentRuns.observed(
    "StorageMetrics",
    "sweep",
    everyMs
  )(look).pipe(
    Effect.catchCause((cause) => Effect.logWarning("StorageMetrics: not known", cause)),
    Effect.andThen(Effect.sleep(everyMs)),
    Effect.forever,
    Effect.forkScoped
  )
})

const tell = ({ kind, count, oldestAt }: Backlog, now: number) =>
  Effect.andThen(
    Metric.update(rows({ kind }), count),
    Metric.update(oldest({ kind }), oldestAt === null ? 0 : Math.max(0, now - oldestAt) / 1000)
  )
