/** A database that goes away, in every way that databases do: nothing acknowledged is lost, nothing is done twice. */

import { setTimeout } from "node:timers/promises"
import type { Merchant } from "@tolem/testing-harness/Desk"
import { connect } from "@tolem/testing-postgres/Client"
import { startServer } from "@tolem/testing-postgres/Server"
import { describe, expect, inject, it } from "vitest"
import { afterwards, cluster, clusterOn, receiver, send, times, until } from "./support/cluster.ts"

type Cluster = Awaited<ReturnType<typeof clusterOn>>
type Server = Parameters<typeof send>[0]

const unlimited = ["--writes-per-minute", "1000000", "--reads-per-minute", "1000000"]

/** A PostgreSQL of its own, to be broken. */
const ownPostgres = async () => {
  const server = await startServer()
  afterwards(server.dispose)
  return { server, made: await clusterOn(await server.createDatabase("shop")) }
}

const query = async (url: string, sql: string) => {
  const client = await connect(url)
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows
  } finally {
    await client.end()
  }
}

/** What a sensible client does: repeats with the same key until it is answered. */
const acknowledged = async (server: Server, merchant: Merchant, path: string, body: object, key: string) => {
  for (;;) {
    const answer = await send(server, merchant, path, body, { "idempotency-key": key })
    if (answer.status !== 503) return answer
    expect(answer.body.error).toBe("service_unavailable")
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    // Less than it asks for, and not at once: that would leave the machine to refusals.
    await setTimeout(100)
  }
}

/** Disturbs the service; `work` waits until so many more payments are acknowledged. */
type Disturb = (work: (payments: number) => Promise<void>) => Promise<void>

/** Creates and pays invoices for as long as `disturb` runs. Answers what was acknowledged. */
const underLoad = async (servers: ReadonlyArray<Server>, merchant: Merchant, disturb: Disturb) => {
  const paid: Array<string> = []
  let disturbing = true
  const client = async (number: number) => {
    for (let round = 0; disturbing || round === 0; round++) {
      const server = servers[(number + round) % servers.length]!
      const made = await acknowledged(server, merchant, "/invoices", { amount: 7 }, `${number}-${round}`)
      expect([200, 201]).toContain(made.status)
      const path = `/invoices/${made.body.id}/simulate`
      const answer = await acknowledged(server, merchant, path, { status: "paid" }, "")
      // Paid already, by a request whose answer was lost.
      if (answer.status !== 200) expect(answer.body.error).toMatch(/^invoice_(not_open|changed)$/)
      paid.push(made.body.id)
    }
  }
  const clients = Promise.all(times(6).map(client))
  try {
    await disturb((payments) => {
      const wanted = paid.length + payments
      return until("the work goes on", 120_000, () => paid.length >= wanted)
    })
  } finally {
    disturbing = false
  }
  await clients
  return paid
}

const expectWhole = async ({ url, command }: Cluster, paid: ReadonlyArray<string>) => {
  const rows = await query(
    url,
    `select i.id, i.status, count(*) filter (where e.type = 'invoice.paid')::int as payments
     from tolem_invoices i join tolem_events e on e.invoice_id = i.id group by i.id, i.status`
  )
  const found = new Map(rows.map((row) => [row["id"], row]))
  expect(paid.filter((id) => found.get(id)?.["status"] !== "paid")).toEqual([])
  expect(rows.filter(({ payments }) => Number(payments) > 1)).toEqual([])
  const doubled = "select idempotency_key from tolem_invoices group by idempotency_key having count(*) > 1"
  expect(await query(url, doubled)).toEqual([])
  expect((await command("verify")).ok).toBe(true)
}

/** Load on two servers with a receiver, disturbed; then everything must be there, and announced. */
const survives = async (made: Cluster, disturb: Disturb) => {
  const two = await made.servers(2, "", ...unlimited)
  const merchant = await made.merchant()
  const { url, arrivals } = await receiver()
  await made.announce(merchant, url)
  const paid = await underLoad(two, merchant, disturb)
  const announced = () => new Set(arrivals.map(({ invoice }) => invoice))
  await until("every payment is announced", 120_000, () => paid.every((id) => announced().has(id)))
  await expectWhole(made, paid)
}

describe("servers under load", () => {
  it("survive that PostgreSQL is stopped and started again, and that it crashes, again and again", async () => {
    const { server, made } = await ownPostgres()
    const ends = [server.stop, server.crash]
    await survives(made, async (work) => {
      // `npm run test:slow` ends it three times in each way.
      for (const end of inject("isWhole") ? [...ends, ...ends, ...ends] : ends) {
        await work(20)
        await end()
        await server.start()
      }
      await work(20)
    })
  })

  it("survive that their connections are cut again and again", async () => {
    const made = await cluster()
    const cut = `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    await survives(made, async (work) => {
      let killed = 0
      for (let round = 0; round < (inject("isWhole") ? 4 : 2); round++) {
        killed += Number((await made.query(cut))[0]?.["n"])
        await work(8)
      }
      expect(killed).toBeGreaterThan(4)
    })
  })
})

describe("a server", () => {
  it("answers 503 while statements take too long, and goes on afterwards", async () => {
    const made = await cluster()
    const server = await made.server("?statement_timeout=200", ...unlimited)
    const merchant = await made.merchant()
    const locker = await connect(made.url)
    afterwards(() => locker.end())
    await locker.query("begin")
    await locker.query("lock table tolem_invoices in access exclusive mode")
    const once = { "idempotency-key": "one" }
    const refused = await send(server, merchant, "/invoices", { amount: 1 }, once)
    expect(refused.status).toBe(503)
    expect(refused.body.error).toBe("service_unavailable")
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
    await locker.query("rollback")
    const answer = await acknowledged(server, merchant, "/invoices", { amount: 1 }, "one")
    expect(answer.status).toBe(201)
    expect(await made.query("select count(*)::int as n from tolem_invoices")).toEqual([{ n: 1 }])
  })

  it("answers everybody with a pool of one connection", async () => {
    const made = await cluster()
    const server = await made.server("?pool_size=1", ...unlimited)
    const merchant = await made.merchant()
    const answers = await Promise.all(times(64).map(() => send(server, merchant, "/invoices", { amount: 1 })))
    expect(answers.map(({ status }) => status)).toEqual(times(64).map(() => 201))
  })

  it("commits where the database wants every transaction serializable", async () => {
    const made = await cluster()
    await made.query(
      `do $$ begin execute format(
        'alter database %I set default_transaction_isolation = serializable', current_database()
      ); end $$`
    )
    await survives(made, (work) => work(50))
  })
})
