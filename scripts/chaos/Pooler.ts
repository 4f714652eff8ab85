/**
 * Two servers behind a PgBouncer in transaction mode with fewer connections than they would open: what is acknowledged
 * is there, once, and announced; the feed has everything; nothing of a connection is left to the next one.
 */
import { setTimeout as wait } from "node:timers/promises"
import { call } from "@tolem/testing-harness/Client"
import { result, type Service } from "@tolem/testing-harness/Program"
import { type Bouncer, hasBouncer, startBouncer } from "@tolem/testing-postgres/Bouncer"
import { type Server, startServer } from "@tolem/testing-postgres/Server"
import { checkDatabase, isAnnounced, outOfOrder } from "./postgres/Checks.ts"
import { emptyJournal, type Journal, runClients } from "./postgres/Clients.ts"
import { openWorld, type World } from "./postgres/World.ts"

/** What a run saw. `violations` is empty if every promise was kept. */
export interface Outcome {
  readonly created: number
  readonly paid: number
  readonly refunded: number
  readonly unavailable: number
  /** Most connections that the servers had at the database. */
  readonly connections: number
  readonly violations: ReadonlyArray<string>
}

const connections = 4
const clients = 32

/** Why it cannot be played here; undefined if it can. */
export const lacking = hasBouncer ? undefined : "there is no pgbouncer (apt-get install pgbouncer)"

/** Has clients work through the pooler for so many seconds. */
export const pooler = async (seconds: number): Promise<Outcome> => {
  const postgres = await startServer({ durable: true })
  try {
    const bouncer = await startBouncer(postgres, connections)
    try {
      return await play(postgres, bouncer, seconds * 1000)
    } finally {
      await bouncer.dispose()
    }
  } finally {
    await postgres.dispose()
  }
}

const play = async (postgres: Server, bouncer: Bouncer, ms: number): Promise<Outcome> => {
  const refusals = await refused(postgres, bouncer)
  const parameters = `?pooler=transaction&direct=127.0.0.1:${postgres.port}`
  const world = await openWorld(postgres, 2, { parameters, through: bouncer.through })
  try {
    const merchant = await world.merchant()
    const journal = emptyJournal()
    let over = false
    let most = 0
    const work = runClients(world, merchant, clients, () => over, journal)
    work.catch(() => {})
    for (const end = performance.now() + ms; performance.now() < end; ) {
      most = Math.max(most, await connected(world))
      await wait(100)
    }
    over = true
    await work
    const { arrivals } = merchant.receiver
    for (let rounds = 0; rounds < 600 && !isAnnounced(journal, arrivals); rounds++) await wait(100)
    const migrated = await world.tolem("migrate").catch((error: unknown) => String(error))
    const { lost, doubled } = await checkDatabase(world, journal)
    return {
      created: journal.created.size,
      paid: journal.paid.size,
      refunded: journal.refunded.size,
      unavailable: journal.unavailable,
      connections: most,
      violations: [
        ...refusals,
        ...lost.map((what) => `lost: ${what}`),
        ...[...doubled, ...outOfOrder(arrivals)].map((what) => `twice, or out of order: ${what}`),
        ...(isAnnounced(journal, arrivals) ? [] : ["something was never announced"]),
        ...(merchant.receiver.arrivals.every(({ isSigned }) => isSigned) ? [] : ["a webhook is signed wrongly"]),
        ...(await missingOfFeed(world.servers[0]!, merchant.apiKey, journal)),
        ...(typeof migrated === "string" ? [`migrate: ${migrated}`] : []),
        // Those of the pooler, and of each server one that listens and one that notifies.
        ...(most > connections + 4 ? [`${most} connections at the database`] : []),
        ...(await leftBehind(world))
      ]
    }
  } finally {
    await world.dispose()
  }
}

/** What must not work goes no further, and says why. */
const refused = async (postgres: Server, bouncer: Bouncer): Promise<ReadonlyArray<string>> => {
  const url = bouncer.through(await postgres.createDatabase("refused"))
  const said = (parameters: string) =>
    result(["migrate", "--database", `${url}${parameters}`]).then(() => "it works", String)
  const [unnamed, without] = [await said(""), await said("?pooler=transaction")]
  return [
    ...(unnamed.includes("add pooler=transaction") ? [] : [`without saying that it is a pooler: ${unnamed}`]),
    ...(without.includes("direct=HOST:PORT") ? [] : [`migrations without a way past it: ${without}`])
  ]
}

const ours = "application_name = 'tolem' and datname = current_database()"

const connected = async (world: World): Promise<number> => {
  const [row] = await world.query(`select count(*)::int as n from pg_stat_activity where ${ours}`)
  return Number(row?.["n"])
}

/** Locks of connections, and prepared statements of theirs, stay with the connection that the next client gets. */
const leftBehind = async (world: World): Promise<ReadonlyArray<string>> => {
  const [row] = await world.query(`
    select (select count(*)::int from pg_locks l join pg_database d on d.oid = l.database
        where locktype = 'advisory' and d.datname = current_database()) as locks,
      (select count(*)::int from pg_stat_activity where ${ours} and state like 'idle in%') as open,
      (select count(*)::int from pg_stat_activity where ${ours} and query ilike 'listen %') as listeners`)
  return [
    ...(Number(row?.["locks"]) > 0 ? ["locks were left behind"] : []),
    ...(Number(row?.["open"]) > 0 ? ["transactions were left open"] : []),
    ...(Number(row?.["listeners"]) === 2 ? [] : [`${row?.["listeners"]} listeners in place of two`])
  ]
}

const missingOfFeed = async ({ url }: Service, apiKey: string, journal: Journal): Promise<ReadonlyArray<string>> => {
  const paid = new Set<string>()
  let after = ""
  for (;;) {
    const page = await call(url, apiKey, `/events?limit=100${after}`)
    if (page.status !== 200) return [`the feed answered ${page.status}`]
    for (const { type, invoice } of page.body.events) if (type === "invoice.paid") paid.add(invoice.id)
    if (page.body.events.length === 0) break
    after = `&after=${page.body.cursor}`
  }
  return [...journal.paid].flatMap((id) => (paid.has(id) ? [] : [`not in the feed: ${id}`]))
}
