/**
 * Kills the example's shop with SIGKILL at any moment while customers order and pay, starts it again, and checks that
 * each order has one invoice and each payment marks its order once. Loopback only; every loop is bounded.
 */
import { randomInt } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { call } from "@tolem/testing-harness/Client"
import { begin, type Running } from "@tolem/testing-harness/Program"
import { openShop } from "../../examples/express/src/App.ts"
import { type Orders, onPostgres, onSqlite } from "../../examples/express/src/Orders.ts"

/** What a run saw. `violations` is empty if every promise was kept. */
export interface Outcome {
  readonly kills: number
  readonly orders: number
  readonly paid: number
  readonly violations: ReadonlyArray<string>
}

const secretKey = "a-key-for-chaos-only-of-no-use-anywhere-else"
const script = join(import.meta.dirname, "../../examples/express/src/main.ts")
// What a killed shop has claimed falls due again soon.
const settings = { reactions: { pollMs: 20, leaseMs: 2_000, timeoutMs: 1_000 } }
const text = JSON.stringify(settings)
const customers = 6

/** What customers know: the invoice of each order that was answered, and which of them they have paid. */
interface Known {
  readonly asked: Set<string>
  readonly taken: Map<string, string>
  readonly paid: Set<string>
  readonly violations: Array<string>
}

/** Kills `times` times; on SQLite if no address of a database is given. `tell` gets a line a kill. */
export const shop = async (times: number, tell: (line: string) => void, databaseUrl?: string): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-shop-"))
  const known: Known = { asked: new Set(), taken: new Map(), paid: new Set(), violations: [] }
  try {
    for (let round = 1; round <= times; round++) {
      await untilKilled(folder, databaseUrl, known, round % 2 === 0)
      tell(`kill ${round}: ${known.taken.size} orders and ${known.paid.size} payments acknowledged so far`)
    }
    await inspect(databaseUrl === undefined ? onSqlite(join(folder, "shop.db")) : onPostgres(databaseUrl), known)
    const { asked, paid, violations } = known
    return { kills: times, orders: asked.size, paid: paid.size, violations }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts the shop, has customers come, and kills it after a while; if so asked, only when one of them has paid. */
const untilKilled = async (
  folder: string,
  databaseUrl: string | undefined,
  known: Known,
  isAfterPayment: boolean
): Promise<void> => {
  const own = { PORT: "0", DATA: folder, BASE_URL: "https://shop.kz", SECRET_KEY: secretKey, SETTINGS: text }
  const variables = { ...own, ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }) }
  const running = begin([], { script, variables })
  const [line] = await running.says(/^\{.*\}$/m)
  const { address, apiKey } = JSON.parse(line)
  const url = `http://127.0.0.1:${address.port}`
  const all = Promise.allSettled(Array.from({ length: customers }, () => order(running, url, apiKey, known)))
  const before = known.paid.size
  // Where the machine is busy nothing may be answered so soon.
  for (let waits = 0; isAfterPayment && known.paid.size === before && waits < maxWaits; waits++) await setTimeout(10)
  await setTimeout(randomInt(10, 250))
  await running.kill()
  const strange = (await all).flatMap((one) => (one.status === "rejected" ? [`${one.reason}`] : []))
  known.violations.push(...strange.filter((reason) => reason.includes("answered")))
}

/** How long the first payment of a start may take, in hundredths of a second. */
const maxWaits = 3000

/** One customer: orders, or repeats an order, and pays most of them, until the shop is gone. */
const order = async (running: Running, url: string, apiKey: string, known: Known): Promise<void> => {
  while (running.isAlive()) {
    const isRepeat = known.asked.size > 0 && randomInt(3) === 0
    const id = isRepeat ? [...known.asked].at(-randomInt(1, Math.min(12, known.asked.size) + 1))! : `order ${count++}`
    known.asked.add(id)
    const answer = await fetch(`${url}/checkout`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ order: id, amount: 10 })
    })
    if (answer.status !== 201) throw new Error(`a checkout was answered ${answer.status}: ${await answer.text()}`)
    const { invoice } = (await answer.json()) as { readonly invoice: string }
    const before = known.taken.get(id) ?? invoice
    if (before !== invoice) known.violations.push(`${id} has the invoices ${before} and ${invoice}`)
    known.taken.set(id, invoice)
    if (randomInt(4) === 0) continue
    const paid = await call(url, apiKey, `/invoices/${invoice}/simulate`, { status: "paid" })
    if (paid.status === 200) known.paid.add(invoice)
    else if (paid.status !== 409) throw new Error(`a payment was answered ${paid.status}`)
  }
}

let count = 0

/** How long the handlers may take for what was left to them, in tenths of a second. */
const maxRounds = 600

const inspect = async (orders: Orders, { asked, taken, paid, violations }: Known): Promise<void> => {
  const reopened = await openShop({ orders, secretKey, baseUrl: "https://shop.kz", settings })
  try {
    const invoices = await listed(reopened.shop)
    const isPaid = new Map(invoices.map(({ id, status }) => [id, status === "paid"]))
    const unmarked = async () => {
      const rows = await orders.all()
      return rows.filter(({ invoice, paid: marks }) => marks === 0 && isPaid.get(invoice) === true)
    }
    for (let round = 0; round < maxRounds && (await unmarked()).length > 0; round++) await setTimeout(100)
    const rows = await orders.all()
    const ofInvoice = new Map(rows.map((row) => [row.invoice, row]))
    for (const { id, invoice, paid: marks } of rows) {
      if (!isPaid.has(invoice)) violations.push(`${id} has no invoice`)
      if (marks !== (isPaid.get(invoice) === true ? 1 : 0)) violations.push(`${id} is marked ${marks} times`)
      if (taken.has(id) && taken.get(id) !== invoice) violations.push(`${id} has lost ${taken.get(id)}`)
      if (!asked.has(id)) violations.push(`${id} was never ordered`)
    }
    for (const { id } of invoices) if (!ofInvoice.has(id)) violations.push(`${id} has no order`)
    for (const id of taken.keys()) if (!rows.some((row) => row.id === id)) violations.push(`${id} is lost`)
    for (const id of paid) if (isPaid.get(id) !== true) violations.push(`the payment of ${id} is lost`)
    for (const finding of await reopened.engine.verify()) violations.push(`verify: ${JSON.stringify(finding)}`)
  } finally {
    await reopened.close()
  }
}

const listed = async ({ invoices }: Awaited<ReturnType<typeof openShop>>["shop"]) => {
  const all = []
  for (let offset = 0; ; offset += 100) {
    const page = await invoices.list({ limit: 100, offset })
    all.push(...page.invoices)
    if (page.invoices.length === 0 || all.length >= page.total) return all
  }
}
