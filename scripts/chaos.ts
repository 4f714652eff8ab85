/**
 * Breaks a running service on purpose and checks that it keeps its promises:
 *
 * ```text
 * npm run chaos -- kill9 [--times N]          one server on SQLite, killed N times under load
 * npm run chaos -- shop [--times N] [--only DATABASE]   the example's shop, killed N times on sqlite and postgres
 * npm run chaos -- postgres [--only SCENARIO] three servers on PostgreSQL, eight scenarios
 * npm run chaos -- hostile [--only ATTACK]    strangers against two servers on PostgreSQL, four attacks
 * ```
 */
import { parseArgs } from "node:util"
import { startServer } from "@tolem/testing-postgres/Server"
import * as Hostile from "./chaos/hostile/Hostile.ts"
import { kill9 } from "./chaos/Kill9.ts"
import * as Postgres from "./chaos/postgres/Postgres.ts"
import { shop } from "./chaos/Shop.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: "string", default: "20" }, only: { type: "string" } }
})

const onSqlite = async (times: number): Promise<boolean> => {
  const { kills, creates, payments, deliveries, violations } = await kill9(times, console.log)
  for (const violation of violations) console.error(violation)
  console.log(`${kills} kills, ${creates} creates, ${payments} payments, ${deliveries} announced: `)
  console.log(violations.length === 0 ? "nothing acknowledged was lost" : `${violations.length} violations`)
  return violations.length === 0
}

/** Has programs start from a few files, as in tests: most of the time of a kill is the start after it. */
const makeStartsShort = async (): Promise<void> => {
  const { makePrograms } = await import("@tolem/testing-harness/Programs")
  process.env["TOLEM_TEST_PROGRAMS"] ??= JSON.stringify(await makePrograms())
}

const shopOn = async (database: string, times: number): Promise<boolean> => {
  const server = database === "postgres" ? await startServer() : undefined
  const began = performance.now()
  const { kills, orders, paid, violations } = await shop(times, console.log, server?.url)
  for (const violation of violations) console.error(violation)
  const seconds = Math.round((performance.now() - began) / 1000)
  console.log(
    `${database}: ${kills} kills in ${seconds} s, ${orders} orders, ${paid} paid: ${violations.length} violations`
  )
  if (violations.length === 0) {
    console.log("each order has one invoice, each payment has marked its order once, and the stored data are sound")
  }
  await server?.dispose()
  return violations.length === 0
}

const times = Number(values.times)
if (positionals[0] === "kill9" && Number.isInteger(times) && times >= 1) {
  process.exitCode = (await onSqlite(times)) ? 0 : 1
} else if (positionals[0] === "shop" && Number.isInteger(times) && times >= 1) {
  const databases = values.only === undefined ? ["sqlite", "postgres"] : [values.only]
  await makeStartsShort()
  for (const database of databases) if (!(await shopOn(database, times))) process.exitCode = 1
} else if (positionals[0] === "postgres") {
  process.exitCode = (await Postgres.playAll(values.only, console.log)) ? 0 : 1
} else if (positionals[0] === "hostile") {
  process.exitCode = (await Hostile.playAll(values.only, console.log)) ? 0 : 1
} else {
  console.error(
    "usage: npm run chaos -- kill9 [--times N] | shop [--times N] | postgres [--only NAME] | hostile [--only NAME]"
  )
  process.exitCode = 2
}
