/** Servers of a test that keep what they are sent. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"

/** Listens until the test has ended; answers the address. */
export const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A request as it was sent. */
export interface Sent {
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Keeps all that it is sent, and answers `{}`. */
export const collector = async () => {
  const batches: Array<Sent> = []
  const url = await listen((request, response) => {
    let body = ""
    request.setEncoding("utf8").on("data", (chunk) => (body += chunk))
    request.on("end", () => {
      batches.push({ path: request.url, headers: request.headers, body })
      response.setHeader("content-type", "application/json").end("{}")
    })
  })
  return { url, batches }
}

/** A span or a line of the log as a collector is sent it, with its attributes as members. */
export interface Item {
  readonly name?: string
  readonly traceId?: string
  readonly spanId?: string
  readonly parentSpanId?: string
  readonly kind?: number
  readonly links?: ReadonlyArray<{ readonly traceId: string; readonly spanId: string }>
  readonly status?: { readonly code: number }
  readonly body?: { readonly stringValue: string }
  readonly facts: Readonly<Record<string, unknown>>
}

/** What the batches of a signal hold. */
export const itemsOf = (batches: ReadonlyArray<Sent>, signal: "traces" | "logs"): ReadonlyArray<Item> => {
  const [resources, scopes, items] =
    signal === "traces"
      ? ["resourceSpans", "scopeSpans", "spans"]
      : (["resourceLogs", "scopeLogs", "logRecords"] as const)
  return batches
    .filter(({ path }) => path === `/v1/${signal}`)
    .flatMap(({ body }) => JSON.parse(body)[resources!][0][scopes!][0][items!])
    .map((item) => ({ ...item, facts: factsOf(item.attributes) }))
}

const factsOf = (attributes: ReadonlyArray<{ key: string; value: object }>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
