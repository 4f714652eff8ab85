/** Requests over HTTP as fast as the server answers, for a bounded number or a bounded time. Loopback only. */
import { randomUUID } from "node:crypto"
import { encode, open } from "./Wire.ts"

/** What is sent, over how many connections, and for how long. */
export interface Load {
  /** Servers; the connections are spread evenly over them. */
  readonly ports: ReadonlyArray<number>
  readonly connections: number
  /** Requests in all, or milliseconds. */
  readonly until: { readonly count: number } | { readonly ms: number }
  /** The next request of a connection, by the connection's number. */
  readonly request: (connection: number) => string
  /** What every answer must be. */
  readonly status: number
}

/** Answers requests a second; fails on any other answer. */
export const flood = async ({ ports, connections, until, request, status }: Load): Promise<number> => {
  const opened = await Promise.all(
    Array.from({ length: connections }, (_, number) => open(ports[number % ports.length]!))
  )
  try {
    const startedAt = performance.now()
    let sent = 0
    const more = () => ("count" in until ? sent < until.count : performance.now() - startedAt < until.ms)
    const client = async ({ send }: (typeof opened)[number], number: number) => {
      while (more()) {
        sent++
        const answer = await send(request(number))
        if (answer.status !== status) throw new Error(`answered ${answer.status}: ${answer.body}`)
      }
    }
    await Promise.all(opened.map(client))
    return sent / ((performance.now() - startedAt) / 1000)
  } finally {
    for (const connection of opened) connection.close()
  }
}

const body = JSON.stringify({
  amount: 1500,
  description: "Two coffees",
  externalOrderId: "A-1",
  customer: { phone: "77001234567" },
  metadata: { table: 7 }
})

/** A create of its own: no two have the same idempotency key. */
export const create = (apiKey: string): string =>
  encode({
    method: "POST",
    path: "/api/v1/invoices",
    headers: { "x-api-key": apiKey, "idempotency-key": randomUUID() },
    body
  })

/** Sends `count` creates over `connections` connections. Answers creates a second; fails on any answer but 201. */
export const creates = (port: number, apiKey: string, connections: number, count: number): Promise<number> =>
  flood({ ports: [port], connections, until: { count }, request: () => create(apiKey), status: 201 })
