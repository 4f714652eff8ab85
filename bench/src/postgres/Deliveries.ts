/**
 * Webhooks to a receiver on this machine: signed, logged, settled. Both sides find as many due at once, made in one
 * statement, and send them to the same receiver; the clock runs from the first arrival until the last is settled. Both
 * tables of jobs are analysed before, as autovacuum does it in time.
 */
import { join } from "node:path"
import type pg from "pg"
import { PgBoss } from "pg-boss"
import { serve, start } from "../Children.ts"
import { alternate, type Comparison } from "../Table.ts"
import { encode, open } from "../Wire.ts"
import { render } from "./Answers.ts"
import { fill } from "./Fill.ts"
import { addMerchants, type Merchant } from "./Merchants.ts"
import { type DeliveryJob, inBatches, oneByOne, queue, type Setup } from "./Queue.ts"
import { listen, type Receiver } from "./Receiver.ts"
import type { InvoiceRow } from "./Statements.ts"
import { onConnection, type World, whileRunning } from "./World.ts"

const merchantCount = 16
const perMerchant = 125
const perRound = merchantCount * perMerchant
// Both senders become quicker for some ten thousand deliveries, while what they run is compiled.
const warmUps = 6

/** Deliveries of 16 merchants, an endpoint each: ours against workers of pg-boss, in both setups. */
export const deliveries = async (world: World): Promise<ReadonlyArray<Comparison>> => [
  await against(world, oneByOne, 3, 5),
  // Less than a second each: one disturbance is a whole round, so there are more of them.
  await against(world, inBatches, 1.5, 15)
]

const against = (world: World, setup: Setup, atLeast: number, rounds: number): Promise<Comparison> =>
  world.withDatabase("ours", (ours) =>
    world.withDatabase("boss", async (theirs) => {
      const secrets = new Map<string, string>()
      const receiver = await listen((path) => secrets.get(path))
      try {
        return await onConnection(ours, (our) =>
          onConnection(theirs, async (their) => {
            const merchants = await prepare(ours, rounds + warmUps)
            await prepare(theirs, rounds + warmUps)
            const boss = new PgBoss({ connectionString: theirs, max: 2, supervise: false, schedule: false })
            boss.on("error", () => {}) // the waiting call fails with it, too
            await boss.start()
            try {
              await boss.createQueue(queue, { retryLimit: 11, retryDelay: 10, retryBackoff: true })
              const peer = start(join(import.meta.dirname, "pgBoss.ts"), [
                theirs,
                String(setup.workers),
                String(setup.batchSize)
              ])
              const results = await whileRunning([serve(ours), peer], async ([server]) => {
                const endpoints = await addEndpoints(server!.port, merchants, receiver.port)
                for (const { url, secret } of endpoints) secrets.set(new URL(url).pathname, secret)
                await copyEndpoints(their, endpoints)
                return alternate(rounds, ourRound(our, receiver), bossRound(their, boss, receiver), warmUps)
              })
              return {
                name: `webhooks of ${merchantCount} merchants to one receiver`,
                against: `pg-boss ${setup.name}, ${setup.workers} workers, fetch`,
                atLeast,
                rounds: results
              }
            } finally {
              await boss.stop({ graceful: false })
            }
          })
        )
      } finally {
        receiver.close()
      }
    })
  )

const prepare = async (url: string, rounds: number): Promise<ReadonlyArray<Merchant>> => {
  const merchants = await addMerchants(url, merchantCount)
  await fill(
    url,
    merchants.map(({ organizationId }) => organizationId),
    perMerchant * rounds
  )
  return merchants
}

interface Endpoint {
  readonly id: string
  readonly organizationId: string
  readonly url: string
  readonly secret: string
}

const addEndpoints = async (port: number, merchants: ReadonlyArray<Merchant>, receiver: number) => {
  const connection = await open(port)
  const endpoints: Array<Endpoint> = []
  for (const [number, { apiKey, organizationId }] of merchants.entries()) {
    const url = `http://127.0.0.1:${receiver}/hooks/${number}`
    const { status, body } = await connection.send(
      encode({
        method: "POST",
        path: "/api/v1/webhook-endpoints",
        headers: { "x-api-key": apiKey },
        body: JSON.stringify({ url })
      })
    )
    if (status !== 201) throw new Error(`answered ${status}: ${body}`)
    const { id, secret } = JSON.parse(body.toString())
    endpoints.push({ id, organizationId, url, secret })
  }
  connection.close()
  return endpoints
}

const copyEndpoints = async (client: pg.Client, endpoints: ReadonlyArray<Endpoint>) => {
  for (const { id, organizationId, url, secret } of endpoints) {
    await client.query(
      `insert into tolem_endpoints (id, organization_id, mode, url, events, secret, disabled, failure_count,
         pause_count, created_at, updated_at) values ($1, $2, 'sandbox', $3, '', $4, 0, 0, 0, 0, 0)`,
      [id, organizationId, url, secret]
    )
  }
}

// The events of a round: as many of each merchant, none of them in two rounds.
const eventsOfRound = `
  select e.*, p.id as endpoint_id, 'dlv_' || substr(e.id, 5) || '_' || substr(p.id, 5) as delivery_id
  from (
    select e.*, row_number() over (partition by organization_id order by invoice_id) as n
    from tolem_events e where e.sequence = 2
  ) as e
  join tolem_endpoints p on p.organization_id = e.organization_id
  where e.n > $1::bigint * ${perMerchant} and e.n <= ($1::bigint + 1) * ${perMerchant}`

const ourRound = (client: pg.Client, receiver: Receiver) => {
  let round = 0
  return async (): Promise<number> => {
    await client.query("analyze tolem_deliveries, tolem_attempts")
    const arrival = receiver.expect(perRound)
    const { rowCount } = await client.query(
      `insert into tolem_deliveries (id, endpoint_id, organization_id, mode, kind, invoice_id, event_id, sequence,
         status, attempt_count, due_at, ready_at, lease, created_at, completed_at)
       select delivery_id, endpoint_id, organization_id, 'sandbox', type, invoice_id, id, sequence, 'pending', 0, $2,
         $2, null, $2, null from (${eventsOfRound}) as due`,
      [round++, Date.now()]
    )
    if (rowCount !== perRound) throw new Error(`${rowCount} deliveries were made`)
    const firstAt = await arrival
    await settled(client, "select count(*) as left from tolem_deliveries where status = 'pending'")
    return perSecond(firstAt)
  }
}

interface EventRow extends InvoiceRow {
  readonly delivery_id: string
  readonly endpoint_id: string
  readonly event_id: string
  readonly type: string
}

const bossRound = (client: pg.Client, boss: PgBoss, receiver: Receiver) => {
  let round = 0
  return async (): Promise<number> => {
    const { rows } = await client.query<EventRow>(
      `select i.*, due.delivery_id, due.endpoint_id, due.id as event_id, due.type
       from (${eventsOfRound}) as due join tolem_invoices i on i.id = due.invoice_id`,
      [round++]
    )
    const jobs = rows.map((row) => ({ data: jobOf(row) }))
    await client.query("analyze pgboss.job, tolem_attempts")
    const arrival = receiver.expect(perRound)
    await boss.insert(queue, jobs)
    const firstAt = await arrival
    await settled(client, `select count(*) as left from pgboss.job where name = '${queue}' and state < 'completed'`)
    return perSecond(firstAt)
  }
}

const jobOf = (row: EventRow): DeliveryJob => {
  const head = JSON.stringify({ id: row.event_id, event: row.type, sequence: 2 })
  const body = `${head.slice(0, -1)},"invoice":${render(row)}}`
  return { deliveryId: row.delivery_id, endpointId: row.endpoint_id, event: row.type, body }
}

const settled = async (client: pg.Client, count: string): Promise<void> => {
  const until = performance.now() + 30_000
  for (;;) {
    const { rows } = await client.query<{ left: number }>(count)
    if (rows[0]?.left === 0) return
    if (performance.now() > until) throw new Error(`${rows[0]?.left} deliveries were not settled`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

const perSecond = (firstAt: number): number => perRound / ((performance.now() - firstAt) / 1000)
