/**
 * Kills a server under load with SIGKILL, starts it again on the same file, and checks that nothing that it
 * acknowledged is lost. Loopback only; every loop is bounded.
 */
import { execFile, spawn } from "node:child_process"
import { createHmac, randomInt, randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"

/** What a run saw. `violations` is empty where every promise was kept. */
export interface Outcome {
  readonly kills: number
  readonly creates: number
  readonly payments: number
  readonly deliveries: number
  readonly violations: ReadonlyArray<string>
}

const main = join(import.meta.dirname, "../../packages/http-server/src/main.ts")
const clients = 16
/** Tenths of a second in which nothing arrives: longer than the lease of what a killed server had claimed. */
const maxSilentRounds = 400

/** Kills `times` times. `tell` gets a line a round. */
export const kill9 = async (times: number, tell: (line: string) => void): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-kill9-"))
  const database = `sqlite:${join(folder, "tolem.db")}`
  const receiver = await receive()
  try {
    const tolem = async (...args: ReadonlyArray<string>): Promise<Answer> => {
      const { stdout } = await run(process.execPath, [main, ...args, "--database", database, "--json"])
      return JSON.parse(stdout)
    }
    const org = (await tolem("org", "create", "--name", "Chaos", "--owner-phone", "77001234567")).organization?.id ?? ""
    const owner = ["--org", org, "--mode", "sandbox"]
    const { apiKey = "" } = await tolem("key", "create", ...owner, "--name", "chaos", "--scopes", "all")
    receiver.secret = (await tolem("webhook", "create", ...owner, "--url", receiver.url)).secret ?? ""
    const known: Known = { created: new Map(), paid: new Set() }
    for (let round = 1; round <= times; round++) {
      const server = await serve(database)
      await loadUntilKilled(server, apiKey, known)
      tell(`kill ${round}: ${known.created.size} creates and ${known.paid.size} payments acknowledged so far`)
    }
    const server = await serve(database)
    const violations = await inspect(server, apiKey, known, receiver)
    server.process.kill("SIGTERM")
    await once(server.process, "exit")
    const verified = await tolem("verify").catch((error: unknown) => ({ ok: false, message: String(error) }))
    if (verified.ok !== true) violations.push(`verify: ${JSON.stringify(verified)}`)
    violations.push(...receiver.violations)
    return {
      kills: times,
      creates: known.created.size,
      payments: known.paid.size,
      deliveries: receiver.paid.size,
      violations
    }
  } finally {
    receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const run = promisify(execFile)

interface Answer {
  readonly organization?: { readonly id: string }
  readonly apiKey?: string
  readonly secret?: string
  readonly id?: string
  readonly status?: string
  readonly amount?: number
  readonly ok?: boolean
}

/** What the server has acknowledged: the amount of each key's invoice, and the paid ones. */
interface Known {
  readonly created: Map<string, { readonly id: string; readonly amount: number }>
  readonly paid: Set<string>
}

const serve = async (database: string) => {
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
  const args = [main, "serve", "--port", "0", "--host", "127.0.0.1", "--database", database, ...limits]
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] })
  for await (const line of createInterface(child.stdout)) {
    const { port }: { readonly port: number } = JSON.parse(line)
    return { process: child, url: `http://127.0.0.1:${port}/api/v1/invoices` }
  }
  throw new Error("the server ended before it was ready")
}

type Server = Awaited<ReturnType<typeof serve>>

const post = (url: string, apiKey: string, body: object, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000)
  })

/** Clients create and pay until the server dies, which it does after a random number of answers. */
const loadUntilKilled = async (server: Server, apiKey: string, known: Known): Promise<void> => {
  let left = randomInt(20, 200)
  const client = async () => {
    while (server.process.exitCode === null && !server.process.killed) {
      const key = randomUUID()
      const amount = randomInt(1, 1_000_000)
      const made = await post(server.url, apiKey, { amount }, { "idempotency-key": key })
      const { id = "" }: Answer = await made.json()
      if (made.status !== 201) throw new Error(`create answered ${made.status}`)
      known.created.set(key, { id, amount })
      const paid = await post(`${server.url}/${id}/simulate`, apiKey, { status: "paid" })
      if (paid.ok) known.paid.add(id)
      await paid.text()
      if (left-- === 0) server.process.kill("SIGKILL")
    }
  }
  const ended = once(server.process, "exit")
  const results = await Promise.allSettled(Array.from({ length: clients }, client))
  await ended
  const strange = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []))
  const wrong = strange.find((reason) => reason.includes("answered"))
  if (wrong !== undefined) throw new Error(wrong)
}

/** Every acknowledged invoice is there, once per key, paid where that was acknowledged, and announced. */
const inspect = async (server: Server, apiKey: string, known: Known, receiver: Receiver): Promise<Array<string>> => {
  const violations: Array<string> = []
  for (const [key, { id, amount }] of known.created) {
    const read = await fetch(`${server.url}/${id}`, { headers: { "x-api-key": apiKey } })
    const invoice: Answer = await read.json()
    if (read.status !== 200 || invoice.amount !== amount) violations.push(`lost: ${id}`)
    if (known.paid.has(id) && invoice.status !== "paid") violations.push(`payment lost: ${id}`)
    const again = await post(server.url, apiKey, { amount }, { "idempotency-key": key })
    const replayed: Answer = await again.json()
    if (again.status !== 200 || replayed.id !== id) violations.push(`made twice: ${id} and ${replayed.id}`)
  }
  // A delivery that was on its way at a kill falls due again when its lease ends.
  const missing = () => [...known.paid].filter((id) => !receiver.paid.has(id))
  for (let silent = 0; silent < maxSilentRounds && missing().length > 0; ) {
    const before = receiver.paid.size
    await receiver.next(100)
    silent = receiver.paid.size > before ? 0 : silent + 1
  }
  violations.push(...missing().map((id) => `not announced: ${id}`))
  return violations
}

interface Receiver {
  secret: string
  readonly url: string
  readonly paid: Set<string>
  readonly violations: Array<string>
  /** Waits for the next request, or `ms` milliseconds. */
  readonly next: (ms: number) => Promise<void>
  readonly close: () => void
}

const receive = async (): Promise<Receiver> => {
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    const timestamp = String(request.headers["x-webhook-timestamp"])
    const signature = createHmac("sha256", receiver.secret).update(`${timestamp}.`).update(body).digest("hex")
    const { event, invoice } = JSON.parse(body.toString())
    if (request.headers["x-webhook-signature"] !== `sha256=${signature}`) receiver.violations.push("wrong signature")
    else if (event === "invoice.paid") receiver.paid.add(invoice.id)
    response.end()
    server.emit("taken")
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const receiver: Receiver = {
    secret: "",
    url: `http://127.0.0.1:${port}/`,
    paid: new Set(),
    violations: [],
    next: (ms) => once(server, "taken", { signal: AbortSignal.timeout(ms) }).then(undefined, () => undefined),
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
  return receiver
}
