/** `npm run chaos`: breaks a running service on purpose and checks that it keeps its promises. */
import { during } from "@tolem/testing-harness/ProgressLine"
import { exitCodeOf, onlyFlag, tool, wholeFlag } from "@tolem/testing-harness/Tools"
import { startServer } from "@tolem/testing-postgres/Server"
import { Command } from "effect/cli"
import * as Failover from "./chaos/Failover.ts"
import * as Freeze from "./chaos/Freeze.ts"
import * as Attacks from "./chaos/hostile/Attacks.ts"
import * as Hostile from "./chaos/hostile/Hostile.ts"
import { kill9 } from "./chaos/Kill9.ts"
import * as Pooler from "./chaos/Pooler.ts"
import * as Postgres from "./chaos/postgres/Postgres.ts"
import * as Scenarios from "./chaos/postgres/Scenarios.ts"
import { shop } from "./chaos/Shop.ts"

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

/** Plays one after the other, whatever comes of each. */
const inTurn = async <Name>(names: ReadonlyArray<Name>, play: (name: Name) => Promise<boolean>): Promise<boolean> => {
  let well = true
  for (const name of names) well = (await play(name)) && well
  return well
}

const times = wholeFlag("times", 20, "How often")
const seconds = wholeFlag("seconds", 60, "How long")
const onlyDatabase = onlyFlag(Freeze.databases, "Only on this database")
const these = <Name>(all: ReadonlyArray<Name>, only?: Name) => (only === undefined ? all : [only])

const onShops = async (times: number, only?: Freeze.Database): Promise<boolean> => {
  await makeStartsShort()
  return await inTurn(these(Freeze.databases, only), (database) => shopOn(database, times))
}
const onFrozen = (seconds: number, only?: Freeze.Database) =>
  inTurn(these(Freeze.databases, only), (database) => freezeOn(database, seconds))
const onCluster = (only?: Scenarios.Name) => Postgres.playAll(only, console.log)
const amongStrangers = (only?: Attacks.Name) => Hostile.playAll(only, console.log)

/** Longer shows nothing more of these, so that `all` plays them no longer, whatever it is told. */
const usually = { pooler: 20, failover: 10 }

/** Plays each, and says of one that could not be played why. */
const playEach = async ({ times, seconds }: { readonly times: number; readonly seconds: number }) => {
  const drills = {
    kill9: () => onSqlite(times),
    shop: () => onShops(times),
    postgres: () => onCluster(),
    hostile: () => amongStrangers(),
    freeze: () => onFrozen(seconds),
    failover: () => onFollower(Math.min(usually.failover, seconds)),
    pooler: () => behindPooler(Math.min(usually.pooler, seconds))
  }
  const well = await inTurn(Object.entries(drills), async ([each, play]) => {
    console.log(`\n${each}`)
    return await play().catch((error: unknown) => {
      console.error(`FAILED  ${each}: ${error instanceof Error ? error.message : error}`)
      return false
    })
  })
  const left = skips.length === 0 ? "" : `, skipped: ${skips.join(", ")}`
  console.log(`\n${well ? "all went well" : "not all went well"}${left}`)
  return well
}

const chaos = Command.make("npm run chaos --").pipe(
  Command.withDescription("Breaks a running service on purpose and checks that it keeps its promises."),
  Command.withSubcommands([
    tool("kill9", "One server on SQLite, killed again and again under load", { times }, ({ times }) => onSqlite(times)),
    tool("shop", "The example's shop, killed again and again", { times, only: onlyDatabase }, ({ times, only }) =>
      onShops(times, only)
    ),
    tool(
      "postgres",
      "Three servers on PostgreSQL, in eight scenarios",
      { only: onlyFlag(Scenarios.names, "Only this scenario") },
      ({ only }) => onCluster(only)
    ),
    tool(
      "hostile",
      "Strangers against two servers on PostgreSQL, in four attacks",
      { only: onlyFlag(Attacks.names, "Only this attack") },
      ({ only }) => amongStrangers(only)
    ),
    tool("freeze", "A server stands still and comes back", { seconds, only: onlyDatabase }, ({ seconds, only }) =>
      onFrozen(seconds, only)
    ),
    tool(
      "pooler",
      "Two servers behind a PgBouncer in transaction mode",
      { seconds: wholeFlag("seconds", usually.pooler, "How long") },
      ({ seconds }) => behindPooler(seconds)
    ),
    tool(
      "failover",
      "A primary is killed under load, and its follower takes its place",
      { seconds: wholeFlag("seconds", usually.failover, "How long on each side") },
      ({ seconds }) => onFollower(seconds)
    ),
    tool("all", "All of these, one after the other", { times, seconds }, playEach)
  ])
)

process.exitCode = await exitCodeOf(chaos)
