/**
 * `npm run bench -- pages`: what customers and integrators wait for. How heavy a pay page is and how soon it is seen on
 * a slow phone, how soon the documentation can be used, how soon a page comes whose provider says nothing, and how soon
 * open pages are told of a payment: 200 behind one address, and from one server to the next.
 */
import { mkdtempSync, rmSync } from "node:fs"
import { request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { chromiumPath, endBrowser } from "@tolem/testing-harness/Browser"
import { call } from "@tolem/testing-harness/Client"
import { openDesk } from "@tolem/testing-harness/Desk"
import { prepare, secretKey, serve, start } from "../Children.ts"
import { addCashiers } from "../live/Cashiers.ts"
import { openWorld, whileRunning } from "../postgres/World.ts"
import { show } from "../Report.ts"
import { median } from "../Table.ts"
import { listen } from "./Listening.ts"
import { type Conditions, type Paint, paints, slowPhone, thisMachine } from "./Paints.ts"

const loads = 5
const customers = 200
const rounds = 20
/** As many invoices as one visitor may make in a minute, with some to spare. */
const silentRounds = 8

type Row = readonly [what: string, figure: string, wanted: string]

/** Measures everything and prints a table. */
export const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-bench-"))
  try {
    const rows = [
      ...(await onOneServer(join(folder, "pages.db"))),
      ...(await besideSilence(join(folder, "live.db"))),
      ...(await onTwoServers())
    ]
    show(["pages", "figure", "wanted"], rows)
  } finally {
    await endBrowser()
    rmSync(folder, { recursive: true, force: true })
  }
}

const onOneServer = async (file: string): Promise<ReadonlyArray<Row>> => {
  const { apiKey } = await prepare(file)
  return whileRunning([serve(`sqlite:${file}`)], async ([server]) => {
    const { url } = server!
    const create = async () => String((await call(url, apiKey, "/invoices", { amount: 1500 })).body["id"])
    const pay = (id: string) => call(url, apiKey, `/invoices/${id}/simulate`, { status: "paid" })
    const page = `${url}/pay/${await create()}?lang=kk`
    const rows: Array<Row> = [
      ["pay page: as it is, gzip, br", (await sizesOf(page)).map(kilobytes).join(", "), "20.0 KB, one request"]
    ]
    if (chromiumPath === null) console.log("no Chromium: nothing is painted")
    else {
      rows.push(...painted("pay page", slowPhone, await paints(page, slowPhone, loads), 1000))
      rows.push(...painted("documentation", thisMachine, await paints(`${url}/docs/en`, thisMachine, loads), 1000))
    }
    const ids = await Promise.all(Array.from({ length: customers }, create))
    const open = await Promise.all(ids.map((id) => listen(url, id)))
    const waits = await Promise.all(
      ids.map(async (id, index) => {
        await pay(id)
        const paidAt = performance.now()
        return (await open[index]!.toldAt("paid")) - paidAt
      })
    )
    return [
      ...rows,
      [`${customers} customers behind one address, told of their payments`, spread(waits), "all"] as const
    ]
  })
}

/** A page whose code is being asked of a provider that takes every call and answers none. */
const besideSilence = async (file: string): Promise<ReadonlyArray<Row>> => {
  const provider = await start(join(import.meta.dirname, "../live/provider.ts"), [])
  const providerUrl = `http://127.0.0.1:${provider.port}`
  try {
    await prepare(file)
    const [till] = await addCashiers(file, providerUrl, 1)
    await send(`${providerUrl}/control/faults`, { call: "any", times: null, fault: { kind: "silence", done: false } })
    return await whileRunning([serve(`sqlite:${file}`, ["--provider-url", providerUrl])], async ([server]) => {
      const { url } = server!
      const waits: Array<number> = []
      const link = await call(url, till!.apiKey, "/payment-links", { title: "Tea", amount: 700 })
      for (let round = 0; round < silentRounds; round++) {
        const { invoiceId } = await send(`${url}/l/${link.body["slug"]}`, {})
        const asked = fetch(`${url}/pay/${invoiceId}/code`, { method: "POST", redirect: "manual" })
        const beganAt = performance.now()
        await (await fetch(`${url}/pay/${invoiceId}`)).text()
        waits.push(performance.now() - beganAt)
        await asked
      }
      return [["page while its provider says nothing", spread(waits), "100 ms"] as const]
    })
  } finally {
    await provider.stop()
  }
}

/** From the answer that one server gives to a payment, to the line that the other sends to the open page. */
const onTwoServers = async (): Promise<ReadonlyArray<Row>> => {
  const world = await openWorld()
  try {
    return await world.withDatabase("pages", async (url) => {
      const { apiKey } = await (await openDesk(url, secretKey)).merchant()
      return whileRunning([serve(url), serve(url)], async ([here, there]) => {
        const waits: Array<number> = []
        for (let round = 0; round < rounds; round++) {
          const id = String((await call(here!.url, apiKey, "/invoices", { amount: 10 })).body["id"])
          const page = await listen(there!.url, id)
          await call(here!.url, apiKey, `/invoices/${id}/simulate`, { status: "paid" })
          const committedAt = performance.now()
          waits.push((await page.toldAt("paid")) - committedAt)
        }
        return [["page at the other of two servers, told of a payment", spread(waits), "300 ms"] as const]
      })
    })
  } finally {
    await world.dispose()
  }
}

const painted = (
  what: string,
  { name }: Conditions,
  all: ReadonlyArray<Paint>,
  wantedMs: number
): ReadonlyArray<Row> => [
  [`${what}, first paint: ${name}`, spread(all.map(({ paintMs }) => paintMs)), `${wantedMs} ms`],
  [`${what}, interactive: ${name}`, spread(all.map(({ interactiveMs }) => interactiveMs)), `${wantedMs} ms`],
  [`${what}, asked for, and sent`, `${all[0]!.requests.join(" ")}, ${kilobytes(all[0]!.bytes)}`, ""]
]

const spread = (all: ReadonlyArray<number>): string =>
  `${Math.round(median(all))} ms (${Math.round(Math.min(...all))} to ${Math.round(Math.max(...all))})`

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`

const send = async (url: string, body: object) => {
  const headers = { "content-type": "application/json" }
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`)
  return JSON.parse(text || "{}")
}

const sizesOf = (url: string): Promise<ReadonlyArray<number>> =>
  Promise.all(["identity", "gzip", "br"].map((encoding) => sizeOf(url, encoding)))

const sizeOf = (url: string, encoding: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { headers: { "accept-encoding": encoding } }, (answer) => {
      let bytes = 0
      answer.on("data", (chunk: Buffer) => {
        bytes += chunk.length
      })
      answer.once("end", () => resolve(bytes))
    })
    asked.once("error", reject).end()
  })
