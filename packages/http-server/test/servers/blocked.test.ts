/** Servers whose database makes them wait, or is away: they say so in time, and go on by themselves. */
import { connect } from "@tolem/testing-postgres/Client"
import { startServer } from "@tolem/testing-postgres/Server"
import { describe, expect, it } from "vitest"
import { afterwards, cluster, clusterOn, receiver, send, times, until } from "../cluster/support/cluster.ts"

const unlimited = ["--writes-per-minute", "1000000", "--reads-per-minute", "1000000"]

type Answer = Awaited<ReturnType<typeof send>>

const expectUnavailable = ({ status, body, headers }: Answer) => {
  expect([status, body.error]).toEqual([503, "service_unavailable"])
  expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1)
}

/** Another transaction, which holds what `sql` locks until it is rolled back. */
const holding = async (url: string, sql: string) => {
  const client = await connect(url)
  afterwards(() => client.end())
  await client.query("begin")
  await client.query(sql)
  return () => client.query("rollback")
}

const rowOf = (id: string) => `select 1 from tolem_invoices where id = '${id}' for update`

describe("a server that waits for locks", () => {
  it("refuses all of 64 requests over one connection, and makes one invoice of each afterwards", async () => {
    const made = await cluster()
    const server = await made.server("?pool_size=1&statement_timeout=300", ...unlimited)
    const merchant = await made.merchant()
    const create = (index: number) =>
      send(server, merchant, "/invoices", { amount: 3 }, { "idempotency-key": `order-${index}` })
    const release = await holding(made.url, "lock table tolem_invoices in access exclusive mode")
    for (const answer of await Promise.all(times(64).map(create))) expectUnavailable(answer)
    await release()
    const ids = new Set<string>()
    await until("all are made", 120_000, async () => {
      const answers = await Promise.all(times(64).map(create))
      for (const { status, body } of answers) if (status !== 503) ids.add(body.id)
      return answers.every(({ status }) => status === 200 || status === 201)
    })
    expect(ids.size).toBe(64)
    expect(await made.query("select count(*)::int as n from tolem_invoices")).toEqual([{ n: 64 }])
    expect(await made.query("select count(*)::int as n from tolem_events")).toEqual([{ n: 64 }])
    expect((await made.command("verify")).ok).toBe(true)
  })

  it("pays an invoice once that another transaction held too long", async () => {
    const made = await cluster()
    const server = await made.server("?statement_timeout=300", ...unlimited)
    const merchant = await made.merchant()
    const { body: invoice } = await send(server, merchant, "/invoices", { amount: 3 })
    const pay = () => send(server, merchant, `/invoices/${invoice.id}/simulate`, { status: "paid" })
    const release = await holding(made.url, rowOf(invoice.id))
    expectUnavailable(await pay())
    // Reads do not wait for writers.
    const seen = await send(server, merchant, `/invoices/${invoice.id}`)
    expect([seen.status, seen.body.status]).toEqual([200, "pending"])
    await release()
    await until("it is paid", 120_000, async () => (await pay()).status !== 503)
    const events = `select count(*)::int as n from tolem_events where type = 'invoice.paid'`
    expect(await made.query(events)).toEqual([{ n: 1 }])
    expect((await made.command("verify")).ok).toBe(true)
  })
})

describe("the agents of two servers", () => {
  it("resume without a request when PostgreSQL has been away", async () => {
    const postgres = await startServer()
    afterwards(postgres.dispose)
    const made = await clusterOn(await postgres.createDatabase("shop"))
    const two = await made.servers(2, "", ...unlimited)
    const merchant = await made.merchant()
    const { url, arrivals } = await receiver()
    await made.announce(merchant, url)
    const answers = await Promise.all(
      times(40).map((index) => send(two[index % 2]!, merchant, "/invoices", { amount: 3 }))
    )
    const ids = answers.map(({ body }) => body.id).toSorted()
    for (const down of [postgres.stop, postgres.crash]) {
      await down()
      expectUnavailable(await send(two[0]!, merchant, "/invoices", { amount: 3 }))
      await postgres.start()
    }
    const client = await connect(made.url)
    afterwards(() => client.end())
    // Their time passes at once. `verify` tells of that, and of nothing else.
    await client.query("update tolem_invoices set expires_at = 1, due_at = 1 where status = 'pending'")
    await until("all expiries are announced", 120_000, () => new Set(arrivals.map((a) => a.invoice)).size >= ids.length)
    const expired = "select invoice_id as id from tolem_events where type = 'invoice.expired' order by invoice_id"
    expect((await client.query<{ id: string }>(expired)).rows.map(({ id }) => id).toSorted()).toEqual(ids)
    expect([...new Set(arrivals.map(({ invoice }) => invoice))].toSorted()).toEqual(ids)
    expect(await made.broken()).toEqual(["invoices_are_sealed", "invoices_are_sound"])
  })
})
