/** The core's `NoticeStore` in SQL. */
import type { Gathered } from "@tolem/core/notice/Gathered"
import { noticeChannels, noticeLanguages } from "@tolem/core/notice/NoticeKinds"
import type { NoticeKey, NoticeLine } from "@tolem/core/notice/NoticeLine"
import { NoticeStore } from "@tolem/core/notice/NoticeStore"
import type { QuietHours } from "@tolem/core/notice/QuietHours"
import { isObject } from "@tolem/core/value/Checks"
import { Effect, Layer } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as DueRows from "../base/DueRows.ts"
import { json, once, oneOf, type RowOf, table } from "../base/Table.ts"
import * as TableStatements from "../base/TableStatements.ts"

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each === "string")

/** A value as JSON, or null. */
const jsonOrNull = <A>(holds: (value: unknown) => boolean) =>
  ({
    type: "text",
    holds,
    encode: (value: A | null): string | null => (value === null ? null : JSON.stringify(value)),
    decode: (stored: string | null): A | null => (stored === null ? null : JSON.parse(stored))
  }) as const

const lineTable = table<NoticeLine>("notice_lines")({
  organizationId: once("text"),
  accountId: once("text"),
  mode: once(oneOf(["live", "sandbox"])),
  channel: once(oneOf(noticeChannels)),
  kinds: json<NoticeLine["kinds"]>(isTexts),
  minimum: "bigint",
  quiet: jsonOrNull<QuietHours>(isObject),
  language: oneOf(noticeLanguages),
  status: oneOf(["waiting", "sending", "given_up"]),
  position: "bigint",
  eventId: "text",
  gathered: json<Gathered>(isObject),
  going: jsonOrNull<ReadonlyArray<string>>(isTexts),
  lookedAt: "bigint",
  notBefore: "bigint",
  tries: "bigint",
  toldAt: "bigint",
  reason: "text",
  dueAt: "bigint",
  createdAt: once("bigint"),
  version: "bigint"
})

type LineRow = RowOf<typeof lineTable>

/** The store over the database. */
export const layer: Layer.Layer<NoticeStore, never, Database> = Layer.effect(
  NoticeStore,
  Effect.map(Database, (database) => make(database))
)

const make = (database: Database["Service"]): NoticeStore["Service"] => {
  const { sql, tables, one, all, statement } = database
  const { notice_lines: lines } = tables
  const rows = TableStatements.make(database, lineTable)
  const { writing } = AuditLog.make(database)
  const due = DueRows.make<LineRow>(database, {
    table: lines,
    key: { organization_id: "text", account_id: "text", mode: "text", channel: "text" },
    kind: "notice line",
    port: "NoticeStore"
  })
  const ofMember = ({ organizationId, accountId, mode }: Omit<NoticeKey, "channel">) =>
    sql`organization_id = ${organizationId} and account_id = ${accountId} and mode = ${mode}`
  const isOf = (key: NoticeKey) => sql`${ofMember(key)} and channel = ${key.channel}`
  const isWritten = (written: ReadonlyArray<unknown>) => written.length > 0

  return {
    list: (of) =>
      all(
        "NoticeStore.list",
        sql<LineRow>`select * from ${lines} where ${ofMember(of)} order by channel`,
        lineTable.decode
      ),
    find: (key) => one("NoticeStore.find", sql<LineRow>`select * from ${lines} where ${isOf(key)}`, lineTable.decode),
    add: (line, audit) => {
      const insert = sql<LineRow>`
        insert into ${lines} (${rows.names}) select ${rows.names} from ${rows.batch([line])} where true
        on conflict (organization_id, account_id, mode, channel) do nothing returning *`
      return Effect.map(writing("NoticeStore.add", insert, audit), isWritten)
    },
    replace: (line, audit) => {
      const update = sql<LineRow>`
        update ${lines} set ${rows.set(line)}
        where ${isOf(line)} and version = cast(${line.version - 1} as bigint) returning *`
      const written =
        audit === undefined
          ? statement("NoticeStore.replace", update, { writes: true })
          : writing("NoticeStore.replace", update, audit)
      return Effect.map(written, isWritten)
    },
    remove: (key, audit) => {
      const remove = sql<LineRow>`delete from ${lines} where ${isOf(key)} returning *`
      return Effect.map(writing("NoticeStore.remove", remove, audit), isWritten)
    },
    claim: Effect.fnUntraced(function* (now, until, limit, among) {
      const leased = yield* due.lease(now, until, limit, among)
      return yield* due.readEach(leased, { now, until }, lineTable.read)
    }),
    waiting: due.waiting
  }
}
