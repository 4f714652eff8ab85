/** The core's `SealedTexts` in SQL: each column that holds sealed texts, in pages, in the order of the rows' ids. */
import type { AuditRecord } from "@tolem/core/audit/Audit"
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import { SecretBox } from "@tolem/core/secret/SecretBox"
import { Effect, Layer, Option } from "effect"
import type { Statement } from "effect/sql"
import * as AuditLog from "../audit/AuditLog.ts"
import { Database } from "../base/Database.ts"
import * as Chains from "./Chains.ts"
import * as Sealer from "./Sealer.ts"

/** Rows that are looked at together. */
const pageSize = 200

/** Every column that is sealed in the context of its row's id. A new one must be named here. */
const columns = [
  ["endpoints", "secret"],
  ["endpoints", "previous_secret"],
  ["connections", "session"],
  ["login_challenges", "digest_key"]
] as const

/** The port over the tables that hold sealed texts. */
export const layer: Layer.Layer<SealedTexts, never, Database | SecretBox> = Layer.effect(
  SealedTexts,
  Effect.gen(function* () {
    const database = yield* Database
    const { sql, tables, statement, transaction, sealer } = database
    const sealing = Sealer.make(database)
    const audits = AuditLog.make(database)
    const chains = Chains.make(database)
    const box = yield* SecretBox

    const anew = Effect.fnUntraced(function* (id: string, sealed: string) {
      const opened = yield* Effect.option(box.open(sealed, id))
      return Option.isNone(opened) ? undefined : yield* box.seal(opened.value, id)
    })

    const counted = (written: Statement.Statement<object>) =>
      Effect.map(statement("SealedTexts.replace", written, { writes: true }), ({ length }) => length)

    // Of an endpoint also the sealed texts are chained.
    const chained = (id: string, written: Statement.Statement<object>) =>
      transaction(
        "SealedTexts.replace",
        Effect.gen(function* () {
          const { rows, entries } = yield* chains.following("endpoints", sql`id = ${id}`, written)
          yield* chains.append(entries)
          return rows.length
        })
      )

    const column = Effect.fnUntraced(function* ([table, name]: (typeof columns)[number]) {
      const unreadable: Array<string> = []
      let count = 0
      for (let after = ""; ; ) {
        const page = yield* statement(
          "SealedTexts.page",
          sql<{ readonly id: string; readonly sealed: string }>`
            select id, ${sql(name)} as sealed from ${tables[table]}
            where id > ${after} and ${sql(name)} <> '' and ${sql(name)} not like ${`v1.${box.keyId}.%`}
            order by id limit ${sql.literal(String(pageSize))}`,
          { writes: false }
        )
        for (const { id, sealed } of page) {
          const text = yield* anew(id, sealed)
          if (text === undefined) unreadable.push(id)
          else {
            const written = sql`
              update ${tables[table]} set ${sql(name)} = ${text}
              where id = ${id} and ${sql(name)} = ${sealed} returning *`
            count += yield* table === "endpoints" ? chained(id, written) : counted(written)
          }
        }
        const last = page.at(-1)
        if (page.length < pageSize || last === undefined) return { count, unreadable }
        after = last.id
      }
    })

    /** Goes through all invoices, a page in a transaction. */
    const invoices = Effect.fnUntraced(function* (chosen: Parameters<typeof sealing.sealPage>[1]) {
      let count = 0
      for (let after = ""; ; ) {
        const ids = yield* statement("SealedTexts.invoices", sealing.page(after, pageSize), { writes: false })
        const last = ids.at(-1)
        if (last === undefined) return count
        count += yield* transaction("SealedTexts.invoices", sealing.sealPage(ids, chosen))
        after = last
      }
    })

    /** Goes through all records, a page in a transaction: those that are unlike their newest link get one. */
    const records = Effect.fnUntraced(function* () {
      let count = 0
      for (const kind of Chains.kinds) {
        for (let after = ""; ; ) {
          const write = Effect.gen(function* () {
            // Records of the log never change.
            const rows = yield* chains.page(kind, { after, size: pageSize, locked: kind !== "audit" })
            const unlinked = rows.filter(({ row, linked }) => linked !== chains.contentOf(kind, row))
            yield* chains.append(unlinked.map(({ row }) => ({ kind, row })))
            return { added: unlinked.length, last: rows.at(-1)?.id }
          })
          const { added, last } = yield* transaction("SealedTexts.records", write)
          if (last === undefined) break
          count += added
          after = last
        }
      }
      return count
    })

    const toBegin = statement("SealedTexts.beginSeals", sealing.toBegin, { writes: false })

    const beginSeals = Effect.fnUntraced(function* (now: number, audit: AuditRecord) {
      const subjects = yield* toBegin
      if (subjects.length === 0) return { sealed: 0, chained: 0, begun: false }
      const sealed = subjects.includes("invoices") ? yield* invoices((verdict) => verdict !== "right") : 0
      const chained = subjects.includes("chains") ? yield* records() : 0
      const write = Effect.gen(function* () {
        const begun = yield* Effect.forEach(subjects, (subject) => sealing.begin(subject, now))
        if (!begun.includes(true)) return false
        yield* audits.insert(audit)
        return true
      })
      return { sealed, chained, begun: yield* transaction("SealedTexts.beginSeals", write) }
    })

    const sealAnew = Effect.gen(function* () {
      const all = yield* Effect.forEach(columns, column)
      // A seal that is not right is none that an old key has made, and stays as it is.
      const rows = yield* invoices((verdict, seal) => verdict === "right" && !seal?.startsWith(`${sealer.keyId}.`))
      yield* transaction("SealedTexts.records", sealing.sealRecordsAnew)
      const heads = yield* transaction("SealedTexts.heads", chains.sealHeadsAnew)
      return {
        count: all.reduce((sum, { count }) => sum + count, rows + heads),
        unreadable: all.flatMap(({ unreadable }) => unreadable)
      }
    })
    return { sealAnew, beginSeals }
  })
)
