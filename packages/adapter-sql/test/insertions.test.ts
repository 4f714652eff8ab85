/** What is committed is answered as committed, whatever fails behind it. */
import { DatabaseSync } from "node:sqlite"
import { it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { box } from "./support/sqlite.ts"

it.effect("a batch of creations whose second look fails has the outcome of each that was written", () => {
  const db = new DatabaseSync(":memory:")
  let isBroken = false
  const failing: SqliteClient.Database = {
    prepare: (text) => {
      if (isBroken && text.trimStart().startsWith("select i.* from")) throw new Error("disk I/O error")
      return db.prepare(text)
    },
    get isTransaction() {
      return db.isTransaction
    }
  }
  const client = Layer.effect(SqlClient.SqlClient, SqliteClient.fromDatabase(failing, { filename: ":memory:" })).pipe(
    Layer.provide(Reactivity.layer)
  )
  const program = Effect.gen(function* () {
    const store = yield* InvoiceStore
    const keyed = (idempotencyKey: string | null) => creationOf({ idempotencyKey })
    yield* store.insertMany([keyed("order-1")])
    isBroken = true
    const fresh = keyed(null)
    const answers = yield* store.insertMany([keyed("order-1"), fresh, keyed("order-2")])
    assert.deepStrictEqual(
      answers.map(({ _tag }) => _tag),
      ["Unanswered", "Created", "Created"]
    )
    assert.strictEqual((yield* store.find(fresh.invoice.id))._tag, "Some")
    // Where nothing was written, all of it may be asked again.
    assert.strictEqual((yield* Effect.flip(store.insertMany([keyed("order-1")]))).outcome, "nothing_written")
  })
  const stores = Stores.layer().pipe(Layer.provide(Migrations.layer()), Layer.provide([client, box()]))
  return Effect.provide(program, Layer.fresh(stores))
})
