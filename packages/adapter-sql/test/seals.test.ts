/** Seals make nothing right that was wrong, begin once, and outlive a change of the key. */
import { describe, it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import { Integrity } from "@tolem/core/engine/Integrity"
import { SealedTexts } from "@tolem/core/engine/SealedTexts"
import { InvoiceCommand } from "@tolem/core/invoice/Invoice"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { changeOf, creationOf, refundOf, startAt } from "@tolem/testing/fixtures"
import { auditOf } from "@tolem/testing/storage/TariffCases"
import { Effect, Layer, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { box } from "./support/sqlite.ts"

/** A program on the stores of the database, as a server with these keys that starts. */
const withKeys = <A, E, R>(keys: ReadonlyArray<string>, program: Effect.Effect<A, E, R>) =>
  Effect.provide(program, Layer.fresh(Stores.layer()).pipe(Layer.provide(Layer.fresh(box(...keys)))))

const onOneDatabase = <A, E>(program: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(
    Effect.andThen(Migrations.migrate(), program),
    Layer.fresh(SqliteClient.layer({ filename: ":memory:" }))
  )

const [oldKey, newKey] = ["the first key of the tests, of no use", "the second key of the tests, of no use"]

const insert = (id: string) => InvoiceStore.use((store) => store.insertMany([creationOf({ id })]))

const change = Effect.fnUntraced(function* (id: string, command: (id: string) => InvoiceCommand) {
  const store = yield* InvoiceStore
  const invoice = Option.getOrThrow(yield* store.find(id))
  const [result] = yield* store.commitMany([changeOf(invoice, command(id))])
  return Result.getOrThrow(result!)
})

const pay = (id: string) => change(id, () => InvoiceCommand.Pay({ paidAt: startAt + 500 }))

const seals = Effect.map(
  Integrity.use(({ report }) => report),
  ({ findings, notices }) => ({
    found: findings.filter(({ rule }) => rule.includes("seal")).map(({ rule, subject }) => `${rule} ${subject}`),
    notices
  })
)
const clean = { found: [], notices: [] }

const begin = SealedTexts.use((texts) => texts.beginSeals(startAt, auditOf({ action: "sealing.begun" })))

describe("the seal of an invoice", () => {
  it.effect("follows every change", () =>
    onOneDatabase(
      withKeys(
        [oldKey],
        Effect.gen(function* () {
          yield* insert("inv_1")
          const paid = yield* pay("inv_1")
          yield* change("inv_1", () => InvoiceCommand.Refund({ refund: refundOf(paid, 100) }))
          yield* InvoiceStore.use((store) => store.claim(startAt + 1e9, startAt + 2e9, 10))
          assert.deepStrictEqual(yield* seals, clean)
        })
      )
    )
  )

  it.effect("is not made right by a change that comes after another's", () =>
    onOneDatabase(
      withKeys(
        [oldKey],
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* insert("inv_1")
          yield* insert("inv_2")
          yield* sql`update tolem_invoices set amount = amount * 10 where id = 'inv_1'`
          yield* sql`update tolem_invoices set seal = null where id = 'inv_2'`
          yield* pay("inv_1")
          yield* pay("inv_2")
          const expected = { found: ["invoices_are_sealed inv_1", "invoices_are_sealed inv_2"], notices: [] }
          assert.deepStrictEqual(yield* seals, expected)
          assert.deepStrictEqual(yield* begin, { sealed: 0, chained: 0, begun: false })
          assert.deepStrictEqual(yield* seals, expected, "nor by beginning again")
        })
      )
    )
  )

  it.effect("is no finding where a whole sandbox invoice has gone", () =>
    onOneDatabase(
      withKeys(
        [oldKey],
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* insert("inv_1")
          yield* insert("inv_2")
          yield* sql`delete from tolem_events where invoice_id = 'inv_1'`
          yield* sql`delete from tolem_invoices where id = 'inv_1'`
          assert.deepStrictEqual(yield* seals, clean)
        })
      )
    )
  )
})

/** A database that servers of the version before have written to, and still do. */
const upgraded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* withKeys([oldKey], Effect.forEach(["inv_1", "inv_2", "inv_3"], insert))
  yield* sql`update tolem_invoices set seal = null`
  yield* sql`delete from tolem_sealing where id = 'invoices'`
})

describe("the beginning of seals", () => {
  it.effect("comes by a command where there were invoices before", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* upgraded
        yield* withKeys(
          [oldKey],
          Effect.gen(function* () {
            const notice = (n: number) => [`${n} invoices are not sealed yet: run tolem seal when all servers are new`]
            assert.deepStrictEqual(yield* seals, { found: [], notices: notice(3) })
            yield* pay("inv_1")
            assert.deepStrictEqual(yield* seals, { found: [], notices: notice(2) }, "a change seals")
            // A server of the version before leaves the seal as it is.
            yield* sql`update tolem_invoices set description = 'by an older server' where id = 'inv_1'`
            assert.deepStrictEqual(yield* seals, { found: [], notices: notice(3) })
            assert.deepStrictEqual(yield* begin, { sealed: 3, chained: 0, begun: true })
            assert.deepStrictEqual(yield* seals, clean)
            const audit = yield* sql`select action from tolem_audit`
            assert.deepStrictEqual({ ...audit[0] }, { action: "sealing.begun" })
            yield* sql`update tolem_invoices set description = 'by nobody' where id = 'inv_2'`
            assert.deepStrictEqual(yield* begin, { sealed: 0, chained: 0, begun: false })
            assert.deepStrictEqual(yield* seals, { found: ["invoices_are_sealed inv_2"], notices: [] })
          })
        )
      })
    )
  )

  it.effect("is not recorded again by a server that starts when its record is gone", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* withKeys([oldKey], insert("inv_1"))
        yield* sql`delete from tolem_sealing where id = 'invoices'`
        const found = ["sealing_is_recorded invoices"]
        assert.deepStrictEqual(yield* withKeys([oldKey], seals), { found, notices: [] })
      })
    )
  )
})

describe("another key", () => {
  it.effect("leaves seals right while the old one is there, and afterwards if all were made anew", () =>
    onOneDatabase(
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* withKeys([oldKey], Effect.forEach(["inv_1", "inv_2"], insert))
        assert.deepStrictEqual(yield* withKeys([newKey, oldKey], seals), clean)
        yield* withKeys([newKey, oldKey], pay("inv_1"))
        const without = yield* withKeys([newKey], seals)
        assert.deepStrictEqual(without.found, [
          "sealing_is_recorded invoices",
          "sealing_is_recorded chains",
          "invoices_are_sealed inv_2",
          "heads_are_sealed chains"
        ])
        yield* sql`update tolem_invoices set description = 'by nobody' where id = 'inv_2'`
        yield* withKeys([newKey, oldKey], insert("inv_3"))
        const anew = SealedTexts.use((texts) => texts.sealAnew)
        yield* withKeys([newKey, oldKey], anew)
        const expected = { found: ["invoices_are_sealed inv_2"], notices: [] }
        assert.deepStrictEqual(yield* withKeys([newKey], seals), expected, "what was changed stays found")
        yield* sql`update tolem_invoices set description = null where id = 'inv_2'`
        yield* withKeys([newKey, oldKey], anew)
        assert.deepStrictEqual(yield* withKeys([newKey], seals), clean)
      })
    )
  )
})
