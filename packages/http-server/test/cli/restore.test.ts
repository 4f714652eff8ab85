/** A restore as operators do it: what happened between the backup and the loss, and what becomes of it. */
import { copyFileSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { call } from "@tolem/testing-harness/Client"
import { receive } from "@tolem/testing-harness/Receiver"
import { complete, dumpAndRestore, startCluster, systemPostgres } from "@tolem/testing-postgres/Dumps"
import { describe, expect, it, onTestFinished } from "vitest"
import { eventually } from "../support/eventually.ts"
import { begin, folder, result, service } from "./support.ts"

/** An installation that can be lost. */
interface Ground {
  readonly cwd: string
  /** `--database` and its value. */
  readonly database: ReadonlyArray<string>
}

interface Kind {
  /** A new installation. */
  readonly make: () => Promise<Ground>
  /** Backs it up while servers work on it; answers how it is restored elsewhere. */
  readonly backUp: (ground: Ground) => Promise<() => Promise<Ground>>
}

const sqliteFile = "tolem.db"

const sqlite: Kind = {
  make: async () => ({ cwd: folder(), database: ["--database", `sqlite:${sqliteFile}`] }),
  backUp: async ({ cwd, database }) => {
    const backups = folder()
    const to = join(backups, "backup.db")
    expect(await result(cwd, "backup", ...database, "--to", to, "--json")).toMatchObject({ ok: true, findings: [] })
    return async () => {
      const elsewhere = folder()
      copyFileSync(to, join(elsewhere, sqliteFile))
      copyFileSync(join(cwd, `${sqliteFile}.key`), join(elsewhere, `${sqliteFile}.key`))
      return { cwd: elsewhere, database }
    }
  }
}

/** The system's own PostgreSQL, as what npm brings has no `pg_dump`. */
const postgres = (programs: string): Kind => {
  const cluster = async () => {
    const { url, dispose } = await startCluster(programs)
    onTestFinished(dispose)
    return url
  }
  return {
    make: async () => {
      const url = await cluster()
      await complete(url)
      const cwd = folder()
      await result(cwd, "migrate", "--database", url)
      return { cwd, database: ["--database", url] }
    },
    backUp: async ({ cwd, database: [, url = ""] }) => {
      const restored = await cluster()
      await dumpAndRestore(programs, url, restored)
      return async () => {
        const elsewhere = folder()
        mkdirSync(join(elsewhere, ".tolem"))
        const keys = (of: string) => `.tolem/${new URL(of).host.replace(":", "_")}_postgres.key`
        copyFileSync(join(cwd, keys(url)), join(elsewhere, keys(restored)))
        return { cwd: elsewhere, database: ["--database", restored] }
      }
    }
  }
}

const provider = async () => {
  const sandbox = begin(folder(), ["provider-sandbox", "serve", "--port", "0", "--json"])
  const { port } = JSON.parse((await sandbox.says(/^\{.*\}\n/))[0])
  return `http://127.0.0.1:${port}`
}

/** A merchant with a cashier and a live key. */
const merchantOf = async ({ cwd, database }: Ground, bank: string) => {
  const made = (...args: ReadonlyArray<string>) => result(cwd, ...args, ...database, "--json")
  const { organization } = await made(
    "org",
    "create",
    "--name",
    "Shop",
    "--owner-phone",
    "77001234567",
    "--tariff",
    "scale"
  )
  const org = ["--org", organization.id]
  const till = await made("connection", "create", ...org, "--name", "Till", "--provider-url", bank)
  await made("org", "mode", ...org, "--mode", "live")
  const key = ["--mode", "live", "--name", "k", "--scopes", "all", "--connection", till.id]
  const { apiKey } = await made("key", "create", ...org, ...key)
  return { org, apiKey }
}

const rates = ["--writes-per-minute", "1000000", "--reads-per-minute", "1000000"]
const flags = ["--webhook-private-networks", "127.0.0.0/8", ...rates]

const drill = async ({ make, backUp }: Kind) => {
  const bank = await provider()
  const ground = await make()
  const { org, apiKey } = await merchantOf(ground, bank)
  const receiver = await receive()
  onTestFinished(() => receiver.close())
  const serve = ({ cwd, database }: Ground) => service(cwd, ["serve", ...database, ...flags, "--provider-url", bank])
  const server = await serve(ground)
  const asked = async (url: string, path: string, body?: object) => (await call(url, apiKey, path, body)).body
  const statusOf = async (url: string, id: string) => (await asked(url, `/invoices/${id}`)).status
  const become = (url: string, id: string, status: string) =>
    eventually(async () => expect(await statusOf(url, id)).toBe(status))
  const create = (url: string, amount: number) => asked(url, "/invoices", { amount })
  const payments = async (): Promise<ReadonlyArray<{ reference: string; ours: string; amount: number }>> =>
    (await (await fetch(`${bank}/control/payments`)).json()).payments
  const pay = async (amount: number) => {
    const found = (await payments()).find((each) => each.amount === amount * 100)
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" }
    expect((await fetch(`${bank}/control/payments/${found?.reference}/pay`, init)).status).toBe(200)
  }

  receiver.secret = (await asked(server.url, "/webhook-endpoints", { url: receiver.url })).secret
  const open = await create(server.url, 5001)
  const settled = await create(server.url, 5002)
  await pay(5002)
  await become(server.url, settled.id, "paid")

  // Others work on meanwhile; what was acknowledged before the backup began is in it.
  const acknowledged: Array<string> = []
  let stopped = false
  const load = (async () => {
    while (!stopped) acknowledged.push((await create(server.url, 7)).id)
  })()
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(20))
  const before = [...acknowledged]
  const restore = await backUp(ground)
  const since = acknowledged.length
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(since + 20))
  stopped = true
  await load

  // After the backup: a payment, money that goes back, an invoice that was not there yet, and a cashier.
  await pay(5001)
  await become(server.url, open.id, "paid")
  expect((await call(server.url, apiKey, `/invoices/${settled.id}/refund`, { amount: 5002 })).status).toBe(201)
  const young = await create(server.url, 5003)
  await pay(5003)
  await become(server.url, young.id, "paid")
  const { cwd, database } = ground
  const late = ["--name", "Late", "--provider-url", bank]
  const lost = await result(cwd, "connection", "create", ...org, ...late, ...database, "--json")
  await server.kill()

  const restored = await restore()
  const verified = () => result(restored.cwd, "verify", ...restored.database, "--json")
  expect((await verified()).ok).toBe(true)
  const seen = receiver.arrivals.length
  const again = await serve(restored)

  // Nothing that was acknowledged before the backup is missing.
  const found = await Promise.all(before.map((id) => call(again.url, apiKey, `/invoices/${id}`)))
  expect(found.filter(({ status }) => status !== 200)).toEqual([])
  // The bank is asked for what was open, and its payment is announced anew.
  await become(again.url, open.id, "paid")
  await eventually(() => expect(receiver.arrivals.slice(seen).some(({ invoice }) => invoice === open.id)).toBe(true))
  // What the backup does not know is not known: the bank's list has it.
  expect((await call(again.url, apiKey, `/invoices/${young.id}`)).status).toBe(404)
  expect((await payments()).some(({ amount }) => amount === 500_300)).toBe(true)
  const connections = await result(restored.cwd, "connection", "list", ...org, ...restored.database, "--json")
  expect(connections.map(({ id }: { id: string }) => id)).not.toContain(lost.id)
  // Money that went back looks as if it had not. A second refund is refused, and it is known from then on.
  expect(await asked(again.url, `/invoices/${settled.id}`)).toMatchObject({ status: "paid", refundedAmount: 0 })
  const second = await call(again.url, apiKey, `/invoices/${settled.id}/refund`, { amount: 5002 })
  expect([second.status, second.body.error]).toEqual([409, "refund_state_conflict"])
  expect(await asked(again.url, `/invoices/${settled.id}`)).toMatchObject({ status: "refunded", refundedAmount: 5002 })
  expect((await verified()).ok).toBe(true)
}

describe("a server whose database is lost goes on with a backup", () => {
  it("on SQLite", async () => {
    await drill(sqlite)
  })

  it.runIf(systemPostgres !== undefined)("on PostgreSQL", async () => {
    await drill(postgres(systemPostgres ?? ""))
  })
})
