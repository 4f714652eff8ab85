/** Databases of the run's PostgreSQL, each for one test or one file of tests. */
import { randomBytes } from "node:crypto"
import { inject } from "vitest"
import { connect } from "./Client.ts"
import "./globalSetup.ts"

/** A database of its own. */
export interface TestDatabase {
  readonly url: string
  /** Runs a statement in it, as the server's superuser. */
  readonly query: (sql: string, params?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** Removes it, ending what is still connected to it. */
  readonly drop: () => Promise<void>
}

/** Makes an empty database. The caller drops it. */
export const createDatabase = async (): Promise<TestDatabase> => {
  const server = inject("postgresUrl")
  const name = `tolem_${randomBytes(8).toString("hex")}`
  await on(server, `create database ${name}`)
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href
  return {
    url,
    query: (sql, params) => on(url, sql, params),
    drop: async () => {
      await on(server, `drop database if exists ${name} with (force)`)
    }
  }
}

const on = async (url: string, sql: string, params: ReadonlyArray<unknown> = []) => {
  const client = await connect(url)
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, [...params])
    return rows
  } finally {
    await client.end()
  }
}
