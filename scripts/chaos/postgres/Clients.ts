/** Clients that create, pay and refund as a sensible merchant does: each step is repeated until it is answered. */
import { randomInt, randomUUID } from "node:crypto"
import { call } from "@tolem/testing-harness/Client"
import type { Merchant } from "@tolem/testing-harness/Desk"
import type { Service } from "@tolem/testing-harness/Program"
import type { World } from "./World.ts"

/** What was acknowledged, and what was not. */
export interface Journal {
  /** Invoice of each idempotency key. */
  readonly created: Map<string, string>
  readonly paid: Set<string>
  readonly refunded: Set<string>
  /** Answers 503. */
  unavailable: number
  /** Requests without an answer. */
  cut: number
  /** What no client should ever see. */
  readonly strange: Array<string>
  /** When the last step was acknowledged, and the longest time between two. */
  lastAt: number
  longestGapMs: number
}

/** A journal in which nothing is written yet. */
export const emptyJournal = (): Journal => ({
  created: new Map(),
  paid: new Set(),
  refunded: new Set(),
  unavailable: 0,
  cut: 0,
  strange: [],
  lastAt: performance.now(),
  longestGapMs: 0
})

const pauseMs = 50
const defaultPatienceMs = 60_000

/** The servers that clients come to: those that are alive, but for those that the proxy has taken out. */
export interface Called extends Pick<World, "servers"> {
  readonly takenOut?: ReadonlySet<Service>
  /** How long a client tries one step, in milliseconds. Default 60 000. */
  readonly patienceMs?: number
}

/** Runs `count` clients of a merchant against the servers that are alive, until `isOver`. */
export const runClients = async (
  world: Called,
  merchant: Merchant,
  count: number,
  isOver: () => boolean,
  journal: Journal
): Promise<void> => {
  await Promise.all(Array.from({ length: count }, () => client(world, merchant, isOver, journal)))
}

const client = async (world: Called, merchant: Merchant, isOver: () => boolean, journal: Journal): Promise<void> => {
  const step = (path: string, body: object, key: string) => acknowledged(world, merchant, journal, path, body, key)
  while (!isOver()) {
    const key = randomUUID()
    const made = await step("/invoices", { amount: randomInt(10, 1000) }, key)
    const { id } = made.body
    if (made.status > 201 || id === undefined) return void journal.strange.push(`create answered ${made.status}`)
    journal.created.set(key, id)
    const paid = await step(`/invoices/${id}/simulate`, { status: "paid" }, "")
    // Refused means that an earlier try has done it, whose answer was lost.
    if (paid.status !== 200 && paid.body.error !== "invoice_not_open") {
      return void journal.strange.push(`pay answered ${paid.status} ${paid.body.error}`)
    }
    journal.paid.add(id)
    if (randomInt(5) > 0) continue
    const refunded = await step(`/invoices/${id}/refund`, { amount: 1 }, `refund-${key}`)
    // A replay means that an earlier try has made it, whose answer was lost.
    const isReplay = refunded.status === 200 && refunded.body.idempotentReplay === true
    if (refunded.status !== 201 && !isReplay) return void journal.strange.push(`refund answered ${refunded.status}`)
    journal.refunded.add(id)
  }
}

interface Answer {
  readonly status: number
  readonly body: { readonly id?: string; readonly error?: string; readonly idempotentReplay?: boolean }
}

const acknowledged = async (
  { servers, takenOut, patienceMs = defaultPatienceMs }: Called,
  { apiKey }: Merchant,
  journal: Journal,
  path: string,
  body: object,
  key: string
): Promise<Answer> => {
  const until = performance.now() + patienceMs
  while (performance.now() < until) {
    const alive = servers.filter((server) => server.isAlive() && takenOut?.has(server) !== true)
    const server = alive[randomInt(Math.max(1, alive.length))]
    const answer = server === undefined ? undefined : await post(server, apiKey, path, body, key)
    if (answer === undefined) journal.cut++
    else if (answer.status === 503) {
      journal.unavailable++
      if (answer.body.error !== "service_unavailable" || !answer.retryable) journal.strange.push("503 without a hint")
    } else if (answer.body.error !== "invoice_changed") {
      note(journal)
      return answer
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  throw new Error(`no answer to ${path} within ${patienceMs} ms`)
}

const note = (journal: Journal): void => {
  const now = performance.now()
  journal.longestGapMs = Math.max(journal.longestGapMs, now - journal.lastAt)
  journal.lastAt = now
}

const post = async (server: Service, apiKey: string, path: string, body: object, key: string) => {
  const headers: Record<string, string> = key === "" ? {} : { "idempotency-key": key }
  const answer = await call(server.url, apiKey, path, body, { headers, timeoutMs: 20_000 }).catch(() => undefined)
  return answer && { ...answer, retryable: Number(answer.headers.get("retry-after")) >= 1 }
}
