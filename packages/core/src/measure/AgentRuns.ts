/**
 * What operators see of agents: when each has last looked for work, how long that took, and how often it has failed.
 * Metrics show it of this process; `Book` holds it for the row that a server keeps of itself.
 */
import { Clock, Context, Effect, Metric } from "effect"
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

/** How far an agent is behind that knows it from its own looks. */
export interface AgentLag {
  /** How long the oldest is due. */
  readonly oldestMs: number
  /** Whose work is due: endpoints, of webhooks. */
  readonly due: number
}

/** How an agent of one process fares. Instants are epoch milliseconds; null: not yet. */
export interface AgentFacts {
  readonly agent: string
  /** How long it waits between two looks or sweeps at most; null: it works only when there is something to do. */
  readonly everyMs: number | null
  /** When a look or a sweep has last ended well, and how long it took. */
  readonly succeededAt: number | null
  readonly tookMs: number | null
  /** When a look, a sweep or a piece of work has last failed. */
  readonly failedAt: number | null
  /** Looks and sweeps that have failed since one ended well. */
  readonly failedInRow: number
  readonly lag: AgentLag | null
}

/** The facts of the agents of this process, by their names. There are as many as there are agents. */
export const Book: Context.Reference<Map<string, AgentFacts>> = Context.Reference<Map<string, AgentFacts>>(
  "@tolem/core/AgentBook",
  { defaultValue: () => new Map() }
)

const unknown = { everyMs: null, succeededAt: null, tookMs: null, failedAt: null, failedInRow: 0, lag: null }

const note = (agent: string, change: (before: AgentFacts) => Partial<AgentFacts>): Effect.Effect<void> =>
  Effect.map(Book, (book) => {
    const before = book.get(agent) ?? { agent, ...unknown }
    book.set(agent, { ...before, ...change(before) })
  })

/** Counts a failure of the agent. `agent` is the name of its file, which the log has too. */
export const failed = (agent: string, what: AgentWork): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (failedAt) =>
    Effect.andThen(
      Metric.update(failures({ agent, what }), 1),
      note(agent, ({ failedInRow }) => ({ failedAt, failedInRow: what === "job" ? failedInRow : failedInRow + 1 }))
    )
  )

/** Notes how far the agent is behind, as its own looks show it. */
export const behind = (agent: string, lag: AgentLag): Effect.Effect<void> => note(agent, () => ({ lag }))

/**
 * A look for work, or a sweep, that notes its end: that it went well and how long it took, or that it has failed. Its
 * failure stays one; an interruption is neither. `everyMs`: see `AgentFacts`.
 */
export const observed =
  (agent: string, what: "claim" | "sweep", everyMs: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeMillis, (begunAt) =>
      Effect.tapCause(
        Effect.tap(work, () => ran(agent, begunAt, everyMs)),
        () => failed(agent, what)
      )
    )

const ran = (agent: string, begunAt: number, everyMs: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (succeededAt) =>
    Effect.andThen(
      Metric.update(lastRun({ agent }), succeededAt / 1000),
      note(agent, () => ({ everyMs, succeededAt, tookMs: Math.max(0, succeededAt - begunAt), failedInRow: 0 }))
    )
  )
