/** Four attacks of strangers who have nothing but sandbox keys, each played on two servers. */
import { readFileSync } from "node:fs"
import { connect, type Socket } from "node:net"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import type { Merchant } from "@tolem/testing-harness/Desk"
import { hangs, type Receiver, receive, takes } from "@tolem/testing-harness/Receiver"
import type { Server as Postgres } from "@tolem/testing-postgres/Server"
import { openWorld, type World } from "../postgres/World.ts"
import { call, work } from "./Victim.ts"

/** What an attack came to. */
export interface Outcome {
  readonly name: string
  /** What was done. */
  readonly deed: string
  readonly servers: number
  /** How many of the servers had not ended. */
  readonly alive: number
  /** Most memory that one of them ever held. */
  readonly peakBytes: number
  /** From a payment of the victim to its announcement, the median: before the attack, and during it. */
  readonly idleMs: number
  readonly attackedMs: number
  /** Announcements that came during the attack, of how many. */
  readonly arrived: number
  readonly expected: number
  /** What was wrong besides. */
  readonly complaints: ReadonlyArray<string>
}

/** What an attack plays on. `attackers` have no receiver yet. */
interface Stage {
  readonly world: World
  readonly attackers: readonly [Merchant, Merchant]
  readonly stranger: Receiver
}

interface Attack {
  /** Megabytes of heap that the servers may have. */
  readonly heap: number
  /** Sets the attack going; answers what it did, how it ends, and what must have come of it. */
  readonly begin: (stage: Stage) => Promise<{
    readonly deed: string
    readonly end?: () => Promise<ReadonlyArray<string>>
  }>
}

const servers = 2
const events = 100

/** Their names, in the order in which they are played. */
export const names = ["dead addresses", "slow endpoints", "pipelined lists", "held deliveries"] as const
/** Name of an attack. */
export type Name = (typeof names)[number]

/** Plays an attack. */
export const play = async (name: Name, postgres: Postgres): Promise<Outcome> => {
  const { heap, begin } = attacks[name]
  const node = [`--max-old-space-size=${heap}`, "--import", join(import.meta.dirname, "names.ts")]
  const world = await openWorld(postgres, servers, { node })
  const stranger = await receive()
  try {
    const victim = await world.merchant()
    const attackers = [await world.organization(), await world.organization()] as const
    // What is compiled at the first calls shall not count as idle.
    await work(world, victim, 20)
    const idle = await work(world, { ...victim, receiver: fresh(victim.receiver) }, events)
    const { deed, end } = await begin({ world, attackers, stranger })
    const attacked = await work(world, { ...victim, receiver: fresh(victim.receiver) }, events)
    const complaints = (await end?.()) ?? []
    return {
      name,
      deed,
      servers,
      alive: world.servers.filter((server) => server.isAlive()).length,
      peakBytes: Math.max(...world.servers.map(({ pid }) => peakOf(pid))),
      idleMs: idle.medianMs,
      attackedMs: attacked.medianMs,
      arrived: attacked.arrived,
      expected: events,
      complaints
    }
  } finally {
    stranger.close()
    await world.dispose()
  }
}

/** The same receiver with nothing in its list: what is waited for is looked for there again and again. */
const fresh = (receiver: Receiver): Receiver => {
  receiver.arrivals.length = 0
  return receiver
}

const peakOf = (pid: number): number => {
  try {
    const [, kilobytes = "0"] = /^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0
  }
}

const urlOf = ({ servers }: World, number = 0): string => servers[number % servers.length]?.url ?? ""

const until = async (ms: number, condition: () => Promise<boolean>): Promise<boolean> => {
  const end = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > end) return false
    await wait(100)
  }
  return true
}

/** Does it for each number below `count`, `width` at once. */
const each = async (count: number, width: number, act: (number: number) => Promise<unknown>): Promise<void> => {
  let next = 0
  const worker = async () => {
    while (next < count) await act(next++)
  }
  await Promise.all(Array.from({ length: width }, worker))
}

const addEndpoints = async (world: World, { apiKey }: Merchant, urls: ReadonlyArray<string>) => {
  const ids: Array<string> = []
  for (const url of urls) {
    const made = await call(urlOf(world), apiKey, "/webhook-endpoints", { url })
    if (typeof made?.["id"] !== "string") throw new Error(`no endpoint: ${JSON.stringify(made)}`)
    ids.push(made["id"])
  }
  return ids
}

/** Makes invoices in bulk and pays them: each becomes a delivery to each endpoint. */
const payMany = async (world: World, { apiKey }: Merchant, count: number) => {
  const ids: Array<string> = []
  await each(Math.ceil(count / 100), 4, async (number) => {
    const invoices = Array.from({ length: Math.min(100, count - 100 * number) }, () => ({ amount: 100 }))
    const made = await call(urlOf(world, number), apiKey, "/invoices/bulk", { invoices })
    const results = made?.["results"]
    if (!Array.isArray(results)) throw new Error(`no bulk: ${JSON.stringify(made).slice(0, 200)}`)
    for (const { invoice } of results) ids.push(invoice.id)
  })
  await each(ids.length, 16, (number) =>
    call(urlOf(world, number), apiKey, `/invoices/${ids[number]}/simulate`, { status: "paid" })
  )
}

const count = async (world: World, sql: string): Promise<number> => Number((await world.query(sql))[0]?.["n"] ?? 0)

/** Raw requests down one connection, none of them waiting for the answer to the one before. */
const pipeline = (url: string, apiKey: string, requests: number, reads: boolean): Socket => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on("error", () => {})
  if (reads) socket.resume()
  else socket.pause()
  const request = `GET /api/v1/invoices?limit=200 HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${apiKey}\r\n\r\n`
  socket.write(request.repeat(requests))
  return socket
}

const attacks: Readonly<Record<Name, Attack>> = {
  "dead addresses": {
    heap: 512,
    begin: async ({ world, attackers: [attacker] }) => {
      const live = await world.tolem("key", "create", ...liveOwner(attacker), "--name", "live", "--scopes", "all")
      const keys = [attacker.apiKey, live.apiKey ?? ""]
      for (const apiKey of keys) {
        const urls = Array.from({ length: 5 }, (_, number) => `https://hook-${number}.nowhere.example.kz/`)
        for (const id of await addEndpoints(world, { ...attacker, apiKey }, urls)) {
          await call(urlOf(world), apiKey, `/webhook-endpoints/${id}/test`, {})
        }
      }
      return {
        deed: "10 endpoints, sandbox and live, at addresses that fail at once",
        end: async () => {
          const tried = `select count(distinct d.endpoint_id)::int as n from tolem_attempts a
            join tolem_deliveries d on d.id = a.delivery_id join tolem_endpoints e on e.id = d.endpoint_id
            where e.url like '%nowhere.example.kz%'`
          const logged = await until(30_000, async () => (await count(world, tried)) === 10)
          return logged ? [] : ["not every attempt was logged"]
        }
      }
    }
  },

  "slow endpoints": {
    heap: 512,
    begin: async ({ world, attackers, stranger }) => {
      const open = new Set<NodeJS.Timeout>()
      stranger.behaviour = (response, arrival) => {
        const timer = setTimeout(() => {
          open.delete(timer)
          takes(response, arrival)
        }, 7_800)
        open.add(timer)
      }
      for (const attacker of attackers) {
        const urls = Array.from({ length: 10 }, (_, number) => `${stranger.url}${number}`)
        await addEndpoints(world, attacker, urls)
        await payMany(world, attacker, 400)
      }
      await until(10_000, async () => open.size >= 16)
      const held = open.size
      return {
        deed: `20 endpoints of two organizations that take 7.8 s, 8 000 deliveries due, ${held} under way`,
        end: async () => {
          for (const timer of open) clearTimeout(timer)
          return held >= 16 ? [] : ["the attack did not get going"]
        }
      }
    }
  },

  "pipelined lists": {
    heap: 256,
    begin: async ({ world, attackers: [attacker] }) => {
      const metadata = { filling: "x".repeat(16_000) }
      await each(4, 2, (number) =>
        call(urlOf(world, number), attacker.apiKey, "/invoices/bulk", {
          invoices: Array.from({ length: 50 }, () => ({ amount: 100, metadata }))
        })
      )
      const sockets = [0, 1].flatMap((number) => [
        pipeline(urlOf(world, number), attacker.apiKey, 300, true),
        ...Array.from({ length: 10 }, () => pipeline(urlOf(world, number), attacker.apiKey, 30, false))
      ])
      return {
        deed: "300 lists of 3.3 MB down one connection, and 10 connections that do not read, at each server",
        end: async () => {
          for (const socket of sockets) socket.destroy()
          return []
        }
      }
    }
  },

  "held deliveries": {
    heap: 512,
    begin: async ({ world, attackers: [attacker, other], stranger }) => {
      stranger.behaviour = hangs
      const urls = Array.from({ length: 10 }, (_, number) => `${stranger.url}${number}`)
      const ids = await addEndpoints(world, attacker, urls)
      await payMany(world, attacker, 5_000)
      for (const id of ids) {
        await call(urlOf(world), attacker.apiKey, `/webhook-endpoints/${id}`, { disabled: true }, "PATCH")
      }
      const held = await count(world, "select count(*)::int as n from tolem_deliveries where status = 'pending'")
      // The delivery that is due first of all has lost its event.
      const [poisoned] = await addEndpoints(world, other, [`${stranger.url}poisoned`])
      await payMany(world, other, 1)
      await world.query(
        `delete from tolem_events e using tolem_deliveries d
         where d.endpoint_id = $1 and d.invoice_id = e.invoice_id and d.sequence = e.sequence`,
        [poisoned]
      )
      const due = "update tolem_deliveries set due_at = 1, ready_at = 1 where endpoint_id = $1 and status = 'pending'"
      await world.query(due, [poisoned])
      return {
        deed: `${held} deliveries of disabled endpoints held, one poisoned`,
        end: async () => (held >= 40_000 ? [] : [`only ${held} were held`])
      }
    }
  }
}

const liveOwner = ({ organizationId }: Merchant) => ["--org", organizationId, "--mode", "live"]
