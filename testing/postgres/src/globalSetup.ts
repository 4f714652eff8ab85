/** One PostgreSQL for a whole test run. TOLEM_TEST_POSTGRES_URL names another one, whose user may create databases. */
import { randomBytes } from "node:crypto"
import type { TestProject } from "vitest/node"
import { connect } from "./Client.ts"
import { startServer } from "./Server.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of a database of the server, with the rights to create others. */
    readonly postgresUrl: string
    /** Whether what everyday runs leave out is run. */
    readonly isWhole: boolean
    /** Name of the database of this run that those with all migrations are copied from. */
    readonly postgresTemplate: string
  }
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const template = `tolem_template_${randomBytes(8).toString("hex")}`
  project.provide("postgresTemplate", template)
  const given = process.env["TOLEM_TEST_POSTGRES_URL"]
  if (given !== undefined && given !== "") {
    project.provide("postgresUrl", given)
    return async () => {
      const client = await connect(given)
      await client.query(`drop database if exists ${template}`)
      await client.end()
    }
  }
  // Tests are short, and each has a database of its own: what looks after them all the time costs more than it saves.
  const server = await startServer({ settings: { autovacuum: "off" } })
  project.provide("postgresUrl", server.url)
  return server.dispose
}
