/** The core's `StatementLetterStore` in SQL. */
import type { StatementLetter } from "@tolem/core/cabinet/letter/StatementLetter"
import { StatementLetterStore } from "@tolem/core/cabinet/letter/StatementLetterStore"
import { Effect, Layer } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as DueRows from "../base/DueRows.ts"
import { once, oneOf, type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"

const letterTable = table<StatementLetter>("statement_letters")({
  organizationId: once("text"),
  accountId: once("text"),
  month: "text",
  status: oneOf(["waiting", "sending"]),
  dueAt: "bigint",
  tries: "bigint",
  sentMonth: "text",
  reason: "text",
  createdAt: once("bigint"),
  version: "bigint"
})

type LetterRow = RowOf<typeof letterTable>

/** The store over the database. */
export const layer: Layer.Layer<StatementLetterStore, never, Database> = Layer.effect(
  StatementLetterStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): StatementLetterStore["Service"] => {
  const { sql, tables, one, statement } = database
  const { statement_letters: letters } = tables
  const rows = TableStatements.make(database, letterTable)
  const { writing } = AuditLog.make(database)
  const due = DueRows.make<LetterRow>(database, {
    table: letters,
    key: { organization_id: "text", account_id: "text" },
    kind: "statement letter",
    port: "StatementLetterStore",
    isLiveOnly: true
  })
  const isOf = (organizationId: string, accountId: string) =>
    sql`organization_id = ${organizationId} and account_id = ${accountId}`
  const isWritten = (written: ReadonlyArray<unknown>) => written.length > 0

  return {
    find: (organizationId, accountId) => {
      const select = sql<LetterRow>`select * from ${letters} where ${isOf(organizationId, accountId)}`
      return one("StatementLetterStore.find", select, letterTable.decode)
    },
    add: (row, audit) => {
      const insert = sql<LetterRow>`
        insert into ${letters} (${rows.names}) select ${rows.names} from ${rows.batch([row])} where true
        on conflict (organization_id, account_id) do nothing returning *`
      return Effect.map(writing("StatementLetterStore.add", insert, audit), isWritten)
    },
    remove: (organizationId, accountId, audit) => {
      const remove = sql<LetterRow>`delete from ${letters} where ${isOf(organizationId, accountId)} returning *`
      return Effect.map(writing("StatementLetterStore.remove", remove, audit), isWritten)
    },
    claim: Effect.fnUntraced(function* (now, until, limit, among) {
      const leased = yield* due.lease(now, until, limit, among)
      return yield* due.readEach(leased, { now, until }, letterTable.read)
    }),
    waiting: due.waiting,
    replace: (row) => {
      const update = sql`
        update ${letters} set ${rows.set(row)}
        where ${isOf(row.organizationId, row.accountId)} and version = cast(${row.version - 1} as bigint)
        returning account_id`
      return Effect.map(statement("StatementLetterStore.replace", update, { writes: true }), isWritten)
    }
  }
}
