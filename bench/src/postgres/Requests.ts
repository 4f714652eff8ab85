/** Creates and reads over HTTP, against the peers. */
import { join } from "node:path"
import { serve, start } from "../Children.ts"
import { create, flood } from "../Load.ts"
import { alternate, type Comparison } from "../Table.ts"
import { encode } from "../Wire.ts"
import { openDriver } from "./Driver.ts"
import { addMerchants, type Merchant } from "./Merchants.ts"
import { onConnection, type World, whileRunning } from "./World.ts"

const connections = 64
const rounds = 5
/** Of reads: more, because a round that has to read from the disk is much slower. */
const readRounds = 15
const roundMs = 2_500

/** Starts the Fastify service on a database. */
const peerOn = (url: string, manner: Manner = "together") => start(join(import.meta.dirname, "peer.ts"), [url, manner])

/** How the Fastify service commits: each request in one transaction, or the best that can be done; see `peer.ts`. */
export type Manner = "together" | "apart"

const creating = (ports: ReadonlyArray<number>, { apiKey }: Merchant) =>
  flood({ ports, connections, until: { ms: roundMs }, request: () => create(apiKey), status: 201 })

/** Creates over HTTP: ours against the Fastify service, a database each. */
export const creates = (world: World, manner: Manner): Promise<Comparison> =>
  world.withDatabase("ours", (ours) =>
    world.withDatabase("peer", async (theirs) => {
      const [ourMerchant] = await addMerchants(ours, 1)
      const [peerMerchant] = await addMerchants(theirs, 1)
      const results = await whileRunning([serve(ours), peerOn(theirs, manner)], ([server, peer]) =>
        alternate(
          rounds,
          () => creating([server!.port], ourMerchant!),
          () => creating([peer!.port], peerMerchant!)
        )
      )
      return {
        name: `create over HTTP, ${connections} connections`,
        against: manner === "together" ? "Fastify + pg by hand" : "the same, counts committed apart",
        atLeast: 1.5,
        rounds: results
      }
    })
  )

/** Creates over HTTP: ours against the driver's limit, a database each. */
export const inserts = (world: World): Promise<Comparison> =>
  world.withDatabase("ours", (ours) =>
    world.withDatabase("bare", async (theirs) => {
      const [merchant] = await addMerchants(ours, 1)
      const [bareMerchant] = await addMerchants(theirs, 1)
      const driver = openDriver(theirs, bareMerchant!, connections)
      try {
        const results = await whileRunning([serve(ours)], ([server]) =>
          alternate(
            rounds,
            () => creating([server!.port], merchant!),
            () => driver.run(roundMs)
          )
        )
        return {
          name: `create over HTTP, ${connections} connections`,
          against: "bare pg inserts, no HTTP",
          atLeast: 1,
          rounds: results
        }
      } finally {
        await driver.close()
      }
    })
  )

/** Three servers against one on the same database. */
export const servers = (world: World): Promise<Comparison> =>
  world.withDatabase("shared", async (url) => {
    const [merchant] = await addMerchants(url, 1)
    const results = await whileRunning([serve(url), serve(url), serve(url)], (all) => {
      const ports = all.map(({ port }) => port)
      return alternate(
        rounds,
        () => creating(ports, merchant!),
        () => creating(ports.slice(0, 1), merchant!)
      )
    })
    return { name: "create over HTTP, three servers", against: "one server", atLeast: null, rounds: results }
  })

/** Reads of single invoices, at random: ours against the Fastify service, on one filled database. */
export const reads = async (url: string, { apiKey, organizationId }: Merchant): Promise<Comparison> => {
  const requests = await onConnection(url, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      `select id from tolem_invoices where organization_id = $1 order by hashtext(id) limit 20000`,
      [organizationId]
    )
    return rows.map(({ id }) =>
      encode({ method: "GET", path: `/api/v1/invoices/${id}`, headers: { "x-api-key": apiKey } })
    )
  })
  const reading = (port: number) =>
    flood({
      ports: [port],
      connections,
      until: { ms: roundMs },
      request: () => requests[Math.floor(Math.random() * requests.length)]!,
      status: 200
    })
  const results = await whileRunning([serve(url), peerOn(url)], ([server, peer]) =>
    alternate(
      readRounds,
      () => reading(server!.port),
      () => reading(peer!.port)
    )
  )
  return {
    name: `GET /invoices/{id}, ${connections} connections`,
    against: "Fastify + pg by hand",
    atLeast: 1.5,
    rounds: results
  }
}
