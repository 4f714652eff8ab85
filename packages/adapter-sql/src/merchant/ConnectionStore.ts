/** The core's `ConnectionStore` in SQL. Sessions are sealed in the database and bound to their row. */
import type { Connection, Login } from "@tolem/core/connection/Connection"
import { ConnectionStore } from "@tolem/core/connection/ConnectionStore"
import { SecretBox } from "@tolem/core/secret/SecretBox"
import type { ConnectionId, LoginProcessId } from "@tolem/core/value/Ids"
import { Effect, Layer, Option, type Redacted } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as TableStatements from "../base/TableStatements.ts"
import * as Chains from "../seal/Chains.ts"
import {
  type ConnectionRow,
  connectionTable,
  type LoginRow,
  loginTable,
  type SealedConnection,
  toShownConnection
} from "./ConnectionRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<ConnectionStore, never, Database | SecretBox> = Layer.effect(
  ConnectionStore,
  Effect.gen(function* () {
    const database = yield* Database
    const box = yield* SecretBox
    return { ...connections(database, sessionsOf(box)), ...logins(database) }
  })
)

interface Sessions {
  readonly seal: (connection: Connection) => Effect.Effect<SealedConnection>
  readonly open: (row: ConnectionRow) => Effect.Effect<Connection>
}

// Enough for every cashier of a busy server; watching asks for the same few again and again.
const maxOpened = 10_000

const sessionsOf = (box: SecretBox["Service"]): Sessions => {
  const opened = new Map<string, Redacted.Redacted>()
  const openText = Effect.fnUntraced(function* (id: string, sealed: string) {
    const key = `${id} ${sealed}`
    const known = opened.get(key)
    if (known !== undefined) return known
    const session = yield* box.open(sealed, id)
    if (opened.size >= maxOpened) opened.clear()
    opened.set(key, session)
    return session
  })
  return {
    seal: ({ session, ...rest }) =>
      session === null
        ? Effect.succeed({ ...rest, session })
        : Effect.map(box.seal(session, rest.id), (sealed) => ({ ...rest, session: sealed })),
    // A session whose key is lost is no session: the cashier logs in again.
    open: (row) =>
      row.session === null
        ? Effect.succeed(toShownConnection(row))
        : Effect.matchEffect(openText(row.id, row.session), {
            onSuccess: (session) => Effect.succeed({ ...connectionTable.decode(row), session }),
            onFailure: ({ keyId }) =>
              Effect.as(
                Effect.logError(`ConnectionStore: no key ${keyId} for the session of ${row.id}`),
                toShownConnection({ ...row, status: row.status === "active" ? "expired" : row.status })
              )
          })
  }
}

type Verbs = Pick<ConnectionStore["Service"], "add" | "find" | "list" | "replace" | "remove">

const connections = (database: Database["Service"], sessions: Sessions): Verbs => {
  const { sql, dialect, tables, statement, transaction } = database
  const audits = AuditLog.make(database)
  const { following, removing } = Chains.make(database)
  const rows = TableStatements.make(database, connectionTable)
  const select = (organizationId: string) => sql`organization_id = ${organizationId}`

  const add: Verbs["add"] = Effect.fnUntraced(function* (connection, audit) {
    const insert = rows.insert(yield* sessions.seal(connection), "returning *")
    yield* audits.chaining("ConnectionStore.add", following("connections", null, insert), audit)
  })

  const find = Effect.fnUntraced(function* (organizationId: string, id: string) {
    const found = sql<ConnectionRow>`
      select * from ${tables.connections} where id = ${id} and ${select(organizationId)}`
    const [row] = yield* statement("ConnectionStore.find", found, { writes: false })
    return row === undefined ? Option.none() : Option.some(yield* sessions.open(row))
  })

  const list = Effect.fnUntraced(function* (organizationId: string) {
    const found = sql<ConnectionRow>`
      select * from ${tables.connections} where ${select(organizationId)} order by created_at, id`
    return yield* Effect.forEach(yield* statement("ConnectionStore.list", found, { writes: false }), sessions.open)
  })

  const replace: Verbs["replace"] = Effect.fnUntraced(function* (connection, audit) {
    const { id, organizationId, isDefault, version } = connection
    const sealed = yield* sessions.seal(connection)
    const write = Effect.gen(function* () {
      const others = sql`${select(organizationId)} and is_default = 1 and id <> ${id}`
      const entries: Array<Chains.Entry> = []
      if (isDefault) {
        // Locked in one order: two that become the default at once do not wait for each other in a circle.
        const reset = sql`update ${tables.connections} set is_default = 0, version = version + 1
          where ${others} returning *`
        entries.push(...(yield* following("connections", others, reset)).entries)
      }
      const update = sql`
        update ${tables.connections} set ${rows.set(sealed)}
        where id = ${id} and ${select(organizationId)} and version = cast(${version - 1} as bigint)
        returning *`
      const replaced = yield* following("connections", sql`id = ${id}`, update)
      const isReplaced = replaced.rows.length > 0
      yield* audits.insert(isReplaced ? audit : undefined, [...entries, ...replaced.entries])
      return isReplaced
    })
    return yield* transaction("ConnectionStore.replace", write)
  })

  const remove: Verbs["remove"] = (organizationId, id, audit) =>
    transaction(
      "ConnectionStore.remove",
      Effect.gen(function* () {
        const own = sql`id = ${id} and ${select(organizationId)}`
        // What binds a key to the cashier either has done so before the next statement, or finds the cashier gone.
        const found = yield* sql`select c.id from ${tables.connections} c where ${own} ${dialect.lockRows("c")}`
        if (found.length === 0) return "absent" as const
        const remove = sql`
          delete from ${tables.connections} where ${own}
            and not exists (select 1 from ${tables.api_keys} k where k.connection_id = ${id})
          returning *`
        const { rows, entries } = yield* removing("connections", own, remove)
        if (rows.length === 0) return "has_keys" as const
        yield* audits.insert(audit, entries)
        return "removed" as const
      })
    )

  return { add, find, list, replace, remove }
}

const logins = (database: Database["Service"]) => {
  const { sql, tables, one, statement } = database
  const { insert } = TableStatements.make(database, loginTable)
  const addLogin = (login: Login) =>
    Effect.asVoid(statement("ConnectionStore.addLogin", insert(login), { writes: true }))

  const login = (connectionId: ConnectionId, id: LoginProcessId) => {
    const rows = sql<LoginRow>`
      select * from ${tables.logins} where id = ${id} and connection_id = ${connectionId}`
    return one("ConnectionStore.login", rows, loginTable.decode)
  }

  const notePhone = (id: LoginProcessId, phone: string) => {
    const update = sql`update ${tables.logins} set phone = ${phone} where id = ${id}`
    return Effect.asVoid(statement("ConnectionStore.notePhone", update, { writes: true }))
  }

  const countTry = (id: LoginProcessId) => {
    const update = sql<{ readonly tries: number }>`
      update ${tables.logins} set tries = tries + 1 where id = ${id} returning tries`
    return Effect.map(
      statement("ConnectionStore.countTry", update, { writes: true }),
      ([row]) => row?.tries ?? Number.MAX_SAFE_INTEGER
    )
  }

  const endLogin = (id: LoginProcessId, now: number) => {
    const update = sql`
      update ${tables.logins} set used_at = cast(${now} as bigint) where id = ${id} and used_at is null returning id`
    return Effect.map(statement("ConnectionStore.endLogin", update, { writes: true }), (rows) => rows.length > 0)
  }

  return { addLogin, login, notePhone, countTry, endLogin }
}
