/** Latencies of searches, one request at a time, and what the bench asks of lists. */
import { serve } from "../Children.ts"
import { median } from "../Table.ts"
import { type Connection, encode, open } from "../Wire.ts"
import { words } from "./Fill.ts"
import type { Merchant } from "./Merchants.ts"
import { onConnection, whileRunning } from "./World.ts"

/** A filled database and the merchant whose invoices they are. */
export interface Filled {
  readonly url: string
  readonly merchant: Merchant
  readonly count: number
  /** Of a session of the merchant's owner. */
  readonly token: string
}

const maxSearchMs = 100
/** Where searches take seconds, no further text of a kind is searched for after a minute. */
const mostOfKindMs = 60_000

/** Medians of searches for varied parts of texts, a row for each kind of text. */
export const searches = ({ url, merchant, count }: Filled): Promise<ReadonlyArray<ReadonlyArray<string>>> =>
  whileRunning([serve(url)], async ([server]) => {
    const connection = await open(server!.port)
    try {
      const rows: Array<ReadonlyArray<string>> = []
      for (const { name, texts, limitMs } of await kinds(url)) {
        const found: Array<number> = []
        const taken: Array<number> = []
        let refused = 0
        const startedAt = performance.now()
        for (const text of texts) {
          if (performance.now() - startedAt > mostOfKindMs) break
          const request = search(merchant, text)
          const first = await timed(connection, request)
          // What took too long once does so again.
          const again = first.status === 200 ? await times(5, () => timed(connection, request)) : [first]
          refused += again.filter(({ status }) => status !== 200).length
          if (first.status === 200) found.push(totalOf(first))
          // The first may have to read from the disk.
          taken.push(...again.map(({ status, tookMs }) => (status === 200 ? tookMs : Number.POSITIVE_INFINITY)))
        }
        const middle = median(taken)
        const met = limitMs === null ? "" : middle < limitMs ? "yes" : "NO"
        const limit = limitMs === null ? "" : `${limitMs} ms`
        const matches = found.length === 0 ? "" : String(median(found))
        rows.push([
          `${name} at ${shown(count)}`,
          matches,
          ms(middle),
          ms(Math.max(...taken)),
          String(refused),
          limit,
          met
        ])
      }
      return rows
    } finally {
      connection.close()
    }
  })

interface Kind {
  readonly name: string
  readonly texts: ReadonlyArray<string>
  readonly limitMs: number | null
}

/** Texts that are in the data, by how many invoices they find, and texts that are not. */
const kinds = (url: string): Promise<ReadonlyArray<Kind>> =>
  onConnection(url, async (client) => {
    const { rows } = await client.query<{ id: string; order_id: string; phone: string; name: string }>(
      `select id, external_order_id as order_id, customer_phone as phone, customer_name as name
       from tolem_invoices order by hashtext(id) limit 20`
    )
    const limitMs = maxSearchMs
    return [
      { name: "a part of an order number", texts: rows.map(({ order_id }) => order_id.slice(2, 12)), limitMs },
      { name: "the end of a phone number", texts: rows.map(({ phone }) => phone.slice(3)), limitMs },
      { name: "a customer's whole name", texts: rows.map(({ name }) => name), limitMs },
      { name: "nothing that there is", texts: rows.map(({ id }) => [...id.slice(-9)].reverse().join("")), limitMs },
      // Every match is counted, so this grows with the number of matches, not of invoices.
      { name: "a customer's surname (a fortieth of all)", texts: words.last.slice(0, 5), limitMs: null }
    ]
  })

const get = ({ apiKey }: Merchant, query: Readonly<Record<string, string>>): string =>
  encode({
    method: "GET",
    path: `/api/v1/invoices?${new URLSearchParams(query)}`,
    headers: { "x-api-key": apiKey }
  })

/** The first page of paid invoices. */
export const paid = (merchant: Merchant): string => get(merchant, { status: "paid", limit: "50" })
/** The first page of what has the text. */
export const search = (merchant: Merchant, text: string): string => get(merchant, { search: text })

interface Timed {
  readonly status: number
  readonly body: string
  readonly tookMs: number
}

/** An answer; 503: the database has taken longer than a statement may. */
const timed = async (connection: Connection, request: string): Promise<Timed> => {
  const startedAt = performance.now()
  const { status, body } = await connection.send(request)
  if (status !== 200 && status !== 503) throw new Error(`answered ${status}: ${body}`)
  return { status, body: body.toString(), tookMs: performance.now() - startedAt }
}

/** Milliseconds until the answer, which must be 200. */
export const latency = async (connection: Connection, request: string): Promise<number> => {
  const { status, body, tookMs } = await timed(connection, request)
  if (status !== 200) throw new Error(`answered ${status}: ${body}`)
  return tookMs
}

const times = async <A>(count: number, measure: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  const results: Array<A> = []
  for (let i = 0; i < count; i++) results.push(await measure())
  return results
}

const totalOf = ({ body }: Timed): number => {
  const answer: unknown = JSON.parse(body)
  const value: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, "total") : undefined
  if (typeof value !== "number") throw new Error(`no total in ${body}`)
  return value
}

/** Fails unless the total of paid invoices is right: a quick answer that is wrong is worth nothing. */
export const isExact = async (connection: Connection, { url, merchant }: Filled): Promise<void> => {
  const answered = totalOf(await timed(connection, paid(merchant)))
  const counted = await onConnection(url, (client) =>
    client.query<{ count: number }>("select count(*) from tolem_invoices where status = 'paid'")
  )
  if (answered !== counted.rows[0]?.count) throw new Error(`total ${answered} is not ${counted.rows[0]?.count}`)
}

/** A duration for people. */
export const ms = (value: number): string =>
  Number.isFinite(value) ? `${value.toFixed(value < 10 ? 2 : 0)} ms` : "none"
/** A count for people. */
export const shown = (count: number): string => count.toLocaleString("en").replaceAll(",", " ")
