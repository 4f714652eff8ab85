/** Servers that run on one database, and how they and their agents stand. Pure. */
import type { AgentFacts } from "../measure/AgentRuns.ts"
import type { ServerId } from "../value/Ids.ts"

/** A server as it tells of itself. Instants are epoch milliseconds, by the server's own clock. */
export interface Server {
  readonly id: ServerId
  /** Of its program; null: it has told none. */
  readonly version: string | null
  readonly startedAt: number
  /** When it has last told of itself. */
  readonly seenAt: number
  /** When it has ended in order; null: it has not. */
  readonly endedAt: number | null
  /** Its agents, by their names. */
  readonly agents: ReadonlyArray<AgentFacts>
}

/** Most agents that are told of: beyond those of the engine there is room for more versions of it. */
export const maxAgents = 64

/** `silent`: it has not ended in order, and says nothing. It stands still, has lost the database, or was killed. */
export type ServerState = "running" | "silent" | "ended"

/** How a server stands at `now`. It is silent once it has missed three of its beats, and its clock may be late. */
export const stateOf = ({ endedAt, seenAt }: Server, now: number, everyMs: number): ServerState => {
  if (endedAt !== null) return "ended"
  return now - seenAt > 3 * everyMs + clocksMs ? "silent" : "running"
}

/** How much the clocks of servers may differ. */
const clocksMs = 10_000

/**
 * `waiting`: it has had no look yet. `failing`: on a server its last looks have failed. `standing`: on no running
 * server it has looked for work for longer than it may.
 */
export type AgentState = "working" | "waiting" | "failing" | "standing"

/** An agent over all running servers: any of them does the work of all. */
export interface AgentStanding {
  readonly agent: string
  readonly state: AgentState
  /** On how many running servers there is one. */
  readonly servers: number
  readonly everyMs: number | null
  /** The latest of all servers, with how long that look took. */
  readonly succeededAt: number | null
  readonly tookMs: number | null
  readonly failedAt: number | null
  /** The most of a server. */
  readonly failedInRow: number
  readonly lag: AgentFacts["lag"]
}

/**
 * How long a look may be overdue: what alerts are set to (`TolemAgentStands`), with the time until the next beat tells
 * of it.
 */
const overdueMs = 60_000

/** The agents of running servers at `now`, by their names. */
export const agentsOf = (running: ReadonlyArray<Server>, now: number): ReadonlyArray<AgentStanding> => {
  const all = running.flatMap(({ agents }) => agents)
  const byName = Map.groupBy(all, ({ agent }) => agent)
  return Array.from(byName, ([agent, facts]) => standingOf(agent, facts, now)).sort((a, b) =>
    a.agent < b.agent ? -1 : 1
  )
}

const standingOf = (agent: string, facts: ReadonlyArray<AgentFacts>, now: number): AgentStanding => {
  const latest = facts.reduce((a, b) => ((b.succeededAt ?? -1) > (a.succeededAt ?? -1) ? b : a))
  const { everyMs, succeededAt, tookMs } = latest
  const lags = facts.flatMap(({ lag }) => (lag === null ? [] : [lag]))
  const failed = facts.flatMap(({ failedAt }) => failedAt ?? [])
  const standing = {
    agent,
    servers: facts.length,
    everyMs,
    succeededAt,
    tookMs,
    failedAt: failed.length === 0 ? null : Math.max(...failed),
    failedInRow: Math.max(...facts.map(({ failedInRow }) => failedInRow)),
    lag: lags.length === 0 ? null : lags.reduce((a, b) => (b.oldestMs > a.oldestMs ? b : a))
  }
  return { ...standing, state: agentState(standing, now) }
}

const agentState = (agent: Omit<AgentStanding, "state">, now: number): AgentState => {
  const { everyMs, succeededAt, failedInRow } = agent
  if (succeededAt !== null && everyMs !== null && now - succeededAt > everyMs + overdueMs) return "standing"
  if (failedInRow > 0) return "failing"
  return succeededAt === null && agent.failedAt === null ? "waiting" : "working"
}

/** How long what is due may wait until it is late: what alerts are set to (`TolemBacklogOld`). */
const lateMs = 5 * 60_000
/** How long people may take for a work item (`TolemWorkItemsOld`). */
const lateForPeopleMs = 3 * 24 * 3_600_000

/** Whether what has waited for so long is late. */
export const isLate = (waitedMs: number, forPeople: boolean): boolean =>
  waitedMs > (forPeople ? lateForPeopleMs : lateMs)
