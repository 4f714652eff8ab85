/** The merchant who is not to be delayed: what one of their creates and the first webhook of it take. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Merchant } from "@tolem/testing-harness/Desk"
import { receive } from "@tolem/testing-harness/Receiver"
import { encode, open } from "../Wire.ts"
import type { Ground } from "./Ground.ts"

/** Milliseconds, one of each for every invoice. */
export interface Waits {
  readonly create: ReadonlyArray<number>
  /** From the request that pays until its webhook is there. */
  readonly delivery: ReadonlyArray<number>
}

/** Between two invoices, so that each delivery is the only one of theirs. */
const restMs = 25

/** Beyond it the webhook counts as this late. */
const patienceMs = 20_000

/** Opens the merchant: an endpoint that takes everything, and keys enough to stay within the rate of each. */
export const openOther = async ({ desk }: Ground, keys: number) => {
  const merchant = await desk.merchant()
  const receiver = await receive()
  await desk.announce(merchant, receiver.url)
  const all: Array<Merchant> = [merchant]
  while (all.length < keys) all.push(await desk.keyOf(merchant.organizationId))
  let turn = 0

  const measure = async (port: number, count: number): Promise<Waits> => {
    const connection = await open(port)
    const waits = { create: [] as Array<number>, delivery: [] as Array<number> }
    const post = async (path: string, body: object) => {
      const headers = { "x-api-key": all[turn++ % all.length]!.apiKey }
      const answer = await connection.send(
        encode({ method: "POST", path: `/api/v1${path}`, headers, body: JSON.stringify(body) })
      )
      if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${answer.body}`)
      return JSON.parse(answer.body.toString())
    }
    for (let made = 0; made < count; made++) {
      const createdAt = performance.now()
      const { id } = await post("/invoices", { amount: 10 })
      const payedAt = performance.now()
      waits.create.push(payedAt - createdAt)
      await post(`/invoices/${id}/simulate`, { status: "paid" })
      waits.delivery.push((await arrivalOf(id, payedAt + patienceMs)) - payedAt)
      await sleep(restMs)
    }
    connection.close()
    return waits
  }

  const arrivalOf = async (id: string, until: number): Promise<number> => {
    for (;;) {
      const found = receiver.arrivals.find(({ invoice }) => invoice === id)
      if (found !== undefined) return found.at
      const left = until - performance.now()
      if (left <= 0) return until
      await receiver.next(Math.ceil(left))
    }
  }
  return { measure, close: receiver.close }
}
