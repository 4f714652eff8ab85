/** What operators see of agents: when each has last looked for work, and how often it has failed. */
import { Clock, Effect, Metric } from "effect"
import { family } from "./Series.ts"

const lastRun = family(["agent"], (attributes) =>
  Metric.gauge("tolem_agent_last_run_timestamp_seconds", {
    description: "When the agent has last looked for work, or swept, without a failure, in seconds since 1970",
    attributes
  })
)

const failures = family(["agent", "what"], (attributes) =>
  Metric.counter("tolem_agent_failures_total", {
    description: "Looks for work, sweeps and pieces of work of the agent that have failed; the log says why",
    incremental: true,
    attributes
  })
)

/** What an agent does: `claim` looks for work, `job` does a piece of it, `sweep` removes what is old. */
export type AgentWork = "claim" | "job" | "sweep"

/** Notes that the agent has looked for work just now. `agent` is the name of its file, which the log has too. */
export const ran = (agent: string): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Metric.update(lastRun({ agent }), now / 1000))

/** Counts a failure of the agent. */
export const failed = (agent: string, what: AgentWork): Effect.Effect<void> =>
  Metric.update(failures({ agent, what }), 1)

/**
 * A look for work, or a sweep, that notes its end: `ran` if it succeeds, else `failed`. Its failure stays one; an
 * interruption is neither.
 */
export const observed =
  (agent: string, what: AgentWork) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tapCause(
      Effect.tap(work, () => ran(agent)),
      () => failed(agent, what)
    )
