/** The storage on a connection that the application uses too. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { it } from "@effect/vitest"
import type { Stores } from "@tolem/core/engine/Engine"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf } from "@tolem/testing/fixtures"
import { Effect, Exit, Fiber, Layer } from "effect"
import { afterEach, assert, beforeEach, describe } from "vitest"
import { clientCases } from "../../adapter-sql/test/support/clientCases.ts"
import { migrate, sqlite } from "../src/index.ts"
import { box } from "./support/stores.ts"

let database: DatabaseSync
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tolem-shared-"))
  database = new DatabaseSync(join(folder, "shop.db"))
  database.exec("pragma journal_mode = wal; create table orders (id text primary key, status text)")
})
afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

const withStores = <A, E>(program: Effect.Effect<A, E, Stores>) =>
  Effect.suspend(() => Effect.provide(program, Layer.fresh(sqlite({ database })).pipe(Layer.provide(box))))

/** Looks, whenever the application has its turn, whether it is in a transaction that is none of its own. */
const watched = <A, E>(program: Effect.Effect<A, E, Stores>) => {
  let found = 0
  let isOver = false
  const look = () => {
    if (isOver) return
    if (database.isTransaction) found++
    setImmediate(look)
  }
  return Effect.gen(function* () {
    look()
    yield* Effect.ensuring(
      withStores(program),
      Effect.sync(() => {
        isOver = true
      })
    )
    assert.strictEqual(found, 0, "the application never finds itself in a transaction of the engine")
  })
}

describe("on a connection of the application", () => {
  for (const { name, run } of clientCases) it.effect(name, () => watched(run))

  it.live("waits until a transaction of the application has ended, and is not undone with it", () =>
    withStores(
      Effect.gen(function* () {
        const store = yield* InvoiceStore
        const creation = creationOf()
        database.exec("begin; insert into orders values ('1', 'new')")
        const fiber = yield* Effect.forkChild(store.insertMany([creation]))
        yield* Effect.sleep("30 millis")
        database.exec("rollback")
        yield* Fiber.join(fiber)
        assert.strictEqual((yield* store.find(creation.invoice.id))._tag, "Some")
        assert.deepStrictEqual(database.prepare("select * from orders").all(), [])
      })
    )
  )

  it.live("says what to do about one that does not end", () =>
    withStores(
      Effect.gen(function* () {
        const store = yield* InvoiceStore
        database.exec("begin")
        const exit = yield* Effect.exit(store.insertMany([creationOf()]))
        database.exec("rollback")
        assert.isTrue(Exit.isFailure(exit))
        assert.include(JSON.stringify(exit), "End it before you wait for the engine")
      })
    )
  )

  it.live("leaves the connection open, and its settings as they were", () =>
    Effect.gen(function* () {
      database.exec("pragma synchronous = extra; pragma foreign_keys = off; pragma cache_size = -1234")
      const settings = () =>
        ["synchronous", "foreign_keys", "cache_size", "journal_mode"].map((name) =>
          Object.values(database.prepare(`pragma ${name}`).get() ?? {})
        )
      const before = settings()
      yield* withStores(
        Effect.gen(function* () {
          const store = yield* InvoiceStore
          yield* store.insertMany([creationOf()])
          yield* store.claim(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 5)
        })
      )
      assert.deepStrictEqual(settings(), before)
    })
  )
})

describe("the script", () => {
  const schemaOf = (db: DatabaseSync) =>
    db
      .prepare("select type, name, tbl_name, replace(replace(sql, char(10), ''), ' ', '') as made from sqlite_schema")
      .all()

  it.live("makes what migrate makes, and an engine finds nothing to do", () =>
    Effect.gen(function* () {
      const other = new DatabaseSync(":memory:")
      other.exec("create table orders (id text primary key, status text)")
      other.exec(migrate.sql({ prefix: "pay_" }))
      const steps = yield* Effect.promise(() => migrate({ database, prefix: "pay_" }))
      assert.isAbove(steps.length, 10)
      assert.deepStrictEqual(schemaOf(other), schemaOf(database))
      assert.deepStrictEqual(yield* Effect.promise(() => migrate({ database: other, prefix: "pay_" })), [])
      other.close()
    })
  )
})
