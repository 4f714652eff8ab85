/** Eight ways in which services over a database break, each played on three servers under load. */
import { randomInt } from "node:crypto"
import { setTimeout as wait } from "node:timers/promises"
import type { Merchant } from "@tolem/testing-harness/Desk"
import { hangs, type Receiver, refuses, takes } from "@tolem/testing-harness/Receiver"
import type { Server as Postgres } from "@tolem/testing-postgres/Server"
import { checkDatabase, isAnnounced, outOfOrder } from "./Checks.ts"
import { emptyJournal, type Journal, runClients } from "./Clients.ts"
import { openWorld, type World } from "./World.ts"

/** What a scenario came to. */
export interface Outcome {
  readonly name: string
  /** What was done. */
  readonly deed: string
  readonly journal: Journal
  /** From the end of the disturbance until everything was announced. */
  readonly recoveryMs: number
  readonly lost: ReadonlyArray<string>
  readonly doubled: ReadonlyArray<string>
}

/** What a scenario plays on, with a merchant under load. */
interface Stage {
  readonly world: World
  readonly merchant: Merchant & { readonly receiver: Receiver }
  readonly journal: Journal
}

interface Scenario {
  readonly parameters?: string
  readonly clients?: number
  /** Breaks things while clients work; answers what it did. */
  readonly disturb: (stage: Stage) => Promise<string>
}

const servers = 3
const clients = 16
const quietMs = 1_000
const announceMs = 60_000

/** Their names, in the order in which they are played. */
export const names = [
  "crash recovery",
  "server restart",
  "repeated kills",
  "backend kills",
  "agent failover",
  "pool exhaustion",
  "retry storm",
  "starvation"
] as const
/** Name of a scenario. */
export type Name = (typeof names)[number]

/** Plays a scenario. */
export const play = async (name: Name, postgres: Postgres): Promise<Outcome> => {
  const scenario = scenarios[name]
  const world = await openWorld(postgres, servers, { parameters: scenario.parameters ?? "" })
  try {
    const merchant = await world.merchant()
    const journal = emptyJournal()
    let over = false
    const work = runClients(world, merchant, scenario.clients ?? clients, () => over, journal)
    // A client that gives up must not be an unhandled rejection while things are being broken.
    work.catch(() => {})
    await wait(quietMs)
    const deed = await scenario.disturb({ world, merchant, journal })
    const calmAt = performance.now()
    await wait(quietMs)
    over = true
    await work
    const { arrivals } = merchant.receiver
    const announced = await until(announceMs, () => isAnnounced(journal, arrivals))
    const { lost, doubled } = await checkDatabase(world, journal)
    return {
      name,
      deed,
      journal,
      recoveryMs: performance.now() - calmAt - quietMs,
      lost: [...lost, ...(announced ? [] : ["not announced"])],
      doubled: [...doubled, ...outOfOrder(arrivals)]
    }
  } finally {
    await world.dispose()
  }
}

const until = async (ms: number, condition: () => boolean | Promise<boolean>): Promise<boolean> => {
  const end = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > end) return false
    await wait(50)
  }
  return true
}

const killAll = async ({ servers }: World) => {
  const alive = servers.filter((server) => server.isAlive())
  await Promise.all(alive.map((server) => server.kill()))
  return alive.length
}

const replace = async (world: World) => {
  const alive = world.servers.filter((server) => server.isAlive())
  await alive[randomInt(alive.length)]?.kill()
  await world.serve()
}

const backends = `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and random() < 0.5`

const scenarios: Readonly<Record<Name, Scenario>> = {
  "crash recovery": {
    disturb: async ({ world }) => {
      const killed = await killAll(world)
      await Promise.all(Array.from({ length: killed }, () => world.serve()))
      return `${killed} servers killed at once and replaced`
    }
  },

  "server restart": {
    disturb: async ({ world }) => {
      await world.postgres.stop()
      await world.postgres.start()
      await wait(quietMs)
      await world.postgres.crash()
      await world.postgres.start()
      return "PostgreSQL stopped, and crashed"
    }
  },

  "repeated kills": {
    disturb: async ({ world }) => {
      const kills = 8
      for (let count = 0; count < kills; count++) {
        await replace(world)
        await wait(randomInt(100, 400))
      }
      return `${kills} servers killed one by one`
    }
  },

  "backend kills": {
    disturb: async ({ world }) => {
      let cut = 0
      for (let round = 0; round < 30; round++) {
        cut += Number((await world.query(backends))[0]?.["n"])
        await wait(100)
      }
      return `${cut} connections cut`
    }
  },

  "agent failover": {
    disturb: async ({ world, merchant: { receiver } }) => {
      receiver.behaviour = hangs
      // Each server sends four at once to an endpoint, so all three hold some.
      const held = receiver.arrivals.length + 9
      await until(10_000, () => receiver.arrivals.length >= held)
      await world.servers[0]?.kill()
      await world.servers[1]?.kill()
      receiver.behaviour = takes
      return "two servers killed in the middle of their deliveries"
    }
  },

  "pool exhaustion": {
    parameters: "?pool_size=2&statement_timeout=1000",
    clients: 64,
    disturb: async ({ world }) => {
      const holders = await Promise.all(Array.from({ length: 20 }, () => world.connect()))
      await Promise.all(holders.map((holder) => holder.query("begin")))
      await holders[0]?.query("lock table tolem_invoices in access exclusive mode")
      await wait(3_000)
      await Promise.all(holders.map((holder) => holder.end()))
      return "64 clients on pools of 2, the table locked for 3 s"
    }
  },

  "retry storm": {
    disturb: async ({ world, merchant: { receiver } }) => {
      receiver.behaviour = refuses
      await wait(3_000)
      const [row] = await world.query("select count(*)::int as n from tolem_endpoints where paused_until is not null")
      receiver.behaviour = takes
      await wait(quietMs)
      // The ladder's first wait is 10 s and a pause lasts 10 minutes: that time is let pass at once.
      await world.query("update tolem_endpoints set paused_until = 1 where paused_until is not null")
      await world.query("update tolem_deliveries set due_at = 1, ready_at = 1 where status = 'pending'")
      return `everything refused for 3 s, ${Number(row?.["n"]) > 0 ? "the endpoint paused" : "no pause"}`
    }
  },

  starvation: {
    disturb: async ({ world, merchant: { receiver } }) => {
      const busy = await world.merchant()
      // Each of the busy one's deliveries takes long enough that its backlog grows.
      busy.receiver.behaviour = (response) => void setTimeout(() => response.writeHead(200).end(), 200)
      const theirs = emptyJournal()
      let over = false
      const work = runClients(world, busy, 48, () => over, theirs)
      await wait(4_000)
      const before = receiver.arrivals.length
      await wait(2_000)
      const passed = receiver.arrivals.length - before
      over = true
      await work
      const waiting = theirs.paid.size - new Set(busy.receiver.arrivals.map(({ invoice }) => invoice)).size
      if (passed === 0) throw new Error("the small merchant's webhooks stood still")
      busy.receiver.behaviour = takes
      return `${waiting} webhooks of another waiting; ours came through at ${Math.round(passed / 2)}/s`
    }
  }
}
