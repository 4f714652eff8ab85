/**
 * `npm run bench -- fairness [--only sqlite|postgres]`: what one merchant's create and first webhook wait for while
 * another has very much due, many endpoints are dead, or one key floods. Rounds with the load and without it alternate
 * on one server; each round's figure is its median, and what is reported is the median of the rounds' ratios.
 */
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { Service } from "@tolem/testing-harness/Program"
import { showLine } from "@tolem/testing-harness/ProgressLine"
import { serve, serveRated, start } from "../Children.ts"
import { show } from "../Report.ts"
import { median } from "../Table.ts"
import { encode, open } from "../Wire.ts"
import { addDue, type Ground, onPostgres, onSqlite } from "./Ground.ts"
import { openOther, type Waits } from "./Other.ts"

const rounds = 5
const perRound = 10
/** What a merchant of a quiet server may wait for at most under any load, as a multiple. */
const atMost = 2

const dueCount = 100_000
const deadMerchants = 100
const deadEndpoints = 10
const duePerEndpoint = 20
const floodConnections = 64

/** What disturbs, from `begin` until `end`, again and again. */
interface Load {
  readonly name: string
  readonly begin: (server: Service) => Promise<() => Promise<void>>
}

/** Measures everything on one database or on both, and prints the tables. */
export const run = async ({ only }: { readonly only: string | undefined }): Promise<void> => {
  if (only !== "postgres") await onSqlite(measure)
  if (only !== "sqlite") await onPostgres(measure)
}

const script = (name: string) => join(import.meta.dirname, name)

const measure = async (ground: Ground): Promise<void> => {
  const sinks = await Promise.all([start(script("sink.ts"), ["takes"]), start(script("sink.ts"), ["hangs"])])
  const [takes, hangs] = sinks
  const other = await openOther(ground, 20)
  try {
    showLine(`${ground.name}: filling`)
    const endpoints = await addEndpoints(ground)
    const loads = [
      await backlog(ground, takes.url),
      dead(ground, endpoints, "refuse", "http://127.0.0.1:1"),
      dead(ground, endpoints, "hang", hangs.url),
      await flood(ground)
    ]
    const rows = [
      ...(await within(() => serve(ground.url), other, loads)),
      ...(await within(() => serveRated(ground.url), other, [await flood(ground, "200 of them a minute")]))
    ]
    show([`${ground.name}: waits beside`, "of", "idle", "loaded", "ratio (range)", "at most", "met"], rows)
  } finally {
    await other.close()
    for (const sink of sinks) await sink.stop()
  }
}

const within = async (
  begin: () => Promise<Service>,
  other: Awaited<ReturnType<typeof openOther>>,
  loads: ReadonlyArray<Load>
) => {
  const server = await begin()
  try {
    const rows: Array<ReadonlyArray<string>> = []
    for (const load of loads) rows.push(...(await alternating(server, other, load)))
    return rows
  } finally {
    await server.stop()
  }
}

const alternating = async (server: Service, other: Awaited<ReturnType<typeof openOther>>, load: Load) => {
  const results: Array<{ readonly idle: Waits; readonly loaded: Waits }> = []
  await other.measure(server.port, perRound)
  for (let round = 0; round < rounds; round++) {
    showLine(`${load.name}: round ${round + 1} of ${rounds}`)
    const idle = await other.measure(server.port, perRound)
    const end = await load.begin(server)
    const loaded = await other.measure(server.port, perRound)
    await end()
    results.push({ idle, loaded })
  }
  return (["create", "delivery"] as const).map((what) => {
    const pairs = results.map(({ idle, loaded }) => [median(idle[what]), median(loaded[what])] as const)
    const ratios = pairs.map(([idle, loaded]) => loaded / idle)
    const ratio = median(ratios)
    const ms = (side: 0 | 1) => `${median(pairs.map((pair) => pair[side])).toFixed(1)} ms`
    return [
      load.name,
      what === "create" ? "a create" : "the first webhook",
      ms(0),
      ms(1),
      `${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
      atMost.toFixed(2),
      ratio <= atMost ? "yes" : "NO"
    ]
  })
}

/** Time in which a load takes hold before it is measured beside, and lets go after. */
const settleMs = 1_000

/** The deadline of an attempt, and some more. */
const hungMs = 9_000

/** One merchant with very many deliveries that are due, at an endpoint that takes them. Held back between rounds. */
const backlog = async (ground: Ground, url: string): Promise<Load> => {
  const merchant = await ground.desk.merchant()
  const { id } = await ground.desk.announce(merchant, `${url}/backlog`)
  const hold = (disabled: 0 | 1) =>
    ground.execute(`update tolem_endpoints set disabled = ${disabled} where id = '${id}'`)
  await hold(1)
  await addDue(ground, [id], dueCount)
  return {
    name: `${dueCount} deliveries due of one merchant`,
    begin: async () => {
      await hold(0)
      await sleep(settleMs)
      return async () => {
        await hold(1)
        await sleep(settleMs)
      }
    }
  }
}

/** Many endpoints, as many of each merchant as one may have, none of them in use. */
const addEndpoints = async (ground: Ground): Promise<ReadonlyArray<string>> => {
  const endpoints: Array<string> = []
  const server = await serve(ground.url)
  const connection = await open(server.port)
  try {
    for (let number = 0; number < deadMerchants; number++) {
      const headers = { "x-api-key": (await ground.desk.merchant()).apiKey }
      for (let nth = 0; nth < deadEndpoints; nth++) {
        const body = JSON.stringify({ url: `http://127.0.0.1:1/${number}/${nth}` })
        const request = encode({ method: "POST", path: "/api/v1/webhook-endpoints", headers, body })
        endpoints.push(JSON.parse((await connection.send(request)).body.toString()).id)
      }
    }
    await ground.execute(`update tolem_endpoints set disabled = 1 where ${among(endpoints)}`)
  } finally {
    connection.close()
    await server.stop()
  }
  await addDue(ground, endpoints, duePerEndpoint)
  return endpoints
}

const among = (ids: ReadonlyArray<string>, column = "id") => `${column} in ('${ids.join("', '")}')`

/** Endpoints that are dead, with deliveries that are due: each round finds them as before their first failure. */
const dead = (ground: Ground, endpoints: ReadonlyArray<string>, how: "refuse" | "hang", url: string): Load => {
  const become = (disabled: 0 | 1) =>
    ground.execute(`update tolem_endpoints set disabled = ${disabled}, url = '${url}/' || id, failure_count = 0,
      pause_count = 0, paused_until = null where ${among(endpoints)}`)
  return {
    name: `${endpoints.length} endpoints that ${how}`,
    begin: async () => {
      await ground.execute(`update tolem_deliveries set due_at = ${Date.now()}
        where status = 'pending' and lease is null and ${among(endpoints, "endpoint_id")}`)
      await become(0)
      // By then they have been found: what is refused is tried for some seconds, and what hangs holds its places.
      await sleep(settleMs)
      return async () => {
        await become(1)
        // What hangs ends with its deadline.
        await sleep(how === "hang" ? hungMs : settleMs)
      }
    }
  }
}

/** One key that creates over many connections. */
const flood = async (ground: Ground, rate = "without a rate"): Promise<Load> => {
  const merchant = await ground.desk.merchant()
  return {
    name: `creates over ${floodConnections} connections, ${rate}`,
    begin: async (server) => {
      const flooder = await start(script("flooder.ts"), [
        String(server.port),
        merchant.apiKey,
        String(floodConnections)
      ])
      await sleep(settleMs)
      return async () => {
        await flooder.stop()
        await sleep(settleMs)
      }
    }
  }
}
