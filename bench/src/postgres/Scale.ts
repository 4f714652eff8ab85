/**
 * Work that should not slow down as invoices become many: the same on a small and on a large set of them, by turns.
 * Over HTTP a list, a search, sums, and pages of the feed, one request at a time; by the verbs of the stores what
 * agents claim, as many rows each time.
 */
import { nodePlatform } from "@tolem/adapter-node"
import * as Postgres from "@tolem/adapter-postgres/Postgres"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { WebhookStore } from "@tolem/core/webhook/WebhookStore"
import { showLine } from "@tolem/testing-harness/ProgressLine"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { secretKey, serve } from "../Children.ts"
import { median } from "../Table.ts"
import { type Connection, encode, open } from "../Wire.ts"
import { waitsMs } from "./Fill.ts"
import { type Filled, isExact, latency, ms, paid, search, shown } from "./Lists.ts"
import { onConnection, whileRunning } from "./World.ts"

const rounds = 5
const warmUps = 2
const requestsPerRound = 100
const claimsPerRound = 10
/** Rows of a claim. */
const perClaim = 64
/** The list of what is paid is what merchants open all day. */
const paidList = "GET /invoices?status=paid&limit=50"
const most = (name: string): number => (name === paidList ? 1.2 : 1.5)
const dayMs = 86_400_000

/** Pending invoices, and before them others of which seven in ten are paid: every claim finds all it may take. */
export const waiting: number = 1.5 * (rounds + warmUps) * claimsPerRound * perClaim

/** Milliseconds of each turn of a round. */
type Round = () => Promise<ReadonlyArray<number>>

/** What is measured of one database, by its name. */
interface Side {
  readonly filled: Filled
  readonly rounds: Readonly<Record<string, Round>>
  readonly close: () => Promise<void>
}

/** A row for each kind of work: the medians on both, and their ratio over the rounds. */
export const scale = (small: Filled, large: Filled): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  whileRunning([serve(small.url), serve(large.url)], async ([smallServer, largeServer]) => {
    const few = await sideOf(small, smallServer!.port)
    const many = await sideOf(large, largeServer!.port)
    try {
      const rows: Array<ReadonlyArray<string>> = []
      for (const name of Object.keys(few.rounds)) rows.push(await compared(name, few, many))
      return rows
    } finally {
      showLine("")
      await few.close()
      await many.close()
    }
  })

const compared = async (name: string, few: Side, many: Side): Promise<ReadonlyArray<string>> => {
  const pairs: Array<readonly [number, number]> = []
  for (let round = 0; round < warmUps + rounds; round++) {
    showLine(`${name}: round ${round + 1} of ${warmUps + rounds}`)
    pairs.push([median(await few.rounds[name]!()), median(await many.rounds[name]!())])
  }
  const measured = pairs.slice(warmUps)
  const ratios = measured.map(([a, b]) => b / a)
  const ratio = median(ratios)
  return [
    `${name}, of ${shown(many.filled.count)}`,
    `of ${shown(few.filled.count)}`,
    ms(median(measured.map(([, b]) => b))),
    ms(median(measured.map(([a]) => a))),
    `${ratio.toFixed(2)} (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
    most(name).toFixed(2),
    ratio <= most(name) ? "yes" : "NO"
  ]
}

const sideOf = async (filled: Filled, port: number): Promise<Side> => {
  const agents = agentsOf(filled)
  await connected(port, (connection) => isExact(connection, filled))
  return {
    filled,
    rounds: { ...(await requestsOf(filled, port)), ...(await agents.rounds()) },
    close: agents.close
  }
}

/** Uses a connection of its own: one that waits for the other side's turns may be closed meanwhile. */
const connected = async <A>(port: number, use: (connection: Connection) => Promise<A>): Promise<A> => {
  const connection = await open(port)
  try {
    return await use(connection)
  } finally {
    connection.close()
  }
}

const requestsOf = async (filled: Filled, port: number): Promise<Side["rounds"]> => {
  const { merchant, token, url } = filled
  const now = Date.now()
  const orders = await onConnection(url, (client) =>
    client.query<{ order_id: string }>(
      "select external_order_id as order_id from tolem_invoices order by hashtext(id) limit $1",
      [requestsPerRound]
    )
  )
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10)
  const sums = (days: number): string =>
    encode({
      method: "GET",
      path: `/panel/orgs/${merchant.organizationId}/totals?mode=sandbox&from=${day(now - days * dayMs)}&to=${day(now)}`,
      headers: { authorization: `Bearer ${token}` }
    })
  const feed = (at: number): string =>
    encode({
      method: "GET",
      path: `/api/v1/events?limit=100&after=${new Date(at).toISOString()}`,
      headers: { "x-api-key": merchant.apiKey }
    })
  const each =
    (requests: ReadonlyArray<string>): Round =>
    () =>
      connected(port, (connection) =>
        times(requestsPerRound, (turn) => latency(connection, requests[turn % requests.length]!))
      )
  return {
    [paidList]: each([paid(merchant)]),
    "GET /invoices?search= an order's number": each(orders.rows.map(({ order_id }) => search(merchant, order_id))),
    "sums of 7 days": each([sums(7)]),
    "sums of a year": each([sums(364)]),
    "GET /events, 100 of a month ago": each([feed(now - 30 * dayMs)]),
    "GET /events, 100 of half a year ago": each([feed(now - 180 * dayMs)])
  }
}

/** What the agents of a server ask of the stores, without a server. */
const agentsOf = ({ url }: Filled) => {
  const runtime = ManagedRuntime.make(
    Postgres.layer({ url: Redacted.make(url) }).pipe(
      Layer.provide(SecretBox.layer([Redacted.make(secretKey)])),
      Layer.provide(nodePlatform())
    )
  )
  const claims =
    <A>(claim: () => Promise<ReadonlyArray<A>>, settle?: (claimed: ReadonlyArray<A>) => Promise<void>): Round =>
    () =>
      times(claimsPerRound, async () => {
        const startedAt = performance.now()
        const found = await claim()
        const takenMs = performance.now() - startedAt
        if (found.length !== perClaim) throw new Error(`${found.length} rows were claimed`)
        await settle?.(found)
        return takenMs
      })
  const rounds = async (): Promise<Side["rounds"]> => {
    const invoices = await runtime.runPromise(InvoiceStore)
    const webhooks = await runtime.runPromise(WebhookStore)
    // The servers beside do not find them due yet. Invoices are put off once they are looked at, as agents do;
    // deliveries that were claimed stay so.
    const now = Date.now() + waitsMs
    const until = now + dayMs
    const request = { now, until, lease: "bench", asideMs: dayMs, each: perClaim }
    const due = Effect.flatMap(webhooks.due({ now, after: null, limit: 100 }), ({ endpoints }) =>
      webhooks.claim({ ...request, endpoints: endpoints.map(({ id }) => id) })
    )
    return {
      "a claim of the watcher": claims(
        () => runtime.runPromise(invoices.claim(now, until, perClaim)),
        (claimed) =>
          runtime.runPromise(
            invoices.rescheduleMany(
              claimed.map(({ id, version, providerStatus }) => ({ id, version, dueAt: until, providerStatus }))
            )
          )
      ),
      "a look and a claim of the dispatcher": claims(() => runtime.runPromise(due))
    }
  }
  return { rounds, close: () => runtime.dispose() }
}

const times = async (count: number, measure: (turn: number) => Promise<number>): Promise<ReadonlyArray<number>> => {
  const results: Array<number> = []
  for (let turn = 0; turn < count; turn++) results.push(await measure(turn))
  return results
}
