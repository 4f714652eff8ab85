/**
 * Kills a server under load with SIGKILL, starts it again on the same file, and checks that nothing that it
 * acknowledged is lost. Loopback only; every loop is bounded.
 */
import { randomInt, randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { call } from "@tolem/testing-harness/Client"
import { openFile } from "@tolem/testing-harness/Desk"
import { result, type Service, serve, unlimited } from "@tolem/testing-harness/Program"
import { during } from "@tolem/testing-harness/ProgressLine"
import { type Receiver, receive } from "@tolem/testing-harness/Receiver"

/** What a run saw. `violations` is empty if every promise was kept. */
export interface Outcome {
  readonly kills: number
  readonly creates: number
  readonly payments: number
  readonly deliveries: number
  readonly violations: ReadonlyArray<string>
}

const secretKey = "a-key-for-chaos-only-of-no-use-anywhere-else"
const clients = 16
/** Tenths of a second in which nothing arrives: longer than the lease of what a killed server had claimed. */
const maxSilentRounds = 400

/** Kills `times` times. `tell` gets a line a round. */
export const kill9 = async (times: number, tell: (line: string) => void): Promise<Outcome> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-kill9-"))
  const database = `sqlite:${join(folder, "tolem.db")}`
  const receiver = await receive()
  try {
    const desk = openFile(join(folder, "tolem.db"), secretKey)
    const merchant = await desk.merchant()
    const { apiKey } = merchant
    receiver.secret = (await desk.announce(merchant, receiver.url)).secret
    const variables = { TOLEM_SECRET_KEY: secretKey }
    const start = () => serve(unlimited(database), { variables })
    const known: Known = { created: new Map(), paid: new Set() }
    for (let round = 1; round <= times; round++) {
      const server = await start()
      await during(`kill ${round} of ${times}`, () => loadUntilKilled(server, apiKey, known))
      tell(`kill ${round}: ${known.created.size} creates and ${known.paid.size} payments acknowledged so far`)
    }
    const server = await start()
    const violations = await inspect(server, apiKey, known, receiver)
    await server.stop()
    const verified = await result(["verify", "--database", database], { variables }).catch(String)
    if (verified.ok !== true) violations.push(`verify: ${JSON.stringify(verified)}`)
    if (receiver.arrivals.some(({ isSigned }) => !isSigned)) violations.push("wrong signature")
    return {
      kills: times,
      creates: known.created.size,
      payments: known.paid.size,
      deliveries: announced(receiver).size,
      violations
    }
  } finally {
    await receiver.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What the server has acknowledged: the amount of each key's invoice, and the paid ones. */
interface Known {
  readonly created: Map<string, { readonly id: string; readonly amount: number }>
  readonly paid: Set<string>
}

/** Invoices whose payment was announced. */
const announced = ({ arrivals }: Receiver): ReadonlySet<string> =>
  new Set(arrivals.filter(({ event, isSigned }) => isSigned && event === "invoice.paid").map(({ invoice }) => invoice))

const post = (server: Service, apiKey: string, path: string, body: object, headers: Record<string, string> = {}) =>
  call(server.url, apiKey, path, body, { headers, timeoutMs: 10_000 })

/** Clients create and pay until the server dies, which it does after a random number of answers. */
const loadUntilKilled = async (server: Service, apiKey: string, known: Known): Promise<void> => {
  let left = randomInt(20, 200)
  const client = async () => {
    while (left >= 0 && server.isAlive()) {
      const key = randomUUID()
      const amount = randomInt(1, 1_000_000)
      const made = await post(server, apiKey, "/invoices", { amount }, { "idempotency-key": key })
      const { id } = made.body
      if (made.status !== 201) throw new Error(`create answered ${made.status}`)
      known.created.set(key, { id, amount })
      const paid = await post(server, apiKey, `/invoices/${id}/simulate`, { status: "paid" })
      if (paid.status === 200) known.paid.add(id)
      if (left-- === 0) server.signal("SIGKILL")
    }
  }
  const results = await Promise.allSettled(Array.from({ length: clients }, client))
  await server.ended
  const strange = results.flatMap((result) => (result.status === "rejected" ? [String(result.reason)] : []))
  const wrong = strange.find((reason) => reason.includes("answered"))
  if (wrong !== undefined) throw new Error(wrong)
}

/** Every acknowledged invoice is there, once per key, paid where that was acknowledged, and announced. */
const inspect = async (server: Service, apiKey: string, known: Known, receiver: Receiver): Promise<Array<string>> => {
  const violations: Array<string> = []
  for (const [key, { id, amount }] of known.created) {
    const read = await call(server.url, apiKey, `/invoices/${id}`)
    if (read.status !== 200 || read.body.amount !== amount) violations.push(`lost: ${id}`)
    if (known.paid.has(id) && read.body.status !== "paid") violations.push(`payment lost: ${id}`)
    const again = await post(server, apiKey, "/invoices", { amount }, { "idempotency-key": key })
    if (again.status !== 200 || again.body.id !== id) violations.push(`made twice: ${id} and ${again.body.id}`)
  }
  // A delivery that was on its way at a kill falls due again when its lease ends.
  const missing = () => {
    const heard = announced(receiver)
    return [...known.paid].filter((id) => !heard.has(id))
  }
  for (let silent = 0; silent < maxSilentRounds && missing().length > 0; ) {
    const before = announced(receiver).size
    await receiver.next(100)
    silent = announced(receiver).size > before ? 0 : silent + 1
  }
  violations.push(...missing().map((id) => `not announced: ${id}`))
  return violations
}
