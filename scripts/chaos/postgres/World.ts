/** What a scenario plays on: a database, server processes, a merchant, a receiver. Everything is gone afterwards. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import type { Server as Postgres } from "@tolem/testing-postgres/Server"
import { type Receiver, receive } from "./Receiver.ts"

/** A server that runs. */
export interface Server {
  readonly url: string
  /** Its process. */
  readonly pid: number
  /** Kills it without a word. */
  readonly kill: () => Promise<void>
  readonly isAlive: () => boolean
}

/** How a world's servers are run. */
export interface Options {
  /** Behind the database's address, as `?pool_size=2`. */
  readonly parameters?: string
  /** Arguments for Node itself, before the program. */
  readonly node?: ReadonlyArray<string>
}

/** A merchant and their key. */
export interface Merchant {
  readonly organizationId: string
  readonly apiKey: string
}

/** See the file's head. */
export interface World {
  readonly postgres: Postgres
  readonly url: string
  readonly servers: Array<Server>
  readonly serve: (parameters?: string) => Promise<Server>
  readonly tolem: (...args: ReadonlyArray<string>) => Promise<Answer>
  readonly query: (sql: string, params?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly connect: () => Promise<Client>
  /** An organization with a sandbox key. */
  readonly organization: () => Promise<Merchant>
  /** The same with a receiver of their own, which its webhooks go to. */
  readonly merchant: () => Promise<Merchant & { readonly receiver: Receiver }>
  readonly dispose: () => Promise<void>
}

interface Answer {
  readonly organization?: { readonly id: string }
  readonly apiKey?: string
  readonly ok?: boolean
  readonly findings?: ReadonlyArray<unknown>
}

const main = join(import.meta.dirname, "../../../packages/http-server/src/main.ts")
const env = { ...process.env, TOLEM_SECRET_KEY: "a-key-for-chaos-only-of-no-use-anywhere-else" }
const run = promisify(execFile)
let names = 0

/** A fresh world on the server, with `count` servers that run. */
export const openWorld = async (
  postgres: Postgres,
  count: number,
  { parameters = "", node = [] }: Options = {}
): Promise<World> => {
  const url = await postgres.createDatabase(`chaos_${++names}`)
  const children = new Set<ChildProcess>()
  const receivers: Array<Receiver> = []
  const servers: Array<Server> = []
  let phone = 77_000_000_000

  const tolem: World["tolem"] = async (...args) => {
    const { stdout } = await run(process.execPath, [main, ...args, "--database", url, "--json"], { env })
    return JSON.parse(stdout)
  }
  const serve: World["serve"] = async (more = parameters) => {
    const limits = [
      "--writes-per-minute",
      "1000000000",
      "--reads-per-minute",
      "1000000000",
      "--log-level",
      "none",
      "--sandbox-invoices-per-day",
      "0"
    ]
    const args = [
      ...node,
      main,
      "serve",
      "--port",
      "0",
      "--host",
      "127.0.0.1",
      "--database",
      `${url}${more}`,
      ...limits
    ]
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"], env })
    children.add(child)
    const server = await ready(child)
    servers.push(server)
    return server
  }
  const query: World["query"] = async (sql, params = []) => {
    const client = await connect(url)
    try {
      return (await client.query<Record<string, unknown>>(sql, [...params])).rows
    } finally {
      await client.end()
    }
  }
  const organization: World["organization"] = async () => {
    const org = await tolem("org", "create", "--name", "Chaos", "--owner-phone", String(++phone))
    const organizationId = org.organization?.id ?? ""
    const owner = ["--org", organizationId, "--mode", "sandbox"]
    const { apiKey = "" } = await tolem("key", "create", ...owner, "--name", "chaos", "--scopes", "all")
    return { organizationId, apiKey }
  }
  const merchant: World["merchant"] = async () => {
    const receiver = await receive()
    receivers.push(receiver)
    const made = await organization()
    const owner = ["--org", made.organizationId, "--mode", "sandbox"]
    await tolem("webhook", "create", ...owner, "--url", receiver.url)
    return { ...made, receiver }
  }
  const dispose = async () => {
    await Promise.all(Array.from(children, ended))
    for (const receiver of receivers) receiver.close()
  }
  await tolem("migrate")
  await Promise.all(Array.from({ length: count }, () => serve()))
  return { postgres, url, servers, serve, tolem, query, connect: () => connect(url), organization, merchant, dispose }
}

const ready = async (child: ChildProcess): Promise<Server> => {
  if (child.stdout === null) throw new Error("no standard output")
  for await (const line of createInterface(child.stdout)) {
    const { port }: { readonly port: number } = JSON.parse(line)
    return {
      url: `http://127.0.0.1:${port}/api/v1`,
      pid: child.pid ?? 0,
      kill: () => ended(child),
      isAlive: () => child.exitCode === null && child.signalCode === null
    }
  }
  throw new Error("a server ended before it was ready")
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, "exit")
  child.kill("SIGKILL")
  await exit
}
