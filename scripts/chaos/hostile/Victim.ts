/** The merchant who goes on working: how long a payment of theirs takes to be announced. */
import { setTimeout as wait } from "node:timers/promises"
import * as Client from "@tolem/testing-harness/Client"
import type { Merchant } from "@tolem/testing-harness/Desk"
import type { Receiver } from "@tolem/testing-harness/Receiver"
import type { World } from "../postgres/World.ts"

/** What the victim saw. */
export interface Sight {
  /** From the call that pays to the arrival of the webhook: the median. */
  readonly medianMs: number
  readonly arrived: number
}

/** Makes and pays `count` invoices one after the other, each on the next server that is alive. */
export const work = async (
  world: World,
  { apiKey, receiver }: Merchant & { readonly receiver: Receiver },
  count: number
): Promise<Sight> => {
  const paidAt = new Map<string, number>()
  const until = performance.now() + patienceMs
  for (let number = 0; number < count && performance.now() < until; number++) {
    const alive = world.servers.filter((server) => server.isAlive())
    const server = alive[number % Math.max(1, alive.length)]
    if (server === undefined) break
    const id = await pay(server.url, apiKey, (at, invoice) => paidAt.set(invoice, at))
    // One at a time: what is measured is how long a single webhook waits for others', not for its own.
    while (id !== undefined && !hasArrived(receiver, id) && performance.now() < until) await wait(2)
  }
  const waits = receiver.arrivals.flatMap(({ invoice, at }) => {
    const began = paidAt.get(invoice)
    return began === undefined ? [] : [at - began]
  })
  return { medianMs: waits.toSorted((a, b) => a - b)[waits.length >> 1] ?? Number.NaN, arrived: waits.length }
}

const patienceMs = 60_000

const hasArrived = ({ arrivals }: Receiver, id: string): boolean => arrivals.some(({ invoice }) => invoice === id)

const pay = async (
  url: string,
  apiKey: string,
  begins: (at: number, invoice: string) => void
): Promise<string | undefined> => {
  const made = await call(url, apiKey, "/invoices", { amount: 100 })
  if (typeof made?.id !== "string") return undefined
  begins(performance.now(), made.id)
  await call(url, apiKey, `/invoices/${made.id}/simulate`, { status: "paid" })
  return made.id
}

/** Calls the service. Answers the parsed body; undefined if there was no answer. */
export const call = async (
  url: string,
  apiKey: string,
  path: string,
  body?: object,
  method?: string
): Promise<Record<string, unknown> | undefined> => {
  const options = { timeoutMs: 20_000, ...(method && { method }) }
  const answer = await Client.call(url, apiKey, path, body, options).catch(() => undefined)
  return answer?.body
}
