/** Creates over HTTP as fast as the server answers, for a bounded number of requests. Loopback only. */
import { randomUUID } from "node:crypto"
import { Agent, request } from "node:http"

/** Sends `count` creates over `connections` connections. Answers creates a second; fails on any answer but 201. */
export const creates = async (port: number, apiKey: string, connections: number, count: number): Promise<number> => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let left = count
  const client = async () => {
    while (left-- > 0) await create(port, apiKey, agent)
  }
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: connections }, client))
  const seconds = (performance.now() - startedAt) / 1000
  agent.destroy()
  return count / seconds
}

const body = JSON.stringify({
  amount: 1500,
  description: "Two coffees",
  externalOrderId: "A-1",
  customer: { phone: "77001234567" },
  metadata: { table: 7 }
})

const create = (port: number, apiKey: string, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "x-api-key": apiKey,
      "idempotency-key": randomUUID()
    }
    const sent = request(
      { host: "127.0.0.1", port, path: "/api/v1/invoices", method: "POST", agent, headers, timeout: 10_000 },
      (response) => {
        response.resume()
        response.once("end", () => {
          if (response.statusCode === 201) resolve()
          else reject(new Error(`answered ${response.statusCode}`))
        })
      }
    )
    sent.once("error", reject)
    sent.once("timeout", () => sent.destroy(new Error("no answer")))
    sent.end(body)
  })
