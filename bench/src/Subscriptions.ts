/**
 * `npm run bench -- subscriptions`: 100,000 subscriptions that are due at once, on one server with SQLite and durable
 * commits. How steadily are they worked off, and what do webhooks and expiries wait for meanwhile?
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { receive } from "@tolem/testing-harness/Receiver"
import { prepare, serve } from "./Children.ts"
import { show } from "./Report.ts"
import { type Connection, encode, open } from "./Wire.ts"

const count = 100_000
const expiringCount = 100
const limitMs = 240_000

/** Fills a database, starts a server on it, and looks on. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-bench-"))
  const file = join(folder, "subscriptions.db")
  const receiver = await receive()
  try {
    const { apiKey, organizationId } = await prepare(file)
    fill(file, organizationId)
    const server = await serve(`sqlite:${file}`)
    const db = new DatabaseSync(file, { readOnly: true })
    const connection = await open(server.port)
    const post = (path: string, body: object) => send(connection, apiKey, path, body)
    await post("/webhook-endpoints", { url: receiver.url })
    const paid = new Map<string, number>()
    const perSecond = await watch(db, async () => {
      const { id } = await post("/invoices", { amount: 10 })
      paid.set(String(id), performance.now())
      await post(`/invoices/${id}/simulate`, { status: "paid" })
    })
    await sleep(1_000)
    const arrivals = receiver.arrivals.filter(({ event }) => event === "invoice.paid")
    const arrivedAt = new Map(arrivals.map(({ invoice, at }) => [invoice, at]))
    const webhooks = Array.from(paid, ([id, at]) => (arrivedAt.get(id) ?? performance.now() + limitMs) - at)
    report(perSecond, webhooks, expiriesOf(db))
    connection.close()
    db.close()
    await server.stop()
  } finally {
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Subscriptions that have been due for a minute, and invoices that expire one after the other from now on. */
const fill = (file: string, organizationId: string): void => {
  const db = new DatabaseSync(file)
  const dueAt = Date.now() - 60_000
  const numbers = (limit: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${limit})`
  db.exec("begin")
  db.prepare(
    `${numbers(count)} insert into tolem_subscriptions (id, organization_id, mode, status, amount, kind, step, every,
       anchor_at, retry_hours, misfire, next_index, next_run_at, runs, faults, due_at, created_at, updated_at,
       sequence, version)
     select 'sub_' || printf('%026d', i), ?, 'sandbox', 'active', 50000, 'qr', 'month', 1, ?, '[]', 'run_once', 0, ?, 0,
       0, ?, ?, ?, 1, 1 from n`
  ).run(organizationId, dueAt, dueAt, dueAt, dueAt, dueAt)
  db.prepare(
    `insert into tolem_subscription_events (subscription_id, sequence, id, organization_id, type, source, created_at)
     select id, 1, 'evt_' || substr(id, 5), organization_id, 'subscription.created', 'api', created_at
     from tolem_subscriptions`
  ).run()
  const first = Date.now() + 4_000
  db.prepare(
    `${numbers(expiringCount)} insert into tolem_invoices (id, organization_id, mode, kind, status, amount, refunded,
       created_at, updated_at, late, expires_at, due_at, sequence, version, day, search_text)
     select 'inv_' || printf('%026d', i), ?, 'sandbox', 'qr', 'pending', 1000, 0, ?, ?, 0, ? + i * 200, ? + i * 200, 1,
       1, '2026-01-01', '' from n`
  ).run(organizationId, dueAt, dueAt, first, first)
  db.exec("commit")
  db.close()
}

/** Runs made in each second, until all are; `meanwhile` goes on beside. */
const watch = async (db: DatabaseSync, meanwhile: () => Promise<void>): Promise<ReadonlyArray<number>> => {
  const counting = db.prepare("select count(*) as n from tolem_subscription_runs")
  const made = () => Number(counting.get()?.["n"] ?? 0)
  const perSecond: Array<number> = []
  const endsAt = Date.now() + limitMs
  let done = false
  const beside = (async () => {
    while (!done) {
      await meanwhile()
      await sleep(100)
    }
  })()
  for (let before = made(); before < count && Date.now() < endsAt; ) {
    await sleep(1_000)
    const now = made()
    perSecond.push(now - before)
    before = now
  }
  done = true
  await beside
  return perSecond
}

const send = async (connection: Connection, apiKey: string, path: string, body: object) => {
  const headers = { "x-api-key": apiKey }
  const request = encode({ method: "POST", path: `/api/v1${path}`, headers, body: JSON.stringify(body) })
  const answer = await connection.send(request)
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
  return JSON.parse(answer.body.toString())
}

const expiriesOf = (db: DatabaseSync): ReadonlyArray<number> =>
  db
    .prepare(
      `select e.created_at - i.expires_at as ms from tolem_events e join tolem_invoices i on i.id = e.invoice_id
       where e.type = 'invoice.expired'`
    )
    .all()
    .map((row) => Number(row["ms"]))

const report = (
  perSecond: ReadonlyArray<number>,
  webhooks: ReadonlyArray<number>,
  expiries: ReadonlyArray<number>
): void => {
  const made = perSecond.reduce((sum, each) => sum + each, 0)
  const whole = perSecond.slice(1, -1) // the first and the last second are not full ones
  const part = (values: ReadonlyArray<number>, share: number) =>
    `${values.toSorted((a, b) => a - b)[Math.ceil(share * values.length) - 1] ?? 0} ms`
  const rows = [
    ["runs made", `${made} in ${perSecond.length} s: ${Math.round(made / perSecond.length)} a second`],
    ["slowest and quickest second", `${Math.min(...whole)}, ${Math.max(...whole)}`],
    ["webhooks meanwhile: half, 95 %, last", [0.5, 0.95, 1].map((share) => part(webhooks, share)).join(", ")],
    ["expiries meanwhile: half, 95 %, last", [0.5, 0.95, 1].map((share) => part(expiries, share)).join(", ")]
  ]
  show([`${count} subscriptions due at once, one server`, ""], rows)
}
