/**
 * Has a server stand still under load (SIGSTOP), with deliveries and requests that it had begun, and go on long after
 * (SIGCONT): on PostgreSQL beside another server, on SQLite by itself. Loopback only; every loop is bounded.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as wait } from "node:timers/promises"
import { call } from "@tolem/testing-harness/Client"
import { type Merchant, openFile } from "@tolem/testing-harness/Desk"
import { result, type Service, serve, unlimited } from "@tolem/testing-harness/Program"
import { hangs, type Receiver, receive, takes } from "@tolem/testing-harness/Receiver"
import { startServer } from "@tolem/testing-postgres/Server"
import { isAnnounced, judgeRows, outOfOrder, type Row, rowsOf, untrue } from "./postgres/Checks.ts"
import { emptyJournal, runClients } from "./postgres/Clients.ts"
import { openWorld } from "./postgres/World.ts"

/** What a run saw. `violations` is empty if every promise was kept. */
export interface Outcome {
  readonly created: number
  readonly paid: number
  readonly refunded: number
  /** Steps that were acknowledged while the server stood still. */
  readonly meanwhile: number
  /** Webhooks that arrived, and those among them that had arrived before. */
  readonly arrivals: number
  readonly repeated: number
  /** Until the server answered again, in milliseconds. */
  readonly backMs: number
  readonly violations: ReadonlyArray<string>
}

/** Servers on one database, of which the first one will stand still. */
interface Stage {
  readonly servers: ReadonlyArray<Service>
  readonly merchant: Merchant & { readonly receiver: Receiver }
  readonly rows: () => Promise<ReadonlyArray<Row>>
  readonly verify: () => ReturnType<typeof result>
  readonly dispose: () => Promise<void>
}

const secretKey = "a-key-for-chaos-only-of-no-use-anywhere-else"
const clients = 16
const quietMs = 1_000
/** The database takes the locks of a server that stands still within a transaction after 10 s; with some to spare. */
const lockedMs = 30_000
/** Longer than all leases and all waits of what was tried in vain. */
const announceMs = 120_000

/** Where it can be played. */
export const databases = ["postgres", "sqlite"] as const
/** One of them. */
export type Database = (typeof databases)[number]

/** Has a server on the database stand still for so many seconds. */
export const freeze = async (database: Database, seconds: number): Promise<Outcome> => {
  const stage = await (database === "postgres" ? onPostgres() : onSqlite())
  try {
    return await play(stage, seconds * 1000)
  } finally {
    await stage.dispose()
  }
}

const play = async (stage: Stage, frozenMs: number): Promise<Outcome> => {
  const { servers, merchant } = stage
  const { receiver, apiKey } = merchant
  const frozen = servers[0]!
  const journal = emptyJournal()
  const takenOut = new Set<Service>()
  const acknowledged = () => journal.created.size + journal.paid.size + journal.refunded.size
  let over = false
  const called = { servers: [...servers], takenOut, patienceMs: frozenMs + 60_000 }
  const work = runClients(called, merchant, clients, () => over, journal)
  work.catch(() => {})
  await wait(quietMs)
  // Each server sends four at once to an endpoint: all of them have begun some that have no answer.
  receiver.behaviour = hangs
  const begun = receiver.arrivals.length + 4 * servers.length
  await until(10_000, () => receiver.arrivals.length >= begun)
  frozen.signal("SIGSTOP")
  receiver.behaviour = takes
  // As a proxy does that asks /health/ready. A server that is alone stays.
  if (servers.length > 1) takenOut.add(frozen)
  const before = acknowledged()
  await wait(frozenMs)
  if (servers.length > 1) await until(lockedMs, () => acknowledged() > before)
  const meanwhile = acknowledged() - before
  frozen.signal("SIGCONT")
  const wokenAt = performance.now()
  const isBack = await until(30_000, () => answers(frozen, apiKey))
  const backMs = performance.now() - wokenAt
  takenOut.clear()
  await wait(3 * quietMs)
  over = true
  await work
  const isHeard = await until(announceMs, () => isAnnounced(journal, receiver.arrivals))
  const rows = await stage.rows()
  const verified = await stage.verify().catch((error: unknown) => ({ ok: false, findings: [String(error)] }))
  const { lost, doubled } = judgeRows(rows, journal)
  const { arrivals } = receiver
  return {
    created: journal.created.size,
    paid: journal.paid.size,
    refunded: journal.refunded.size,
    meanwhile,
    arrivals: arrivals.length,
    repeated: arrivals.length - new Set(arrivals.map(({ delivery }) => delivery)).size,
    backMs,
    violations: [
      ...lost.map((what) => `lost: ${what}`),
      ...doubled.map((what) => `done twice, or at odds with itself: ${what}`),
      ...untrue(rows, arrivals),
      ...outOfOrder(arrivals).map((what) => `the refund of ${what} was announced before its payment`),
      ...(verified.ok === true ? [] : [`verify: ${JSON.stringify(verified.findings)}`]),
      ...(isHeard ? [] : ["something was never announced"]),
      ...(isBack ? [] : ["the server that stood still does not answer again"]),
      ...(servers.length > 1 && meanwhile === 0 ? ["the other server did nothing meanwhile"] : [])
    ]
  }
}

const answers = async ({ url }: Service, apiKey: string): Promise<boolean> => {
  const answer = await call(url, apiKey, "/invoices?limit=1", undefined, { timeoutMs: 2_000 }).catch(() => undefined)
  return answer?.status === 200
}

const until = async (ms: number, condition: () => boolean | Promise<boolean>): Promise<boolean> => {
  const end = performance.now() + ms
  while (!(await condition())) {
    if (performance.now() > end) return false
    await wait(50)
  }
  return true
}

const onPostgres = async (): Promise<Stage> => {
  const postgres = await startServer({ durable: true })
  const world = await openWorld(postgres, 2)
  return {
    servers: world.servers,
    merchant: await world.merchant(),
    rows: async () => (await world.query(rowsOf)) as ReadonlyArray<object> as ReadonlyArray<Row>,
    verify: () => world.tolem("verify"),
    dispose: async () => {
      await world.dispose()
      await postgres.dispose()
    }
  }
}

const onSqlite = async (): Promise<Stage> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-freeze-"))
  const file = join(folder, "tolem.db")
  const variables = { TOLEM_SECRET_KEY: secretKey }
  const desk = openFile(file, secretKey)
  const merchant = await desk.merchant()
  const receiver = await receive()
  receiver.secret = (await desk.announce(merchant, receiver.url)).secret
  const server = await serve(unlimited(`sqlite:${file}`), { variables })
  const rows = async () => {
    const db = new DatabaseSync(file, { readOnly: true })
    try {
      return db.prepare(rowsOf.replaceAll(/::\w+/g, "")).all() as ReadonlyArray<object> as ReadonlyArray<Row>
    } finally {
      db.close()
    }
  }
  return {
    servers: [server],
    merchant: { ...merchant, receiver },
    rows,
    verify: () => result(["verify", "--database", `sqlite:${file}`], { variables }),
    dispose: async () => {
      await server.kill()
      await receiver.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
