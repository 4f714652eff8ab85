/** A plain connection to a database, for tests that look or reach behind the service. */
import pg from "pg"

/** A connection. End it with `end`. */
export type Client = pg.Client

/** Connects. Faults of an idle connection are ignored. */
export const connect = async (url: string): Promise<Client> => {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {})
  await client.connect()
  return client
}
