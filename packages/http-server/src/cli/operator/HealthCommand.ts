/** `tolem operator health` */
import { Engine } from "@tolem/core/engine/Engine"
import { healthJson } from "@tolem/core/platform/HealthJson"
import { readingCommand } from "../kit/Commands.ts"
import { type Columns, localTime, parts, section, table } from "../kit/Tables.ts"

type Shown = ReturnType<typeof healthJson>

const servers: Columns<Shown["servers"][number]> = {
  SERVER: ({ id }) => id,
  STATE: ({ state }) => state,
  VERSION: ({ version }) => version,
  STARTED: ({ startedAt }) => localTime(startedAt),
  SEEN: ({ endedAt, seenAt }) => localTime(endedAt ?? seenAt)
}

const agents: Columns<Shown["agents"][number]> = {
  AGENT: ({ agent }) => agent,
  STATE: ({ state }) => state,
  SERVERS: ({ servers }) => servers,
  "LAST SUCCESS": ({ succeededAt }) => localTime(succeededAt),
  "TOOK, MS": ({ tookMs }) => tookMs,
  "LAST FAILURE": ({ failedAt }) => localTime(failedAt),
  "FAILED IN A ROW": ({ failedInRow }) => failedInRow
}

const waiting: Columns<Shown["waiting"][number]> = {
  WAITS: ({ kind }) => kind,
  AGENT: ({ agent }) => agent,
  DUE: ({ count, more }) => (more ? `${count}+` : `${count}`),
  "OLDEST, S": ({ lagMs }) => Math.round(lagMs / 1000),
  LATE: ({ late }) => (late ? "late" : "")
}

/** Servers, their agents, and what waits. */
export const health = readingCommand(
  "health",
  "Show the servers of the database, how their agents fare, and what waits",
  {},
  function* () {
    const { platformHealth } = yield* Engine
    const shown = healthJson(yield* platformHealth.look())
    const text = parts(
      shown.servers.length === 0 ? "No server has told of itself." : table(shown.servers, servers),
      section("Agents of the running servers", shown.agents, agents),
      section("What waits", shown.waiting, waiting)
    )
    return { json: shown, text }
  }
)
