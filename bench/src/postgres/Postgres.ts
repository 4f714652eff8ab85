/** `npm run bench -- postgres`: the service on PostgreSQL against its peers, on one embedded server. */
import { openDesk } from "@tolem/testing-harness/Desk"
import { killAll } from "@tolem/testing-harness/Program"
import { secretKey } from "../Children.ts"
import { keepRounds, show } from "../Report.ts"
import { type Comparison, row } from "../Table.ts"
import { deliveries } from "./Deliveries.ts"
import { fill } from "./Fill.ts"
import { type Filled, searches } from "./Lists.ts"
import { addMerchants, addSession } from "./Merchants.ts"
import { creates, inserts, reads, servers } from "./Requests.ts"
import { scale, waiting } from "./Scale.ts"
import { openWorld, type World } from "./World.ts"

/** What is measured. */
export interface Options {
  /** Invoices of one organization, where lists and searches are measured. */
  readonly rows: number
  /** Only this part. */
  readonly only: string | undefined
}

const fewRows = 10_000
/** What can be measured alone. */
export const postgresParts = ["create", "insert", "webhook", "servers", "read", "scale", "search"]

/** Measures everything and prints the tables. Gives up when `stopped` fails, and leaves nothing behind either way. */
export const run = async ({ rows, only }: Options, stopped: Promise<never>): Promise<void> => {
  const wanted = (part: string) => only === undefined || only === part
  const world = await openWorld()
  try {
    await Promise.race([measure(world, rows, wanted), stopped])
  } finally {
    killAll()
    await world.dispose()
  }
}

const measure = async (world: World, rows: number, wanted: (part: string) => boolean): Promise<void> => {
  const head = ["work", "against", "ours", "peer", "ratio (range)", "at least", "met"]
  const comparisons: Array<Comparison> = []
  if (wanted("create")) comparisons.push(await creates(world, "together"), await creates(world, "apart"))
  if (wanted("insert")) comparisons.push(await inserts(world))
  if (wanted("webhook")) comparisons.push(...(await deliveries(world)))
  if (wanted("servers")) comparisons.push(await servers(world))
  keepRounds(comparisons)
  if (comparisons.length > 0) show(head, comparisons.map(row))
  if (!["read", "scale", "search"].some(wanted)) return
  await withFilled(world, "large", rows, async (large) => {
    if (wanted("read")) {
      const read = await reads(large.url, large.merchant)
      keepRounds([read])
      show(head, [row(read)])
    }
    if (wanted("scale")) {
      const rows = await withFilled(world, "small", fewRows, (small) => scale(small, large))
      show(["median latency", "against", "many", "few", "ratio (range)", "at most", "met"], rows)
    }
    if (wanted("search")) {
      const head = ["GET /invoices?search=", "found (median)", "median", "slowest", "503", "below", "met"]
      show(head, await searches(large))
    }
  })
}

const withFilled = <A>(world: World, name: string, count: number, use: (filled: Filled) => Promise<A>): Promise<A> =>
  world.withDatabase(name, async (url) => {
    const [merchant] = await addMerchants(url, 1)
    const token = await addSession(url, merchant!)
    // Claims need its secret; nothing is sent there, as no agents run on what it has waiting.
    await (await openDesk(url, secretKey)).announce(merchant!, "http://127.0.0.1:9/hook")
    const startedAt = performance.now()
    await fill(url, [merchant!.organizationId], count + waiting, waiting)
    console.log(`${count} invoices made in ${Math.round((performance.now() - startedAt) / 1000)} s`)
    return await use({ url, merchant: merchant!, count, token })
  })
