/**
 * `npm run bench -- panel [--rows 1000000] [--only sqlite]`: what a member of an organization with very many invoices
 * waits for in the cabinet, over HTTP with a session: pages, filters, sums, totals, what needs attention, and exports
 * with the memory that the server takes for them. Requests come one at a time.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { defaults } from "@tolem/core/engine/Settings"
import { dayOf } from "@tolem/core/value/Calendar"
import { openDesk } from "@tolem/testing-harness/Desk"
import type { Service } from "@tolem/testing-harness/Program"
import { prepare, secretKey, serve } from "../Children.ts"
import { onConnection, openWorld, whileRunning } from "../postgres/World.ts"
import { show } from "../Report.ts"
import { median } from "../Table.ts"
import * as Process from "./Process.ts"
import { questions } from "./Questions.ts"
import { fill, type Shop, type Writer } from "./Shop.ts"

/** What is measured. */
export interface Options {
  readonly rows: number
  /** Only on this database. */
  readonly only: string | undefined
}

const fewRows = 10_000
/** Fewest that can be measured: a small organization is compared with. */
export const leastRows = 2 * fewRows
const warmUps = 3
const times = 15
const monthlyLimit = defaults.tariffs.catalogue.find(({ code }) => code === "scale")!.monthlyLimit

/** Measures everything and prints a table for each database. */
export const run = async ({ rows, only }: Options): Promise<void> => {
  if (only !== "postgres") await onSqlite(rows)
  if (only !== "sqlite") await onPostgres(rows)
}

const onSqlite = async (rows: number): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-bench-"))
  const file = join(folder, "panel.db")
  try {
    const { organizationId } = await prepare(file)
    const database = new DatabaseSync(file)
    // Gone with the folder, whatever happens.
    database.exec("pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -400000")
    const writer: Writer = {
      run: async (statement) => database.exec(statement),
      dayOf: (ms) => `strftime('%Y-%m-%d', (${ms}) / 1000, 'unixepoch')`
    }
    const shop = await filled(writer, organizationId, rows)
    database.exec("pragma wal_checkpoint(truncate)")
    database.close()
    await measured("SQLite", `sqlite:${file}`, shop)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const onPostgres = async (rows: number): Promise<void> => {
  const world = await openWorld()
  try {
    await world.withDatabase("panel", async (url) => {
      const { organizationId } = await (await openDesk(url, secretKey)).merchant()
      const shop = await onConnection(url, async (client) => {
        const writer: Writer = {
          run: (statement) => client.query(statement),
          dayOf: (ms) => `to_char(to_timestamp((${ms}) / 1000) at time zone 'UTC', 'YYYY-MM-DD')`
        }
        const shop = await filled(writer, organizationId, rows)
        await client.query("vacuum analyze")
        await client.query("checkpoint")
        return shop
      })
      await measured("PostgreSQL", url, shop)
    })
  } finally {
    await world.dispose()
  }
}

const filled = async (writer: Writer, organizationId: string, rows: number): Promise<Shop> => {
  const beganAt = performance.now()
  const shop = await fill(writer, organizationId, rows, monthlyLimit)
  console.log(`${rows} invoices made in ${Math.round((performance.now() - beganAt) / 1000)} s`)
  return shop
}

const measured = (database: string, address: string, shop: Shop): Promise<void> =>
  whileRunning([serve(address)], async ([server]) => {
    const ask = asker(server!, shop)
    const rows: Array<ReadonlyArray<string>> = []
    for (const question of questions(shop)) {
      const { name, path, wantedMs } = question
      const found = question.found(JSON.parse(await ask(path)))
      const { middle, all, cpu } = await timed(server!, () => ask(path))
      const met = middle < wantedMs ? "yes" : "NO"
      rows.push([`${database}: ${name}`, spread(middle, all), cpu, found, `${wantedMs} ms`, met])
    }
    show([`cabinet of ${shown(shop.count)} invoices`, "median (range)", "server's CPU", "answer", "below", "met"], rows)
    const exports = []
    // The first is small, so that what the server takes once is taken before the large one.
    for (const file of ["invoices.csv", "invoices.csv"] as const)
      exports.push(await exported(database, server!, shop, { count: fewRows, file }))
    for (const file of files) exports.push(await exported(database, server!, shop, { count: shop.count, file }))
    const head = ["export", "server's memory at most", "pages of its file", "server's CPU", "rows a second", "bytes"]
    show(head, exports.slice(1))
  })

/** Asks with the session, and answers the text; fails if it is refused. */
const asker =
  ({ url }: Service, { organizationId, token }: Shop) =>
  async (path: string): Promise<string> => {
    const address = `${url}/panel/orgs/${organizationId}/${path}`
    const answer = await fetch(address, { headers: headersOf(token) })
    const text = await answer.text()
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`)
    return text
  }

const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, "accept-encoding": "identity" })

const timed = async ({ pid }: Service, ask: () => Promise<unknown>) => {
  for (let time = 0; time < warmUps; time++) await ask()
  const usedMs = Process.isTold ? Process.cpuMs(pid) : 0
  const all: Array<number> = []
  for (let time = 0; time < times; time++) {
    const beganAt = performance.now()
    await ask()
    all.push(performance.now() - beganAt)
  }
  const cpu = Process.isTold ? ms((Process.cpuMs(pid) - usedMs) / times) : "not told"
  return { middle: median(all), all, cpu }
}

interface Wanted {
  readonly count: number
  readonly file: (typeof files)[number]
}

const files = ["invoices.csv", "invoices.xlsx", "movements.xlsx", "1c.txt"] as const

/** Exports the newest so many, and sees that each was sent; of a workbook, that it has an end. */
const exported = async (database: string, { url, pid }: Service, shop: Shop, { count, file }: Wanted) => {
  const { at } = shop.placeOf(shop.count - count)
  const instant = new Date(at).toISOString()
  // Movements are of whole days, as the shop counts them: of all of the year.
  const query = `mode=live&from=${file.startsWith("invoices") ? instant : dayOf(at)}`
  const path = `${url}/panel/orgs/${shop.organizationId}/${file}?${query}`
  const idle = Process.isTold ? Process.memory(pid) : noMemory
  let most = idle
  const look = () => {
    if (!Process.isTold) return
    const { own, ofFiles } = Process.memory(pid)
    most = { own: Math.max(most.own, own), ofFiles: Math.max(most.ofFiles, ofFiles) }
  }
  const usedMs = Process.isTold ? Process.cpuMs(pid) : 0
  const beganAt = performance.now()
  const answer = await fetch(path, { headers: headersOf(shop.token) })
  if (answer.status !== 200 || answer.body === null) throw new Error(`the export answered ${answer.status}`)
  let [lines, bytes, end] = [0, 0, Buffer.alloc(0)]
  for await (const part of answer.body) {
    look()
    bytes += part.length
    if (file === "invoices.csv") for (const byte of part) if (byte === 10) lines++
    end = Buffer.concat([end, part]).subarray(-endLength)
  }
  if (file === "invoices.csv" && lines !== count + 1) throw new Error(`${lines} lines of ${count} invoices and a head`)
  if (file.endsWith(".xlsx") && end.readUInt32LE() !== endOfArchive) throw new Error("the workbook has no end")
  const seconds = (performance.now() - beganAt) / 1000
  const told = (text: string) => (Process.isTold ? text : "not told")
  const own = told(`${Math.round(most.own - idle.own)} MB above ${Math.round(idle.own)}`)
  const ofFiles = told(`${Math.round(most.ofFiles - idle.ofFiles)} MB above ${Math.round(idle.ofFiles)}`)
  const cpu = told(Process.isTold ? `${((Process.cpuMs(pid) - usedMs) / 1000).toFixed(1)} s` : "")
  const name = `${database}: ${shown(count)} rows as ${file}, ${seconds.toFixed(1)} s`
  return [name, own, ofFiles, cpu, String(Math.round(count / seconds)), shown(bytes)]
}

/** The last record of an archive, and what it begins with. */
const endLength = 22
const endOfArchive = 0x06054b50

const noMemory: Process.Memory = { own: 0, ofFiles: 0 }
const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const spread = (middle: number, all: ReadonlyArray<number>): string =>
  `${ms(middle)} (${ms(Math.min(...all))} to ${ms(Math.max(...all))})`
const shown = (count: number): string => count.toLocaleString("en").replaceAll(",", " ")
