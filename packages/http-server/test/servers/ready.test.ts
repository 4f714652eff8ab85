/** Whether a server says that it is ready when its database is there, but takes nothing. */
import { call } from "@tolem/testing-harness/Client"
import * as Program from "@tolem/testing-harness/Program"
import { listening } from "@tolem/testing-harness/Program"
import { createDatabase } from "@tolem/testing-postgres/Databases"
import { expect, it } from "vitest"
import { folder, owned, result } from "../cli/support.ts"
import { afterwards, cluster, times } from "../cluster/support/cluster.ts"
import { eventually } from "../support/eventually.ts"

const statusOf = async (url: string) => (await fetch(`${url}/health/ready`)).status

const becomes = (url: string, status: number) => eventually(async () => expect(await statusOf(url)).toBe(status))

/** A server whose files may grow to so many kilobytes: what a full disk is to it. */
const cramped = async (cwd: string, kilobytes: number) => {
  const under = ["bash", "-c", `ulimit -f ${kilobytes}; exec "$0" "$@"`] as const
  const variables = { NODE_DISABLE_COMPILE_CACHE: "1" }
  return (await listening(owned(Program.begin(["serve", "--port", "0", "--json"], { cwd, under, variables })))).url
}

it("is not ready on a disk that is full", async () => {
  const cwd = folder()
  const owner = ["--owner-phone", "77001234567"]
  const { organization } = await result(cwd, "org", "create", "--name", "Shop", ...owner, "--json")
  const key = ["key", "create", "--org", organization.id, "--mode", "sandbox", "--name", "till", "--scopes", "all"]
  const { apiKey } = await result(cwd, ...key, "--json")
  const url = await cramped(cwd, 3000)
  expect(await statusOf(url)).toBe(200)
  const metadata = { text: "x".repeat(10_000) }
  const invoices = Array.from({ length: 20 }, () => ({ amount: 10, metadata }))
  for (let i = 0; i < 40 && (await call(url, apiKey, "/invoices/bulk", { invoices })).status === 207; i++);
  await eventually(async () => expect((await call(url, apiKey, "/invoices")).status).toBe(503))
  await becomes(url, 503)
})

it("is not ready on a PostgreSQL that only reads, and is again when it writes", async () => {
  const { servers, query } = await cluster()
  const elsewhere = await createDatabase()
  afterwards(elsewhere.drop)
  const [server] = await servers(1)
  await becomes(server!.url, 200)
  const name = String((await query("select current_database() as name"))[0]?.["name"])
  const readOnly = async (on: boolean) => {
    await elsewhere.query(`alter database "${name}" set default_transaction_read_only = ${on ? "on" : "off"}`)
    await elsewhere.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  }
  await readOnly(true)
  await becomes(server!.url, 503)
  expect((await fetch(`http://127.0.0.1:${server!.ready.port}/health/live`)).status).toBe(200)
  await readOnly(false)
  await becomes(server!.url, 200)
})

it("is asked as often as one likes for about one write a second", async () => {
  const { servers, query } = await cluster()
  const [server] = await servers(1)
  const began = performance.now()
  const answers = await Promise.all(times(200).map(() => statusOf(server!.url)))
  expect(new Set(answers)).toEqual(new Set([200]))
  const seconds = (performance.now() - began) / 1000
  const [counted] = await query("select sum(hits)::int as hits from tolem_rate_windows where kind = 'ready'")
  expect(counted?.["hits"]).toBeGreaterThan(0)
  expect(counted?.["hits"]).toBeLessThan(seconds + 2)
})
