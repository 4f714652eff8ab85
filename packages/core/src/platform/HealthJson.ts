/** How the platform fares, as operators are shown it. Pure. */
import type { AgentFacts } from "../measure/AgentRuns.ts"
import { toIso } from "../value/Calendar.ts"
import { type Health, maxCounted, type SeenServer, type Waiting } from "./PlatformHealth.ts"
import type { AgentStanding } from "./Server.ts"

const isoOr = (at: number | null): string | null => (at === null ? null : toIso(at))

const factsJson = ({ everyMs, succeededAt, tookMs, failedAt, failedInRow }: Omit<AgentFacts, "agent" | "lag">) => ({
  everyMs,
  succeededAt: isoOr(succeededAt),
  tookMs,
  failedAt: isoOr(failedAt),
  failedInRow
})

const agentJson = ({ agent, state, servers, lag: _, ...facts }: AgentStanding) => ({
  agent,
  state,
  servers,
  ...factsJson(facts)
})

const serverJson = ({ id, version, state, startedAt, seenAt, endedAt, agents }: SeenServer) => ({
  id,
  version,
  state,
  startedAt: toIso(startedAt),
  seenAt: toIso(seenAt),
  endedAt: isoOr(endedAt),
  agents: agents.map(({ agent, lag: _, ...facts }) => ({ agent, ...factsJson(facts) }))
})

const waitingJson = ({ kind, agent, count, oldestAt, lagMs, isLate }: Waiting) => ({
  kind,
  agent,
  count,
  more: count >= maxCounted,
  oldestAt: isoOr(oldestAt),
  lagMs,
  late: isLate
})

/** The servers, their agents over all of them, and what waits. */
export const healthJson = ({ at, servers, agents, waiting }: Health) => ({
  at: toIso(at),
  servers: servers.map(serverJson),
  agents: agents.map(agentJson),
  waiting: waiting.map(waitingJson)
})
