/** A reader of the feed, with its cursor, after `pg_dump` and `pg_restore` into a new cluster. */
import { nodePlatform } from "@tolem/adapter-node"
import { migrate, postgres } from "@tolem/adapter-postgres"
import { createEngine } from "@tolem/core"
import { connect } from "@tolem/testing-postgres/Client"
import { complete, dumpAndRestore, startCluster, systemPostgres } from "@tolem/testing-postgres/Dumps"
import { expect, inject, it, onTestFinished } from "vitest"

const started = async (url: string) => {
  const secretKeys = ["a key for tests only, of no use anywhere else"] as const
  const engine = await createEngine({
    database: postgres({ url }),
    platform: nodePlatform(),
    secretKeys,
    agents: false
  })
  const shop = await engine.merchant({ key: "shop", name: "Shop", mode: "sandbox" })
  const pay = async (amount: number) => {
    const { id } = await shop.invoices.create({ amount })
    await shop.invoices.simulate(id, "paid")
  }
  /** All behind the cursor, in order, and the cursor behind them. */
  const read = async (after?: string) => {
    const found: Array<string> = []
    let cursor = after
    for await (const event of shop.events({ after, follow: false, limit: 7 })) {
      found.push(event.id)
      cursor = event.cursor
    }
    return { found, cursor }
  }
  return { engine, pay, read }
}

/** Transactions that change nothing: the old cluster has counted much further than the new one will have. */
const age = async (url: string) => {
  const client = await connect(url)
  for (let count = 0; count < 3000; count++) await client.query("select pg_current_xact_id()")
  await client.end()
}

/** Attempts of long ago, of a month that is there and of one that is not, by the part that they are in. */
const parted = async (url: string, isWritten: boolean) => {
  const client = await connect(url)
  if (isWritten) {
    const later = Date.now() + 31 * 86_400_000
    await client.query(`select tolem_attempts_room(${later})`)
    await client.query(
      `insert into tolem_attempts (delivery_id, number, started_at, duration_ms, url, request_headers, request_body,
         status)
       select 'dlv_' || n, 1, ${later} + n * 40 * 86400000::bigint, 1, 'http://x', '{}', '{}', 200
       from generate_series(0, 3) n`
    )
  }
  const { rows } = await client.query<{ id: string; part: string }>(
    "select delivery_id as id, tableoid::regclass::text as part from tolem_attempts order by 1"
  )
  await client.query(`delete from tolem_attempts where ${isWritten ? "false" : "true"}`)
  await client.end()
  return rows
}

const test = systemPostgres !== undefined && inject("isWhole") ? it : it.skip

test("no event is skipped or told twice by a cursor of the old cluster, and the order stays", async () => {
  const programs = systemPostgres ?? ""
  const [old, fresh] = [await startCluster(programs), await startCluster(programs)]
  onTestFinished(async () => {
    await Promise.all([old.dispose(), fresh.dispose()])
  })
  await complete(old.url)
  await age(old.url)
  await migrate({ url: old.url })
  const before = await started(old.url)
  for (let amount = 1; amount <= 10; amount++) await before.pay(amount)
  const heard = await before.read()
  // Not read by any request before the dump, so that their places are given behind it.
  await before.pay(11)
  await before.engine.close()
  const parts = await parted(old.url, true)
  await dumpAndRestore(programs, old.url, fresh.url)

  expect(await parted(fresh.url, false)).toEqual(parts)
  expect(new Set(parts.map(({ part }) => part)).size).toBeGreaterThanOrEqual(3)
  const after = await started(fresh.url)
  await after.pay(12)
  const rest = await after.read(heard.cursor)
  await after.pay(13)
  const last = await after.read(rest.cursor)
  const whole = await after.read()
  const findings = await after.engine.verify()
  await after.engine.close()
  expect([heard.found.length, rest.found.length, last.found.length]).toEqual([20, 4, 2])
  expect(whole.found).toEqual([...heard.found, ...rest.found, ...last.found])
  expect(new Set(whole.found).size).toBe(26)
  expect(findings).toEqual([])
})
