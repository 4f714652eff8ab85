/** Databases of the run's PostgreSQL, each for one test or one file of tests. */
import { randomBytes } from "node:crypto"
import * as Postgres from "@tolem/adapter-postgres/Postgres"
import { Effect, Redacted } from "effect"
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
export const createDatabase = (): Promise<TestDatabase> => create("")

/** Makes a database that all migrations have run in, which is copied in a tenth of their time. The caller drops it. */
export const createMigrated = async (): Promise<TestDatabase> => {
  template ??= makeTemplate()
  return create(`template ${await template}`)
}

let template: Promise<string> | undefined

/** The database that is copied. The first process of the run that asks for it makes it, the others wait. */
const makeTemplate = async (): Promise<string> => {
  const server = inject("postgresUrl")
  const name = inject("postgresTemplate")
  const client = await connect(server)
  try {
    await client.query("select pg_advisory_lock(hashtext($1))", [name])
    const { rows } = await client.query("select 1 from pg_database where datname = $1", [name])
    if (rows.length > 0) return name
    // Under its own name only when it is whole.
    const making = `${name}_making`
    await client.query(`create database ${making}`)
    await Effect.runPromise(Postgres.migrate({ url: Redacted.make(addressOf(server, making)) }))
    await client.query(`alter database ${making} rename to ${name}`)
    return name
  } finally {
    await client.end()
  }
}

const addressOf = (server: string, name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href

const create = async (how: string): Promise<TestDatabase> => {
  const server = inject("postgresUrl")
  const name = `tolem_${randomBytes(8).toString("hex")}`
  // Files are copied in a third of the time that the other strategy takes to log each page.
  await on(server, `create database ${name} ${how} strategy file_copy`)
  const url = addressOf(server, name)
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
