/** What a scenario plays on: a database, server processes, a merchant, a receiver. Everything is gone afterwards. */
import { type Merchant, openDesk } from "@tolem/testing-harness/Desk"
import { result, type Service, serve, unlimited } from "@tolem/testing-harness/Program"
import { type Receiver, receive } from "@tolem/testing-harness/Receiver"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import type { Server as Postgres } from "@tolem/testing-postgres/Server"

/** How a world's servers are run. */
export interface Options {
  /** Behind the database's address, as `?pool_size=2`. */
  readonly parameters?: string
  /** Arguments for Node itself, before the program. */
  readonly node?: ReadonlyArray<string>
  /** The address that servers and commands get in place of the database's own. */
  readonly through?: (url: string) => string
}

/** A database with what works on it. */
export interface World {
  readonly postgres: Postgres
  readonly url: string
  readonly servers: Array<Service>
  readonly serve: (parameters?: string) => Promise<Service>
  /** Runs a command on the database and answers what it prints. */
  readonly tolem: (...args: ReadonlyArray<string>) => ReturnType<typeof result>
  readonly query: (sql: string, params?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Record<string, unknown>>>
  readonly connect: () => Promise<Client>
  /** An organization with a sandbox key. */
  readonly organization: () => Promise<Merchant>
  /** The same with a receiver of their own, which its webhooks go to. */
  readonly merchant: () => Promise<Merchant & { readonly receiver: Receiver }>
  readonly dispose: () => Promise<void>
}

const secretKey = "a-key-for-chaos-only-of-no-use-anywhere-else"
const variables = { TOLEM_SECRET_KEY: secretKey }
let names = 0

/** A fresh world on the server, with `count` servers that run. */
export const openWorld = async (
  postgres: Postgres,
  count: number,
  { parameters = "", node = [], through = (url) => url }: Options = {}
): Promise<World> => {
  const url = await postgres.createDatabase(`chaos_${++names}`)
  const receivers: Array<Receiver> = []
  const servers: Array<Service> = []
  const desk = await openDesk(url, secretKey)

  const tolem: World["tolem"] = (...args) =>
    result([...args, "--database", `${through(url)}${parameters}`], { variables })
  const serveOne: World["serve"] = async (more = parameters) => {
    const server = await serve(unlimited(`${through(url)}${more}`), { variables, node })
    servers.push(server)
    return server
  }
  const query: World["query"] = async (sql, params = []) => {
    const client = await connect(url)
    try {
      return (await client.query<Record<string, unknown>>(sql, [...params])).rows
    } finally {
      await client.end()
    }
  }
  const merchant: World["merchant"] = async () => {
    const receiver = await receive()
    receivers.push(receiver)
    const made = await desk.merchant()
    receiver.secret = (await desk.announce(made, receiver.url)).secret
    return { ...made, receiver }
  }
  const dispose = async () => {
    await Promise.all([...servers.map((server) => server.kill()), ...receivers.map((receiver) => receiver.close())])
  }
  await Promise.all(Array.from({ length: count }, () => serveOne()))
  const { merchant: organization } = desk
  const connected = () => connect(url)
  return { postgres, url, servers, serve: serveOne, tolem, query, connect: connected, organization, merchant, dispose }
}
