/** A real PgBouncer in transaction mode before a PostgreSQL, where the system has one (`apt-get install pgbouncer`). */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { freePort, type Server } from "./Server.ts"

const program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer"].find((path) =>
  existsSync(path)
)

/** Whether there is one. */
export const hasBouncer = program !== undefined

/** A running pooler. */
export interface Bouncer {
  readonly port: number
  /** The address of a database of the server by way of the pooler. */
  readonly through: (url: string) => string
  readonly dispose: () => Promise<void>
}

/** Starts one that has so many connections to each database of the server. */
export const startBouncer = async (server: Server, connections: number): Promise<Bouncer> => {
  if (program === undefined) throw new Error("there is no pgbouncer")
  const folder = mkdtempSync(join(tmpdir(), "tolem-pgbouncer-"))
  chmodSync(folder, 0o755)
  const port = await freePort()
  const { username, password } = new URL(server.url)
  const settings = [
    "[databases]",
    `* = host=127.0.0.1 port=${server.port} user=${username} password=${password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${connections}`,
    "max_client_conn = 500"
  ]
  writeFileSync(join(folder, "pgbouncer.ini"), `${settings.join("\n")}\n`)
  // It does not run as root.
  const as = process.getuid?.() === 0 ? ["-u", "postgres"] : []
  const child = spawn(program, [...as, join(folder, "pgbouncer.ini")], { stdio: ["ignore", "ignore", "pipe"] })
  const ended = once(child, "exit")
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-4_000)
  })
  const dispose = async () => {
    child.kill("SIGKILL")
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; !(await isOpen(port)); tries++) {
    if (tries < 100 && child.exitCode === null) {
      await setTimeout(50)
      continue
    }
    await dispose()
    throw new Error(`pgbouncer did not start: ${said}`)
  }
  return { port, through: (url) => Object.assign(new URL(url), { port: String(port) }).href, dispose }
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false))
    socket.on("connect", () => socket.destroy())
  })
