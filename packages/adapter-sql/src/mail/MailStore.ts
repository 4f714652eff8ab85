/** The core's `MailStore` in SQL. */
import type { Mail } from "@tolem/core/mail/Mail"
import { MailStore, oneTooMany } from "@tolem/core/mail/MailStore"
import { Effect, Layer } from "effect"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as DueRows from "../base/DueRows.ts"
import { forgetOld } from "../base/OldRows.ts"
import * as TableStatements from "../base/TableStatements.ts"
import { lettersPeriod } from "../tariff/Usage.ts"
import { type MailRow, mailTable } from "./MailRow.ts"

/** The store over the database. */
export const layer: Layer.Layer<MailStore, never, Database> = Layer.effect(MailStore, Effect.map(Database, make))

/** The statement that writes letters with what causes them; one of a kind for an invoice. */
export const makeInsert = (database: Database["Service"]) => {
  const { insertAll } = TableStatements.make(database, mailTable)
  return (mails: ReadonlyArray<Mail>) =>
    mails.length === 0 ? Effect.void : insertAll(mails, "on conflict (invoice_id, kind) do nothing")
}

function make(database: Database["Service"]): MailStore["Service"] {
  const { sql, tables, all, statement, transaction } = database
  const { writing } = AuditLog.make(database)
  const due = DueRows.make<MailRow>(database, {
    table: tables.mails,
    key: { id: "text" },
    kind: "mail",
    port: "MailStore"
  })
  const claim: MailStore["Service"]["claim"] = Effect.fnUntraced(function* (now, until, limit, among) {
    const rows = yield* due.lease(now, until, limit, among)
    const read = yield* due.readEach(rows, { now, until }, mailTable.read)
    return read.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
  })

  /** Counts a letter, unless there are as many as there may be. */
  const isCounted = ({ organizationId, mode }: Mail, now: number, perDay: number) =>
    Effect.map(
      sql`insert into ${tables.usage} as t (organization_id, period, used)
        values (${organizationId}, ${lettersPeriod(mode, now)}, 1)
        on conflict (organization_id, period) do update set used = t.used + 1
          where t.used < cast(${perDay} as bigint)
        returning used`,
      (rows) => rows.length > 0
    )

  const begin = (mail: Mail, now: number, perDay: number | null) => {
    const { id, dueAt, attempts } = mail
    const write = Effect.gen(function* () {
      const rows = yield* sql`
        update ${tables.mails} set status = 'sending', attempts = attempts + 1
        where id = ${id} and status = 'pending' and due_at = cast(${dueAt} as bigint)
        returning id`
      if (rows.length === 0) return "Changed"
      if (perDay === null || attempts > 0 || (yield* isCounted(mail, now, perDay))) return "Begun"
      yield* sql`
        update ${tables.mails} set status = 'kept', attempts = 0, reason = ${oneTooMany}, due_at = null,
          completed_at = cast(${now} as bigint)
        where id = ${id}`
      return "Kept"
    })
    return transaction("MailStore.begin", write)
  }

  const settle = ({ id, status, reason, dueAt, completedAt }: Mail) => {
    const update = sql`
      update ${tables.mails} set status = ${status}, reason = ${reason}, due_at = cast(${dueAt} as bigint),
        completed_at = cast(${completedAt} as bigint)
      where id = ${id} and status in ('pending', 'sending')`
    return Effect.asVoid(statement("MailStore.settle", update, { writes: true }))
  }

  const list = (organizationId: string, invoiceId: string) => {
    const rows = sql<MailRow>`
      select * from ${tables.mails} where invoice_id = ${invoiceId} and organization_id = ${organizationId}
      order by created_at, id`
    return all("MailStore.list", rows, mailTable.decode)
  }

  const sendAgain: MailStore["Service"]["sendAgain"] = (previous, next, record) => {
    const update = sql<MailRow>`
      update ${tables.mails} set status = ${next.status}, attempts = cast(${next.attempts} as bigint),
        resent = cast(${next.resent} as bigint), reason = ${next.reason}, due_at = cast(${next.dueAt} as bigint),
        completed_at = cast(${next.completedAt} as bigint)
      where id = ${previous.id} and organization_id = ${previous.organizationId} and status = ${previous.status}
        and resent = cast(${previous.resent} as bigint)
      returning *`
    return Effect.map(writing("MailStore.sendAgain", update, record), (rows) => rows.length > 0)
  }

  const forget = forgetOld(database, "MailStore.forget", "mails", "completed_at")

  return { claim, waiting: due.waiting, begin, settle, sendAgain, forget, list }
}
