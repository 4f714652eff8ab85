/** The step that gives the log of deliveries one index in place of two. */
import { it } from "@effect/vitest"
import { Integrity } from "@tolem/core/engine/Integrity"
import type { Client } from "@tolem/testing-postgres/Client"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert, describe } from "vitest"
import * as LargeIndex from "../../adapter-sql/src/base/LargeIndex.ts"
import { indexDeliveryLogAhead } from "../../adapter-sql/src/migrations/0106_delivery_log.ts"
import * as Connection from "../src/Connection.ts"
import * as Postgres from "../src/Postgres.ts"
import { addPlaced, monthOf, partNames, query, until } from "./support/months.ts"
import { blockedBy, clients, stores } from "./support/older.ts"
import { freshOptions, type OwnOptions, ownDatabase } from "./support/stores.ts"

ownDatabase()

const table = "tolem_deliveries"

/** The indexes of a table or part that begin with the endpoint and the instant: their files, and whether they work. */
const ofLog = (client: Client, of: string) =>
  query(
    client,
    `select c.relfilenode::int as file, x.indisvalid as valid,
       regexp_replace(pg_get_indexdef(c.oid), '^.*btree ', '') as what,
       exists (select 1 from pg_inherits where inhrelid = c.oid) as "isOfWhole"
     from pg_index x join pg_class c on c.oid = x.indexrelid
     where x.indrelid = '${of}'::regclass and pg_get_indexdef(c.oid) like '%created_at%' order by what`
  )

const ahead = (options: OwnOptions) => {
  const built = Effect.flatMap(SqlClient.SqlClient, (sql) =>
    // It takes nothing of the dialect.
    indexDeliveryLogAhead(sql, undefined as never, { schema: options.schema })
  )
  return Effect.provide(built, Layer.fresh(Connection.layer({ ...options, statementTimeoutMs: 0 })))
}

/** A schema of the version before, with deliveries in several months. */
const before = Effect.gen(function* () {
  const options = freshOptions()
  const [client, ...others] = yield* clients(options, 3)
  if (client === undefined) return assert.fail("no connection")
  yield* query(client, `create schema ${options.schema}`)
  yield* until(options, 105)
  const now = Date.now()
  for (const further of [0, 2, 3]) yield* addPlaced(client, `in_${further}_`, monthOf(now, further), null, 20)
  return { options, client, others, parts: yield* partNames(client, table) }
})

const what = ["(endpoint_id, created_at) WHERE (status = 'failed'::text)", "(endpoint_id, created_at, status)"]

describe("the step of the index of the log", () => {
  it.live("takes in what was built in each month before, while it was written", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, others, parts } = yield* before
        const [writer, holder] = others
        if (writer === undefined || holder === undefined) return assert.fail("no connections")
        assert.isAbove(parts.length, 2)
        yield* query(writer, "set lock_timeout = '2s'")
        yield* query(holder, "begin")
        yield* query(holder, `update ${table} set due_at = due_at + 1 where id like 'in_0%'`)
        const building = Effect.runPromise(ahead(options))
        yield* blockedBy(holder, options)
        const written = yield* query(
          writer,
          `update ${table} set due_at = due_at + 1 where id like 'in_2%' returning id`
        )
        assert.lengthOf(written, 20, "others write meanwhile")
        yield* query(holder, "commit")
        yield* Effect.promise(() => building)
        const built = new Map<string, ReadonlyArray<unknown>>()
        for (const part of parts) {
          const own = (yield* ofLog(client, part)).filter(({ isOfWhole }) => isOfWhole === false)
          assert.deepStrictEqual(
            own.map((each) => [each["what"], each["valid"]]),
            what.map((each) => [each, true])
          )
          built.set(
            part,
            own.map(({ file }) => file)
          )
        }
        yield* Postgres.migrate(options)
        for (const part of parts) {
          const now = yield* ofLog(client, part)
          assert.deepStrictEqual(
            now.map((each) => each["file"]),
            built.get(part),
            "nothing was built anew, and what was there before is gone"
          )
          assert.isTrue(now.every(({ isOfWhole }) => isOfWhole === true))
        }
        const findings = yield* Effect.provide(
          Integrity.use((integrity) => integrity.findings),
          stores(options)
        )
        assert.deepStrictEqual(
          findings.filter(({ rule }) => rule === "indexes_are_there"),
          []
        )
      })
    )
  )

  it.live("builds again what was left in the middle, also where it was built by hand meanwhile", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, parts } = yield* before
        const [first = "", second = ""] = parts
        const build = (part: string) => query(client, `create index on ${part} (endpoint_id, created_at, status)`)
        const files: Array<unknown> = []
        for (const part of [first, second]) {
          yield* build(part)
          const [left] = (yield* ofLog(client, part)).filter((each) => each["what"] === what[1])
          files.push(left?.["file"])
          yield* query(
            client,
            `update pg_index set indisvalid = false from pg_class c
              where c.oid = indexrelid and c.relfilenode = ${left?.["file"]}`
          )
        }
        yield* build(second)
        yield* Postgres.migrate(options)
        for (const part of [first, second]) {
          const found = yield* ofLog(client, part)
          assert.deepStrictEqual(
            found.map((each) => [each["what"], each["valid"], each["isOfWhole"]]),
            what.map((each) => [each, true, true])
          )
          for (const { file } of found) assert.notInclude(files, file)
        }
      })
    )
  )

  it.live("passes over a month that has gone meanwhile", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const { options, client, parts } = yield* before
        const [gone = ""] = parts.slice(1)
        yield* query(client, `drop table ${gone}`)
        const built = Effect.flatMap(SqlClient.SqlClient, (sql) => LargeIndex.buildOfPart(sql, gone, "(endpoint_id)"))
        yield* Effect.provide(built, Layer.fresh(Connection.layer({ ...options, statementTimeoutMs: 0 })))
      })
    )
  )
})
