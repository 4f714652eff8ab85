/** Server processes of the benchmarks, on databases in a temporary folder. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"

const main = join(import.meta.dirname, "../../packages/http-server/src/main.ts")

/** A running server. */
export interface Child {
  readonly port: number
  readonly pid: number
  readonly readyMs: number
  readonly stop: () => Promise<void>
}

const running = new Set<ChildProcess>()

/** Ends what runs without asking. */
export const killAll = (): void => {
  for (const child of running) child.kill("SIGKILL")
}

/** What everybody on a database of the benchmark seals secrets with. */
export const secretKey = "a-key-for-benchmarks-only-of-no-other-use"

const env = { ...process.env, TOLEM_SECRET_KEY: secretKey }

/** Starts a script that prints a line of JSON with its `port` once it is ready. */
export const start = async (script: string, args: ReadonlyArray<string>): Promise<Child> => {
  const startedAt = performance.now()
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "inherit"], env })
  running.add(child)
  child.once("exit", () => running.delete(child))
  const port = await firstPort(child)
  const readyMs = performance.now() - startedAt
  const stop = async () => {
    if (!running.has(child)) return
    const exited = once(child, "exit")
    child.kill("SIGTERM")
    await exited
  }
  return { port, pid: child.pid ?? 0, readyMs, stop }
}

const firstPort = async (child: ChildProcess): Promise<number> => {
  if (child.stdout === null) throw new Error("no standard output")
  for await (const line of createInterface(child.stdout)) {
    const ready: unknown = JSON.parse(line)
    if (typeof ready === "object" && ready !== null && "port" in ready && typeof ready.port === "number") {
      return ready.port
    }
  }
  throw new Error("the server ended before it was ready")
}

/** Starts the reference server without limits on the rate of requests. */
export const serve = (database: string, more: ReadonlyArray<string> = []): Promise<Child> =>
  start(main, [
    "serve",
    "--port",
    "0",
    "--host",
    "127.0.0.1",
    "--database",
    database,
    "--writes-per-minute",
    "1000000000",
    "--reads-per-minute",
    "1000000000",
    "--sandbox-invoices-per-day",
    "0",
    "--log-level",
    "error",
    ...more
  ])

/** What a command of `tolem` answers. */
export const tolem = (database: string, ...args: ReadonlyArray<string>): unknown =>
  JSON.parse(
    execFileSync(process.execPath, [main, ...args, "--database", database, "--json"], { encoding: "utf8", env })
  )

/** Makes a database with an organization and a key; answers the key. */
export const prepare = (database: string): { readonly apiKey: string; readonly organizationId: string } => {
  const org = tolem(database, "org", "create", "--name", "Bench", "--owner-phone", "77001234567")
  const organizationId = textOf(memberOf(org, "organization"), "id")
  const key = tolem(
    database,
    "key",
    "create",
    "--org",
    organizationId,
    "--mode",
    "sandbox",
    "--name",
    "b",
    "--scopes",
    "all"
  )
  return { organizationId, apiKey: textOf(key, "apiKey") }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const textOf = (value: unknown, name: string): string => {
  const member = memberOf(value, name)
  if (typeof member !== "string") throw new Error(`no ${name} in ${JSON.stringify(value)}`)
  return member
}
