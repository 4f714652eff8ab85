/**
 * Breaks a running service on purpose and checks that it keeps its promises:
 *
 * ```text
 * npm run chaos -- kill9 [--times N]          one server on SQLite, killed N times under load
 * npm run chaos -- shop [--times N] [--only DATABASE]   the example's shop, killed N times on sqlite and postgres
 * npm run chaos -- postgres [--only SCENARIO] three servers on PostgreSQL, eight scenarios
 * npm run chaos -- hostile [--only ATTACK]    strangers against two servers on PostgreSQL, four attacks
 * npm run chaos -- freeze [--seconds N] [--only DATABASE]   a server stands still and comes back, on both databases
 * npm run chaos -- pooler [--seconds N]       two servers behind a PgBouncer in transaction mode
 * npm run chaos -- failover [--seconds N]     a primary is killed under load, and its follower takes its place
 * npm run chaos -- all                        all of these, one after the other
 * ```
 */
import { parseArgs } from "node:util"
import { during } from "@tolem/testing-harness/ProgressLine"
import { startServer } from "@tolem/testing-postgres/Server"
import * as Failover from "./chaos/Failover.ts"
import * as Freeze from "./chaos/Freeze.ts"
import * as Hostile from "./chaos/hostile/Hostile.ts"
import { kill9 } from "./chaos/Kill9.ts"
import * as Pooler from "./chaos/Pooler.ts"
import * as Postgres from "./chaos/postgres/Postgres.ts"
import { shop } from "./chaos/Shop.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    times: { type: "string", default: "20" },
    seconds: { type: "string", default: "60" },
    only: { type: "string" }
  }
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

const freezeOn = async (database: Freeze.Database, seconds: number): Promise<boolean> => {
  const outcome = await during(`${database}: a server stands still`, () => Freeze.freeze(database, seconds))
  const { created, paid, refunded, meanwhile, arrivals, repeated, backMs, violations } = outcome
  for (const violation of violations.slice(0, 10)) console.error(violation)
  console.log(
    `${database}: a server stood still for ${seconds} s and answered ${Math.round(backMs)} ms after; ` +
      `${created} creates, ${paid} payments and ${refunded} refunds acknowledged, ${meanwhile} of them meanwhile; ` +
      `${arrivals} webhooks, ${repeated} of them again: ${violations.length} violations`
  )
  return violations.length === 0
}

/** Says why it is not played, which is no failure. */
const skipped = (name: string, why: string): true => {
  skips.push(name)
  console.log(`skipped: ${why}`)
  return true
}

const skips: Array<string> = []

const behindPooler = async (seconds: number): Promise<boolean> => {
  if (Pooler.lacking !== undefined) return skipped("pooler", Pooler.lacking)
  const outcome = await during("two servers behind a pooler", () => Pooler.pooler(seconds))
  const { created, paid, refunded, unavailable, connections, violations } = outcome
  for (const violation of violations.slice(0, 10)) console.error(violation)
  console.log(
    `two servers on ${connections} connections: ${created} creates, ${paid} payments and ` +
      `${refunded} refunds acknowledged, ${unavailable} answers 503: ${violations.length} violations`
  )
  return violations.length === 0
}

const onFollower = async (seconds: number): Promise<boolean> => {
  const outcome = await during("a follower takes the primary's place", () => Failover.failover(seconds))
  const { before, after, unavailable, gapMs, arrivals, repeated, violations } = outcome
  for (const violation of violations.slice(0, 10)) console.error(violation)
  console.log(
    `${before} steps acknowledged before and ${after} after, ${unavailable} answers 503, longest gap ` +
      `${(gapMs / 1000).toFixed(1)} s, ${arrivals} webhooks, ${repeated} of them again: ${violations.length} violations`
  )
  return violations.length === 0
}

const whole = (name: "times" | "seconds"): number => {
  const value = Number(values[name])
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} wants a whole number from 1`)
  return value
}

/** The given one of these, or all. */
const chosen = <Name extends string>(among: ReadonlyArray<Name>): ReadonlyArray<Name> => {
  const found = among.filter((name) => values.only === undefined || name === values.only)
  if (found.length === 0) throw new Error(`--only must be one of: ${among.join(", ")}`)
  return found
}

/** Plays one after the other, whatever comes of each. */
const inTurn = async <Name>(names: ReadonlyArray<Name>, play: (name: Name) => Promise<boolean>): Promise<boolean> => {
  let well = true
  for (const name of names) well = (await play(name)) && well
  return well
}

/** Each by its name; answers whether all went well. */
const drills: Readonly<Record<string, () => Promise<boolean>>> = {
  kill9: () => onSqlite(whole("times")),
  shop: async () => {
    await makeStartsShort()
    return await inTurn(chosen(["sqlite", "postgres"]), (database) => shopOn(database, whole("times")))
  },
  postgres: () => Postgres.playAll(values.only, console.log),
  hostile: () => Hostile.playAll(values.only, console.log),
  freeze: () => inTurn(chosen(Freeze.databases), (database) => freezeOn(database, whole("seconds"))),
  failover: () => onFollower(Math.min(10, whole("seconds"))),
  pooler: () => behindPooler(Math.min(20, whole("seconds")))
}

const [name = ""] = positionals
if (name === "all") {
  const well = await inTurn(Object.entries(drills), async ([each, play]) => {
    console.log(`\n${each}`)
    return await play().catch((error: unknown) => {
      console.error(`FAILED  ${each}: ${error instanceof Error ? error.message : error}`)
      return false
    })
  })
  const left = skips.length === 0 ? "" : `, skipped: ${skips.join(", ")}`
  console.log(`\n${well ? "all went well" : "not all went well"}${left}`)
  process.exitCode = well ? 0 : 1
} else if (Object.hasOwn(drills, name)) {
  process.exitCode = (await drills[name]!()) ? 0 : 1
} else {
  console.error(
    `usage: npm run chaos -- ${Object.keys(drills).join(" | ")} | all  [--times N] [--seconds N] [--only NAME]`
  )
  process.exitCode = 2
}
