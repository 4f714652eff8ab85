/** Stores on databases and schemas of their own. */
import { readFileSync } from "node:fs"
import { NodeCrypto } from "@effect/platform-node"
import type { Stores } from "@tolem/core/engine/Engine"
import * as SecretBox from "@tolem/core/secret/SecretBox"
import { type Client, connect } from "@tolem/testing-postgres/Client"
import { createDatabase, type TestDatabase } from "@tolem/testing-postgres/Databases"
import { type Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { afterAll, beforeAll } from "vitest"
import * as Connection from "../../src/Connection.ts"
import type * as OwnPool from "../../src/OwnPool.ts"
import * as Postgres from "../../src/Postgres.ts"

/** A box with a key of no use anywhere else. */
export const box = SecretBox.layer([Redacted.make("a key for tests only, of no use anywhere else")]).pipe(
  Layer.provide(NodeCrypto.layer)
)

let database: TestDatabase | undefined
let schemas = 0
/** What empties. */
let cleaner: Client | undefined
/** What `withFreshStores` empties again and again. */
let shared: Roles | undefined
/** Connections of `withFreshStores`, kept: one that has looked at no table yet takes longer than the rest of a case. */
let connections: Context.Context<OwnPool.Services> | undefined
let connected = Scope.makeUnsafe()
/** Users of the server, which outlive the database. */
const users: Array<string> = []

/** Settings whose address is a secret. */
export type OwnOptions = Postgres.PostgresOptions & { readonly url: Redacted.Redacted }

/** A schema as the two users of deploy/roles.sql open it. */
export interface Roles {
  /** For `migrate`. */
  readonly owner: OwnOptions
  /** For servers. */
  readonly server: OwnOptions
}

/** Gives the tests of the calling file a database. */
export const ownDatabase = (): void => {
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(async () => {
    await Effect.runPromise(Scope.close(connected, Exit.void))
    connected = Scope.makeUnsafe()
    connections = undefined
    for (const user of users) await database?.query(`drop owned by ${user} cascade`)
    for (const user of users.splice(0)) await database?.query(`drop role ${user}`)
    await cleaner?.end()
    cleaner = undefined
    await database?.drop()
    database = undefined
    shared = undefined
  })
}

/** Runs deploy/roles.sql as it stands, but for the names, which other tests on the same server must not meet. */
export const freshRoles = async (): Promise<Roles> => {
  if (database === undefined) throw new Error("outside of a test")
  const name = new URL(database.url).pathname.slice(1)
  const schema = `fresh_${++schemas}`
  const own = (user: string) => `${user}_${name}_${schemas}`
  const script = readFileSync(new URL("../../../../deploy/roles.sql", import.meta.url), "utf8")
  await database.query(
    script
      .replaceAll(/\bschema tolem\b/g, `schema ${schema}`)
      .replaceAll(/\btolem_(owner|server)\b/g, own)
      .replaceAll(':"DBNAME"', name)
      .replaceAll(/:'(?:owner|server)_password'/g, "'a password'")
  )
  const as = (user: string): OwnOptions => {
    const url = Object.assign(new URL(database?.url ?? ""), { username: own(user), password: "a password" })
    return { url: Redacted.make(url.href), schema }
  }
  users.push(own("tolem_owner"), own("tolem_server"))
  return { owner: as("tolem_owner"), server: as("tolem_server") }
}

/** Settings of a schema that nothing has used yet. */
export const freshOptions = (): OwnOptions => {
  if (database === undefined) throw new Error("outside of a test")
  return { url: Redacted.make(database.url), schema: `fresh_${++schemas}` }
}

/**
 * Runs a program on stores that hold nothing, one at a time: a schema takes long to make, so they all use the same. The
 * stores have the rights of a server and no others.
 */
export const withFreshStores = <A, E>(
  program: Effect.Effect<A, E, Stores>,
  layerOf: (server: OwnOptions) => Layer.Layer<Stores, unknown, SecretBox.SecretBox> = onKeptConnections
) =>
  Effect.gen(function* () {
    const used = shared
    const roles = used ?? (yield* Effect.promise(freshRoles))
    if (used === undefined) yield* Postgres.migrate(roles.owner)
    else yield* Effect.promise(() => emptied(roles.owner))
    shared = roles
    const stores = Layer.fresh(layerOf(roles.server)).pipe(Layer.provide(box))
    return yield* Effect.provide(program, stores)
  })

// Many cases write at once from all sides, and wait for as long as a busy machine takes.
const onKeptConnections = (server: OwnOptions) =>
  Postgres.layerBy({ ...server, statementTimeoutMs: 0 }, (options) =>
    Layer.effectContext(
      Effect.gen(function* () {
        connections ??= yield* Layer.buildWithScope(Connection.layer(options), connected)
        return connections
      })
    )
  )

const emptied = async ({ schema }: Postgres.PostgresOptions) => {
  if (database === undefined) throw new Error("outside of a test")
  // Kept: a connection that has looked at no table yet takes longer than the rest.
  cleaner ??= await connect(database.url)
  await cleaner.query(
    `do $$ declare name text; begin
      set local session_replication_role = replica;
      for name in
        select tablename from pg_tables where schemaname = '${schema}' and tablename <> 'tolem_migrations'
      loop
        execute format('delete from ${schema}.%I', name);
      end loop;
      insert into ${schema}.tolem_link_sweeps (name, resume_after, due_at) values ('totals', '', 0);
    end $$`
  )
}
