/** Servers as processes on one PostgreSQL, with a merchant and a receiver of webhooks. */
import { createServer, type IncomingMessage } from "node:http"
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { expect, onTestFinished, vi } from "vitest"
import { folder, run, service } from "../../cli/support.ts"
import { type Merchant, openDesk } from "./desk.ts"

// Commands and servers of one test share the key, as they must on several machines.
const secretKey = "a-key-for-tests-only-of-no-use-anywhere-else"
const variables = { TOLEM_SECRET_KEY: secretKey }

/** Does it when the test has ended, last things first. */
export const afterwards = (cleanup: () => Promise<unknown> | unknown): void =>
  onTestFinished(async () => {
    await cleanup()
  })

/** Commands and servers on the database at `url`, which is migrated first. */
export const clusterOn = async (url: string) => {
  const cwd = folder()
  const desk = await openDesk(url, secretKey)
  const command = async (...args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await run(cwd, [...args, "--json", "--database", url], variables)
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }
  /** The rules that the stored data breaks, each once. */
  const broken = async (): Promise<ReadonlyArray<string>> => {
    const { stdout } = await run(cwd, ["verify", "--json", "--database", url], variables)
    const { findings }: { readonly findings: ReadonlyArray<{ readonly rule: string }> } = JSON.parse(stdout)
    return [...new Set(findings.map(({ rule }) => rule))].toSorted()
  }
  const server = (parameters = "", ...flags: ReadonlyArray<string>) =>
    service(cwd, ["serve", "--host", "127.0.0.1", "--database", `${url}${parameters}`, ...flags], variables)
  const servers = (count: number, parameters = "", ...flags: ReadonlyArray<string>) =>
    Promise.all(Array.from({ length: count }, () => server(parameters, ...flags)))
  return { ...desk, url, command, broken, server, servers }
}

/** The same on a database of the test run's server. */
export const cluster = async () => {
  const database = await createDatabase()
  afterwards(database.drop)
  return { ...(await clusterOn(database.url)), query: database.query }
}

/** Sends a request to a server. */
export const send = async (
  server: { readonly url: string },
  { apiKey }: Merchant,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {}
) => {
  const response = await fetch(`${server.url.replace("localhost", "127.0.0.1")}/api/v1${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": apiKey, "content-type": "application/json", ...headers },
    body: body === undefined ? null : JSON.stringify(body)
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** A webhook as it arrived. */
export interface Arrival {
  readonly delivery: string
  readonly event: string
  readonly invoice: string
}

/** A receiver on loopback that notes what arrives. `answer` is what it answers; null: never. */
export const receiver = async (answer: (arrival: Arrival) => number | null = () => 200) => {
  const arrivals: Array<Arrival> = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request))
    const delivery = String(request.headers["x-webhook-delivery"])
    const arrival = { delivery, event: body.event, invoice: body.invoice.id }
    arrivals.push(arrival)
    const status = answer(arrival)
    if (status !== null) response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  afterwards(() => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { url: `http://127.0.0.1:${port}/hook`, arrivals }
}

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = ""
  for await (const chunk of request) text += chunk
  return text
}

/** Asks again and again until `condition` holds; fails after `ms`. */
export const until = (what: string, ms: number, condition: () => boolean | Promise<boolean>): Promise<void> =>
  vi.waitFor(async () => expect(await condition(), what).toBe(true), { timeout: ms, interval: 20 })

/** Numbers from 0 on. */
export const times = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)
