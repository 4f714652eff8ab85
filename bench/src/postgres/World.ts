/** One embedded server for a run: databases on it, with the schema that `tolem migrate` makes. */

import { migrate } from "@tolem/testing-harness/Desk"
import type { Service } from "@tolem/testing-harness/Program"
import { startServer } from "@tolem/testing-postgres/Server"
import pg from "pg"

// Amounts, instants and counts are whole numbers that JavaScript can hold.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

/** What the parts of the benchmark work with. */
export interface World {
  /** Runs `use` on a fresh migrated database, which is gone afterwards. */
  readonly withDatabase: <A>(name: string, use: (url: string) => Promise<A>) => Promise<A>
  readonly dispose: () => Promise<void>
}

/** As many as servers, peers and the benchmark itself may open, with some to spare. */
const maxConnections = 200

/** Starts the server. A commit waits for the disk, as in earnest. */
export const openWorld = async (): Promise<World> => {
  const server = await startServer({
    durable: true,
    settings: {
      max_connections: maxConnections,
      shared_buffers: "512MB",
      // The default of 1 GB would have the server write everything out again and again while a round is measured.
      max_wal_size: "4GB"
    }
  })
  const withDatabase: World["withDatabase"] = async (name, use) => {
    const url = await server.createDatabase(name)
    try {
      await migrate(url)
      return await use(url)
    } finally {
      await onConnection(server.url, (client) => client.query(`drop database if exists ${name} with (force)`))
    }
  }
  return { withDatabase, dispose: server.dispose }
}

/** Runs `use` on a connection of its own. */
export const onConnection = async <A>(url: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {}) // the caller of a statement learns of it, too
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Runs `use` while the processes run. */
export const whileRunning = async <A>(
  starting: ReadonlyArray<Promise<Service>>,
  use: (children: ReadonlyArray<Service>) => Promise<A>
): Promise<A> => {
  const started = await Promise.allSettled(starting)
  try {
    return await use(await Promise.all(starting))
  } finally {
    for (const one of started) if (one.status === "fulfilled") await one.value.stop()
  }
}
