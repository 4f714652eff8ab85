/**
 * The system's own PostgreSQL, whose server and `pg_dump` fit each other. What npm brings has no `pg_dump`, and an
 * older one refuses the server. On Debian: `apt-get install postgresql`.
 */
import { execFile, spawn } from "node:child_process"
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { connect } from "./Client.ts"
import { freePort } from "./Server.ts"

const run = promisify(execFile)

/** The newest programs of the system that are complete; undefined: there are none. */
export const systemPostgres: string | undefined = globSync("/usr/lib/postgresql/*/bin/pg_dump")
  .map((path) => dirname(path))
  .filter((folder) => globSync(join(folder, "{initdb,postgres,pg_restore}")).length === 3)
  .sort((a, b) => a.localeCompare(b, "en", { numeric: true }))
  .at(-1)

/** A running cluster. */
export interface Cluster {
  /** Address of its one database. */
  readonly url: string
  /** Stops it and removes its files. */
  readonly dispose: () => Promise<void>
}

/** Whom the server runs as: it refuses root. */
const account = async (): Promise<{ readonly uid?: number; readonly gid?: number }> => {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all(
    ["-u", "-g"].map(async (flag) => Number((await run("id", [flag, "postgres"])).stdout))
  )
  return uid === undefined || gid === undefined ? {} : { uid, gid }
}

/** Starts a fresh cluster of the system's PostgreSQL, whose transactions are counted from the beginning. */
export const startCluster = async (programs: string): Promise<Cluster> => {
  const as = await account()
  const folder = mkdtempSync(join(tmpdir(), "tolem-cluster-"))
  chmodSync(folder, 0o700)
  if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid)
  const data = join(folder, "data")
  const options = { cwd: folder, ...as }
  const flags = ["-U", "postgres", "-A", "trust", "--no-sync", "--encoding=UTF8", "--locale=C.UTF-8"]
  await run(join(programs, "initdb"), ["-D", data, ...flags], options)
  const port = await freePort()
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=50"]
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]
  const server = spawn(join(programs, "postgres"), args, { ...options, stdio: "ignore" })
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const dispose = async () => {
    server.kill("SIGINT")
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (let triesLeft = 200; ; triesLeft--) {
    try {
      const client = await connect(url)
      await client.end()
      return { url, dispose }
    } catch (error) {
      if (triesLeft > 0 && server.exitCode === null) await setTimeout(50)
      else {
        await dispose()
        throw error
      }
    }
  }
}

/**
 * Debian 12 has version 15, which lacks one function that the schema uses: a database that is to have the schema gets
 * it. A dump carries it along.
 */
export const complete = async (url: string): Promise<void> => {
  const client = await connect(url)
  try {
    const { rows } = await client.query<{ version: number }>(
      "select current_setting('server_version_num')::int as version"
    )
    if ((rows[0]?.version ?? 0) >= 160000) return
    await client.query(
      `create function public.pg_input_is_valid(given text, type text) returns boolean language plpgsql immutable as
       $$ begin perform given::jsonb; return true; exception when others then return false; end $$`
    )
  } finally {
    await client.end()
  }
}

/** Carries a database over to another cluster as operators do: `pg_dump`, then `pg_restore` of the file. */
export const dumpAndRestore = async (programs: string, from: string, to: string): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-dump-"))
  const file = join(folder, "backup.dump")
  try {
    await run(join(programs, "pg_dump"), ["--format=custom", `--file=${file}`, from])
    await run(join(programs, "pg_restore"), ["--exit-on-error", `--dbname=${to}`, file])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
