/** Use-case of operators: which servers run on this database, how their agents fare, and what waits. */
import { Clock, Context, Effect, Layer } from "effect"
import { type Backlog, type BacklogKind, BacklogStore } from "../measure/BacklogStore.ts"
import { type AgentStanding, agentsOf, isLate, type Server, type ServerState, stateOf } from "./Server.ts"
import { ServerSettings } from "./ServerSettings.ts"
import { ServerStore } from "./ServerStore.ts"

/** A server, and how it stands. */
export interface SeenServer extends Server {
  readonly state: ServerState
}

/** What waits: rows that agents take, and webhooks, which are told by endpoints. */
export interface Waiting extends Omit<Backlog, "kind"> {
  readonly kind: BacklogKind | "webhooks"
  /** The agent that takes it; null: people do. */
  readonly agent: string | null
  /** How long the oldest has been due, milliseconds; 0: nothing waits. */
  readonly lagMs: number
  readonly isLate: boolean
}

/** How the platform fares. */
export interface Health {
  readonly at: number
  /** Those seen last: running ones first. */
  readonly servers: ReadonlyArray<SeenServer>
  readonly agents: ReadonlyArray<AgentStanding>
  readonly waiting: ReadonlyArray<Waiting>
}

/** Most servers that are shown: more than run on one database. */
const maxServers = 100

/** A count beyond this is shown as this, as in metrics. */
export const maxCounted = 10_000

const takers: Readonly<Record<BacklogKind, string | null>> = {
  invoices: "InvoiceWatcher",
  letters: "MailDispatcher",
  subscriptions: "SubscriptionRunner",
  subscription_runs: "SubscriptionRunner, runs",
  reconciliations: "Reconciler",
  work_items: null
}

const order: ReadonlyArray<ServerState> = ["running", "silent", "ended"]

const make = Effect.gen(function* () {
  const servers = yield* ServerStore
  const backlogs = yield* BacklogStore
  const { everyMs } = (yield* ServerSettings).servers

  const look = Effect.fn("PlatformHealth.look")(function* () {
    const at = yield* Clock.currentTimeMillis
    const seen = (yield* servers.list(maxServers)).map((server) => ({ ...server, state: stateOf(server, at, everyMs) }))
    const agents = agentsOf(
      seen.filter(({ state }) => state === "running"),
      at
    )
    const stored = (yield* backlogs.waiting(at, maxCounted)).map((backlog) => waitingOf(backlog, at))
    const health: Health = {
      at,
      servers: order.flatMap((state) => seen.filter((server) => server.state === state)),
      agents,
      waiting: [...stored, ...webhooksOf(agents, at)]
    }
    return health
  })

  return {
    /** How the platform fares now: what servers have told, seconds ago, and what waits in the database. */
    look
  }
})

/** How the platform fares. */
export class PlatformHealth extends Context.Service<PlatformHealth, Effect.Success<typeof make>>()(
  "@tolem/core/PlatformHealth"
) {
  /** The use-case over the stores. */
  static readonly layer = Layer.effect(PlatformHealth, make)
}

const waitingOf = ({ kind, count, oldestAt }: Backlog, at: number): Waiting => {
  const lagMs = oldestAt === null ? 0 : Math.max(0, at - oldestAt)
  return { kind, agent: takers[kind], count, oldestAt, lagMs, isLate: isLate(lagMs, takers[kind] === null) }
}

/** The dispatcher tells of it by itself: asked for here it would be a second walk through all endpoints. */
const webhooksOf = (agents: ReadonlyArray<AgentStanding>, at: number): ReadonlyArray<Waiting> =>
  agents.flatMap(({ agent, lag }): ReadonlyArray<Waiting> => {
    if (lag === null) return []
    const { due: count, oldestMs: lagMs } = lag
    const oldestAt = count === 0 ? null : at - lagMs
    return [{ kind: "webhooks", agent, count, oldestAt, lagMs, isLate: isLate(lagMs, false) }]
  })
