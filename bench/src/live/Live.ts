/**
 * `npm run bench -- live`: how soon one server sees payments while 10,000 live invoices are open. The provider is the
 * sandbox one, as a process of its own over HTTP; the database is SQLite with durable commits.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { defaults } from "@tolem/core/engine/Settings"
import { prepare, serve, start } from "../Children.ts"
import { show } from "../Report.ts"
import { encode, open } from "../Wire.ts"
import { addCashiers, type Till } from "./Cashiers.ts"

const openCount = 10_000
const cashierCount = 100
const paidCount = 1_500
const payForMs = 45_000
const settleMs = 8_000
const wantedMs = 3_500

/** Opens the invoices, pays some of them at random moments, and says when the service knew. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-bench-"))
  const file = join(folder, "live.db")
  try {
    const provider = await start(join(import.meta.dirname, "provider.ts"), [])
    const providerUrl = `http://127.0.0.1:${provider.port}`
    await prepare(file)
    const tills = await addCashiers(file, providerUrl, cashierCount)
    const server = await serve(`sqlite:${file}`, ["--provider-url", providerUrl])
    const opened = await openAll(server.port, tills)
    console.log(`${opened} live invoices are open, of ${cashierCount} cashiers`)
    await sleep(settleMs)
    const payments = await referencesOf(providerUrl)
    const before = cpuMs(server.pid)
    const beganAt = Date.now()
    const paidAt = await payAtRandom(providerUrl, payments)
    await sleep(settleMs)
    const busy = (cpuMs(server.pid) - before) / (Date.now() - beganAt)
    const counts = await countsOf(providerUrl, beganAt, Date.now() - settleMs)
    await server.stop()
    await provider.stop()
    report(seenAfter(file, paidAt), paidAt.size, counts, busy)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const openAll = async (port: number, tills: ReadonlyArray<Till>): Promise<number> => {
  let made = 0
  const perTill = openCount / tills.length
  const queue = [...tills]
  const work = async () => {
    const connection = await open(port)
    for (let till = queue.pop(); till !== undefined; till = queue.pop()) {
      const invoices = Array.from({ length: perTill }, () => ({
        amount: 5000,
        kind: "phone",
        customer: { phone: "77011112233" }
      }))
      const headers = { "x-api-key": till.apiKey }
      const request = { method: "POST", path: "/api/v1/invoices/bulk", headers, body: JSON.stringify({ invoices }) }
      const { status, body } = await connection.send(encode({ ...request, method: "POST" }))
      if (status !== 207) throw new Error(`answered ${status}: ${body}`)
      made += JSON.parse(body.toString()).created
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return made
}

const ask = async (url: string, method = "GET"): Promise<unknown> => {
  const response = await fetch(url, { method, ...(method === "POST" && { body: "{}" }) })
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
  return await response.json()
}

interface Payment {
  readonly reference: string
  readonly ours: string
}

const referencesOf = async (url: string): Promise<ReadonlyArray<Payment>> => {
  const { payments } = (await ask(`${url}/control/payments`)) as { readonly payments: ReadonlyArray<Payment> }
  return payments
}

/** When each of them was paid, by our id. */
const payAtRandom = async (url: string, payments: ReadonlyArray<Payment>): Promise<ReadonlyMap<string, number>> => {
  const paidAt = new Map<string, number>()
  const step = Math.floor(payments.length / paidCount)
  const chosen = payments.filter((_, index) => index % step === 0).slice(0, paidCount)
  const pay = async ({ reference, ours }: Payment) => {
    await sleep(Math.random() * payForMs)
    await ask(`${url}/control/payments/${encodeURIComponent(reference)}/pay`, "POST")
    paidAt.set(ours, Date.now())
  }
  await Promise.all(chosen.map(pay))
  return paidAt
}

interface Count {
  readonly second: number
  readonly calls: number
  readonly busiest: number
}

const countsOf = async (url: string, from: number, to: number): Promise<ReadonlyArray<Count>> => {
  const counts = (await ask(`${url}/counts`)) as ReadonlyArray<Count>
  return counts.filter(({ second }) => second > from / 1000 && second < to / 1000 - 1)
}

/** Milliseconds from the payment to the row that says so. */
const seenAfter = (file: string, paidAt: ReadonlyMap<string, number>): ReadonlyArray<number> => {
  const db = new DatabaseSync(file, { readOnly: true })
  const rows = db.prepare("select invoice_id, created_at from tolem_events where type = 'invoice.paid'").all()
  db.close()
  return rows.flatMap((row) => {
    const at = paidAt.get(String(row["invoice_id"]))
    return at === undefined ? [] : [Number(row["created_at"]) - at]
  })
}

/** Processor time that a process has used. */
const cpuMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const report = (seen: ReadonlyArray<number>, paid: number, counts: ReadonlyArray<Count>, busy: number): void => {
  const sorted = seen.toSorted((a, b) => a - b)
  const part = (share: number) => `${((sorted[Math.ceil(share * sorted.length) - 1] ?? 0) / 1000).toFixed(2)} s`
  const inTime = sorted.filter((ms) => ms <= wantedMs).length / paid
  const calls = counts.map((one) => one.calls)
  const mean = calls.reduce((sum, each) => sum + each, 0) / Math.max(1, calls.length)
  const busiest = Math.max(...counts.map((one) => one.busiest))
  const { callsPerSecond, callsPerSecondOfCashier } = defaults.live.calls
  const rows = [
    ["payments seen", `${seen.length} of ${paid}`],
    ["seen after: half, 95 %, 99 %, last", [0.5, 0.95, 0.99, 1].map(part).join(", ")],
    [`within ${wantedMs / 1000} s (95 % wanted)`, `${(inTime * 100).toFixed(1)} % ${inTime >= 0.95 ? "yes" : "NO"}`],
    [`calls a second (at most ${callsPerSecond})`, `${Math.round(mean)}, busiest second ${Math.max(...calls)}`],
    [`of one cashier (at most ${callsPerSecondOfCashier})`, `busiest second ${busiest}`],
    ["processor of the server", `${(busy * 100).toFixed(0)} % of one core`]
  ]
  show(["10,000 open live invoices, one server", ""], rows)
}
