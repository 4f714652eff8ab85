/** One PostgreSQL for a whole test run. TOLEM_TEST_POSTGRES_URL names another one, whose user may create databases. */
import type { TestProject } from "vitest/node"
import { startServer } from "./Server.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** Address of a database of the server, with the rights to create others. */
    readonly postgresUrl: string
  }
}

export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const given = process.env["TOLEM_TEST_POSTGRES_URL"]
  if (given !== undefined && given !== "") {
    project.provide("postgresUrl", given)
    return undefined
  }
  const server = await startServer()
  project.provide("postgresUrl", server.url)
  return server.dispose
}
