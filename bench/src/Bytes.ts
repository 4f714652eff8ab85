/**
 * `npm run bench -- bytes`: what an invoice takes of each database through its life, table by table. Invoices are made,
 * paid, announced and refunded over HTTP; what is there before the first one does not count.
 */
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { showLine } from "@tolem/testing-harness/ProgressLine"
import { serve, start } from "./Children.ts"
import { type Ground, onPostgres, onSqlite } from "./fairness/Ground.ts"
import { onConnection } from "./postgres/World.ts"
import { show } from "./Report.ts"
import { encode, open } from "./Wire.ts"

const count = 5_000
const connections = 16

/** Bytes by table, its indexes with it. */
type Sizes = ReadonlyMap<string, number>

const stages = ["created", "paid and announced", "refunded and announced"] as const

/** Measures both databases, and prints a table of each. */
export const run = async (): Promise<void> => {
  await onSqlite((ground) => measure(ground, sizesOfSqlite(ground)))
  await onPostgres((ground) => measure(ground, sizesOfPostgres(ground)))
}

const sizesOfSqlite =
  ({ url }: Ground) =>
  async (): Promise<Sizes> => {
    const db = new DatabaseSync(url.replace("sqlite:", ""))
    try {
      db.exec("pragma wal_checkpoint(truncate)")
      const rows = db
        .prepare(
          `select coalesce(s.tbl_name, d.name) as name, sum(d.pgsize) as bytes
           from dbstat d left join sqlite_schema s on s.name = d.name where d.aggregate = true group by 1`
        )
        .all()
      return sizesIn(rows.map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) })))
    } finally {
      db.close()
    }
  }

const sizesOfPostgres =
  ({ url }: Ground) =>
  (): Promise<Sizes> =>
    onConnection(url, async (client) => {
      await client.query("vacuum")
      const { rows } = await client.query<{ name: string; bytes: number }>(
        `select relname as name, pg_total_relation_size(oid) as bytes
         from pg_class where relkind = 'r' and relname like 'tolem\\_%'`
      )
      return sizesIn(rows)
    })

/** The months of attempts count as one table, those of deliveries too. */
const sizesIn = (rows: ReadonlyArray<{ readonly name: string; readonly bytes: number }>): Sizes => {
  const sizes = new Map<string, number>()
  for (const { name, bytes } of rows) {
    const table = name.replace(/^tolem_/, "").replace(/^(attempts|deliveries)_.*/, "$1")
    sizes.set(table, (sizes.get(table) ?? 0) + bytes)
  }
  return sizes
}

const measure = async (ground: Ground, sizesOf: () => Promise<Sizes>): Promise<void> => {
  const merchant = await ground.desk.merchant()
  const sink = await start(join(import.meta.dirname, "fairness", "sink.ts"), ["takes"])
  const server = await serve(ground.url)
  try {
    await ground.desk.announce(merchant, `${sink.url}/hook`)
    const ids: Array<string> = []
    const each = async (what: string, path: (nth: number) => string, body: object, use = (_id: string) => {}) => {
      showLine(`${ground.name}: ${what}`)
      const opened = await Promise.all(Array.from({ length: connections }, () => open(server.port)))
      let next = 0
      await Promise.all(
        opened.map(async ({ send, close }) => {
          while (next < count) {
            const headers = { "x-api-key": merchant.apiKey }
            const request = { method: "POST", path: path(next++), headers, body: JSON.stringify(body) } as const
            const answer = await send(encode(request))
            if (answer.status >= 300) throw new Error(`answered ${answer.status}: ${answer.body}`)
            use(JSON.parse(answer.body.toString()).id)
          }
          close()
        })
      )
      await announced(ground)
    }
    const made = { amount: 1500, description: "Tea and baursak", externalOrderId: "order-20261123-000001" }
    const measured = [await sizesOf()]
    await each(
      "creates",
      () => "/api/v1/invoices",
      made,
      (id) => ids.push(id)
    )
    measured.push(await sizesOf())
    await each("pays", (nth) => `/api/v1/invoices/${ids[nth]}/simulate`, { status: "paid" })
    measured.push(await sizesOf())
    await each("refunds", (nth) => `/api/v1/invoices/${ids[nth]}/refund`, { amount: 1500 })
    measured.push(await sizesOf())
    print(ground.name, measured)
  } finally {
    await server.stop()
    await sink.stop()
  }
}

const announced = async ({ count }: Ground): Promise<void> => {
  const left = () => count("select count(*) as n from tolem_deliveries where status = 'pending'")
  const until = performance.now() + 120_000
  while ((await left()) > 0) {
    if (performance.now() > until) throw new Error("webhooks are not sent")
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

/** Bytes of one invoice at the end of each stage. */
const print = (name: string, measured: ReadonlyArray<Sizes>): void => {
  const [first, ...others] = measured
  const of = (sizes: Sizes | undefined, table: string) => ((sizes?.get(table) ?? 0) - (first?.get(table) ?? 0)) / count
  const tables = [...new Set(measured.flatMap((sizes) => [...sizes.keys()]))]
    .filter((table) => of(others.at(-1), table) >= 1)
    .toSorted((a, b) => of(others.at(-1), b) - of(others.at(-1), a))
  const row = (title: string, bytes: (sizes: Sizes) => number) => [
    title,
    ...others.map((sizes) => String(Math.round(bytes(sizes))))
  ]
  const all = (sizes: Sizes) => tables.reduce((sum, table) => sum + of(sizes, table), 0)
  show(
    [`${name}: bytes of one invoice in`, ...stages],
    [...tables.map((table) => row(table, (sizes) => of(sizes, table))), row("all", all)]
  )
}
