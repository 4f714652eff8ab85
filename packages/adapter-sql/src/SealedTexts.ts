/** The core's `SealedTexts` in SQL: each column that holds sealed texts, in pages, in the order of the rows' ids. */

import { SealedTexts } from "@tolem/core/SealedTexts"
import { SecretBox } from "@tolem/core/SecretBox"
import { Effect, Layer, Option } from "effect"
import { Database } from "./Database.ts"

/** Rows that are looked at together. */
const pageSize = 200

/** Every column that is sealed in the context of its row's id. A new one must be named here. */
const columns = [
  ["endpoints", "secret"],
  ["endpoints", "previous_secret"],
  ["connections", "session"],
  ["login_challenges", "digest_key"]
] as const

/** See the file's head. */
export const layer: Layer.Layer<SealedTexts, never, Database | SecretBox> = Layer.effect(
  SealedTexts,
  Effect.gen(function* () {
    const { sql, tables, statement } = yield* Database
    const box = yield* SecretBox

    const anew = Effect.fnUntraced(function* (id: string, sealed: string) {
      const opened = yield* Effect.option(box.open(sealed, id))
      return Option.isNone(opened) ? undefined : yield* box.seal(opened.value, id)
    })

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
              where id = ${id} and ${sql(name)} = ${sealed} returning id`
            count += (yield* statement("SealedTexts.replace", written, { writes: true })).length
          }
        }
        const last = page.at(-1)
        if (page.length < pageSize || last === undefined) return { count, unreadable }
        after = last.id
      }
    })

    const sealAnew = Effect.map(Effect.forEach(columns, column), (all) => ({
      count: all.reduce((sum, { count }) => sum + count, 0),
      unreadable: all.flatMap(({ unreadable }) => unreadable)
    }))
    return { sealAnew }
  })
)
