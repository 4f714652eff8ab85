/** The core's `MessengerLinkStore` in SQL. */
import type { MessengerLink } from "@tolem/core/messenger/MessengerLink"
import { MessengerLinkStore } from "@tolem/core/messenger/MessengerLinkStore"
import { Effect, Layer } from "effect"
import type { Statement } from "effect/sql"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import { once, oneOf, type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"

const linkTable = table<MessengerLink>("messenger_links")({
  accountId: once("text"),
  status: oneOf(["asked", "linked", "ended"]),
  chatId: "text",
  codeDigest: "text",
  codeUntil: "bigint",
  reason: oneOf(["blocked", "stopped", null]),
  // Written by `take` and `hold`: a change of the rest must not undo them.
  freeAt: once("bigint"),
  createdAt: once("bigint"),
  version: "bigint"
})

type LinkRow = RowOf<typeof linkTable>

interface ReadingRow {
  readonly read_to: number
  readonly due_at: number
}

/** Which messages are read; there is one bot. */
const reading = "telegram"
/** A person has a few accounts at most. */
const linksOfChat = 50

/** The store over the database. */
export const layer: Layer.Layer<MessengerLinkStore, never, Database> = Layer.effect(
  MessengerLinkStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): MessengerLinkStore["Service"] => {
  const { sql, tables, one, all, statement } = database
  const { messenger_links: links, messenger_readings: readings } = tables
  const rows = TableStatements.make(database, linkTable)
  const { writing } = AuditLog.make(database)
  const isWritten = (written: ReadonlyArray<unknown>) => written.length > 0
  const write = (verb: string, update: Statement.Statement<object>) =>
    Effect.map(statement(`MessengerLinkStore.${verb}`, update, { writes: true }), isWritten)

  return {
    find: (accountId) =>
      one(
        "MessengerLinkStore.find",
        sql<LinkRow>`select * from ${links} where account_id = ${accountId}`,
        linkTable.decode
      ),
    findByCode: (codeDigest) =>
      one(
        "MessengerLinkStore.findByCode",
        sql<LinkRow>`select * from ${links} where code_digest = ${codeDigest}`,
        linkTable.decode
      ),
    ofChat: (chatId) =>
      all(
        "MessengerLinkStore.ofChat",
        sql<LinkRow>`
          select * from ${links} where chat_id = ${chatId} order by account_id
          limit ${sql.literal(String(linksOfChat))}`,
        linkTable.decode
      ),
    add: (row) => {
      const insert = sql<LinkRow>`
        insert into ${links} (${rows.names}) select ${rows.names} from ${rows.batch([row])} where true
        on conflict (account_id) do nothing returning *`
      return write("add", insert)
    },
    replace: (row, audit) => {
      const update = sql<LinkRow>`
        update ${links} set ${rows.set(row)}
        where account_id = ${row.accountId} and version = cast(${row.version - 1} as bigint) returning *`
      return audit === undefined
        ? write("replace", update)
        : Effect.map(writing("MessengerLinkStore.replace", update, audit), isWritten)
    },
    remove: (accountId, audit) => {
      const remove = sql<LinkRow>`delete from ${links} where account_id = ${accountId} returning *`
      return Effect.map(writing("MessengerLinkStore.remove", remove, audit), isWritten)
    },
    take: (accountId, now, until) =>
      write(
        "take",
        sql`update ${links} set free_at = cast(${until} as bigint)
          where account_id = ${accountId} and status = 'linked' and free_at <= cast(${now} as bigint)
          returning account_id`
      ),
    hold: (accountId, until) =>
      Effect.asVoid(
        write(
          "hold",
          sql`update ${links} set free_at = cast(${until} as bigint)
            where account_id = ${accountId} and free_at < cast(${until} as bigint) returning account_id`
        )
      ),
    leaseReading: (now, until) => {
      const lease = sql<ReadingRow>`
        insert into ${readings} as r (name, read_to, due_at) values (${reading}, 0, cast(${until} as bigint))
        on conflict (name) do update set due_at = excluded.due_at where r.due_at <= cast(${now} as bigint)
        returning read_to, due_at`
      return Effect.map(statement("MessengerLinkStore.leaseReading", lease, { writes: true }), (found) =>
        found.map(({ read_to: offset, due_at: dueAt }) => ({ offset, dueAt }))
      )
    },
    noteReading: (term, offset, dueAt) =>
      write(
        "noteReading",
        sql`update ${readings} set read_to = cast(${offset} as bigint), due_at = cast(${dueAt} as bigint)
          where name = ${reading} and due_at = cast(${term.dueAt} as bigint) returning name`
      )
  }
}
