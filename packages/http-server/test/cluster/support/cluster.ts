/** Servers as processes on one PostgreSQL, with a merchant and a receiver of webhooks. */
import { call } from "@tolem/testing-harness/Client"
import { type Merchant, openDesk } from "@tolem/testing-harness/Desk"
import { type Arrival, receive } from "@tolem/testing-harness/Receiver"
import { createMigrated } from "@tolem/testing-postgres/Databases"
import { expect, onTestFinished, vi } from "vitest"
import { folder, run, service } from "../../cli/support.ts"

// Commands and servers of one test share the key, as they must on several machines.
const secretKey = "a-key-for-tests-only-of-no-use-anywhere-else"
const variables = { TOLEM_SECRET_KEY: secretKey }

/** Does it when the test has ended, last things first. */
export const afterwards = (cleanup: () => Promise<unknown> | unknown): void =>
  onTestFinished(async () => {
    await cleanup()
  })

/** Commands and servers on the database at `url`, which is migrated first. */
export const clusterOn = async (url: string) => {
  const cwd = folder()
  const desk = await openDesk(url, secretKey)
  const command = async (...args: ReadonlyArray<string>) => {
    const { code, stdout, stderr } = await run(cwd, [...args, "--json", "--database", url], variables)
    if (code !== 0) throw new Error(`${args.join(" ")} ended with ${code}: ${stderr}`)
    return JSON.parse(stdout)
  }
  /** The rules that the stored data breaks, each once. */
  const broken = async (): Promise<ReadonlyArray<string>> => {
    const { stdout } = await run(cwd, ["verify", "--json", "--database", url], variables)
    const { findings }: { readonly findings: ReadonlyArray<{ readonly rule: string }> } = JSON.parse(stdout)
    return [...new Set(findings.map(({ rule }) => rule))].toSorted()
  }
  const server = (parameters = "", ...flags: ReadonlyArray<string>) =>
    service(cwd, ["serve", "--host", "127.0.0.1", "--database", `${url}${parameters}`, ...flags], variables)
  const servers = (count: number, parameters = "", ...flags: ReadonlyArray<string>) =>
    Promise.all(Array.from({ length: count }, () => server(parameters, ...flags)))
  return { ...desk, url, command, broken, server, servers }
}

/** The same on a database of the test run's server. */
export const cluster = async () => {
  const database = await createMigrated()
  afterwards(database.drop)
  return { ...(await clusterOn(database.url)), query: database.query }
}

/** Sends a merchant's request to a server. */
export const send = (
  { url }: { readonly url: string },
  { apiKey }: Merchant,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {}
) => call(url, apiKey, path, body, { headers })

/** A receiver that is closed after the test. `answer` is what it answers; null: never. */
export const receiver = async (answer: (arrival: Arrival) => number | null = () => 200) => {
  const opened = await receive((response, arrival) => {
    const status = answer(arrival)
    if (status !== null) response.writeHead(status).end()
  })
  afterwards(opened.close)
  return opened
}

/** Asks again and again until `condition` holds; fails after `ms`. */
export const until = (what: string, ms: number, condition: () => boolean | Promise<boolean>): Promise<void> =>
  vi.waitFor(async () => expect(await condition(), what).toBe(true), { timeout: ms, interval: 20 })

/** Numbers from 0 on. */
export const times = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

const lines = 10

/** Does something as often, ten at a time: of more at once a server on a busy machine refuses what waits too long. */
export const inLines = async <A>(count: number, act: (index: number) => Promise<A>): Promise<ReadonlyArray<A>> => {
  const all = times(count)
  const line = async (first: number) => {
    const done: Array<A> = []
    for (const index of all.filter((each) => each % lines === first)) done.push(await act(index))
    return done
  }
  return (await Promise.all(times(lines).map(line))).flat()
}
