/**
 * The peer of the deliveries: workers of `pg-boss` that send each job's webhook with `fetch`, over connections that are
 * kept, and log what a batch has sent with one insert. While there is more to do they fetch without a pause; otherwise
 * they poll as often as pg-boss allows. `node pgBoss.ts URL WORKERS BATCH_SIZE`.
 */
import { createHmac } from "node:crypto"
import pg from "pg"
import { PgBoss } from "pg-boss"
import { type DeliveryJob, queue } from "./Queue.ts"

const [url = "", workers = "", batchSize = ""] = process.argv.slice(2)
pg.types.setTypeParser(pg.types.builtins.INT8, Number)
const connections = 16
const pool = new pg.Pool({ connectionString: url, max: connections })
const boss = new PgBoss({
  connectionString: url,
  max: connections,
  schedule: false,
  // How much is to be done, by which workers know that they need not pause, is counted as often as can be.
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  queueCacheIntervalSeconds: 1
})
boss.on("error", (error) => console.error(error))

interface Endpoint {
  readonly id: string
  readonly url: string
  readonly secret: string
}

interface Attempt {
  readonly delivery_id: string
  readonly number: number
  readonly started_at: number
  readonly duration_ms: number
  readonly url: string
  readonly request_headers: string
  readonly request_body: string
  readonly status: number | null
  readonly response_body: string | null
  readonly error: string | null
}

const timeoutMs = 8_000

const attempt = async ({ deliveryId, event, body }: DeliveryJob, { url, secret }: Endpoint): Promise<Attempt> => {
  const startedAt = Date.now()
  const timestamp = String(Math.floor(startedAt / 1000))
  const text = `${body.slice(0, -1)},"sentAt":"${new Date(startedAt).toISOString()}"}`
  const own = createHmac("sha256", secret).update(`${timestamp}.${text}`).digest("hex")
  const key = Buffer.from(secret.slice("whsec_".length), "base64")
  const standard = createHmac("sha256", key).update(`${deliveryId}.${timestamp}.${text}`).digest("base64")
  const headers = {
    "content-type": "application/json",
    "user-agent": "Bench-Webhooks/1",
    "X-Webhook-Event": event,
    "X-Webhook-Timestamp": timestamp,
    "X-Webhook-Signature": `sha256=${own}`,
    "X-Webhook-Delivery": deliveryId,
    "webhook-id": deliveryId,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${standard}`
  }
  const common = {
    delivery_id: deliveryId,
    number: 1,
    started_at: startedAt,
    url,
    request_headers: JSON.stringify(headers),
    request_body: text
  }
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(url, { method: "POST", headers, body: text, redirect: "manual", signal })
    const response_body = await response.text()
    return { ...common, duration_ms: Date.now() - startedAt, status: response.status, response_body, error: null }
  } catch (error) {
    return { ...common, duration_ms: Date.now() - startedAt, status: null, response_body: null, error: String(error) }
  }
}

const findEndpoints = async (ids: ReadonlyArray<string>): Promise<ReadonlyMap<string, Endpoint>> => {
  const { rows } = await pool.query<Endpoint>({
    name: "endpoints",
    text: "select id, url, secret from tolem_endpoints where id = any($1) and disabled = 0 and removed_at is null",
    values: [ids]
  })
  return new Map(rows.map((row) => [row.id, row]))
}

const log = (attempts: ReadonlyArray<Attempt>) =>
  pool.query({
    name: "log",
    text: `insert into tolem_attempts (delivery_id, number, started_at, duration_ms, url, request_headers, request_body,
        status, response_body, error)
      select delivery_id, number, started_at, duration_ms, url, request_headers, request_body, status,
        response_body, error
      from json_populate_recordset(null::tolem_attempts, $1)`,
    values: [JSON.stringify(attempts)]
  })

await boss.start()
const options = {
  batchSize: Number(batchSize),
  localConcurrency: Number(workers),
  pollingIntervalSeconds: 0.5,
  burstWhenReadyExceeds: 1,
  burstWhenBatchFull: true,
  perJobResults: true
} as const
await boss.work<DeliveryJob, undefined, typeof options>(queue, options, async (jobs) => {
  const endpoints = await findEndpoints([...new Set(jobs.map(({ data }) => data.endpointId))])
  const attempts = await Promise.all(jobs.map(({ data }) => attempt(data, endpoints.get(data.endpointId)!)))
  await log(attempts)
  return jobs.map(({ id }, index) => {
    const { status } = attempts[index]!
    return { id, status: status !== null && status >= 200 && status <= 299 ? "completed" : "failed" }
  })
})
console.log(JSON.stringify({ port: 0 }))
process.once("SIGTERM", async () => {
  await boss.stop({ graceful: false })
  await pool.end()
})
