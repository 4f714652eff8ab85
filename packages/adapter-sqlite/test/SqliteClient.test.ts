/** The client binds, refuses, waits and cleans up as the stores rely on it. */
import { DatabaseSync } from "node:sqlite"
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as SqliteClient from "../src/SqliteClient.ts"
import { freshFile } from "./support/files.ts"

const open = (config: SqliteClient.SqliteClientConfig) =>
  SqliteClient.make(config).pipe(Effect.provide(Reactivity.layer))

const inMemory = open({ filename: ":memory:" })

const plain = (rows: ReadonlyArray<object>) => rows.map((row) => ({ ...row }))

/** A client with a table of numbers. */
const withNumbers = Effect.tap(inMemory, (sql) => sql`create table numbers (n bigint primary key)`)

const count = (sql: SqlClient.SqlClient) =>
  Effect.map(sql<{ n: number }>`select count(*) as n from numbers`, ([row]) => row!.n)

describe("values", () => {
  it.effect("go in as the numbers that they are", () =>
    Effect.gen(function* () {
      const sql = yield* inMemory
      const rows = yield* sql`select typeof(${5}) as whole, typeof(${5.5}) as part, ${5} / ${2} as half`
      assert.deepStrictEqual(plain(rows), [{ whole: "integer", part: "real", half: 2 }])
      yield* sql`create table texts (t text)`
      yield* sql`insert into texts values (${5})`
      assert.deepStrictEqual(plain(yield* sql`select t from texts`), [{ t: "5" }])
    })
  )

  it.effect("are null where they are undefined", () =>
    Effect.gen(function* () {
      const sql = yield* inMemory
      assert.deepStrictEqual(plain(yield* sql`select ${undefined} as u, ${null} as n`), [{ u: null, n: null }])
    })
  )

  it.effect("come out exact, or not at all", () =>
    Effect.gen(function* () {
      const sql = yield* inMemory
      const safe = Number.MAX_SAFE_INTEGER
      assert.deepStrictEqual(plain(yield* sql`select ${safe} as n`), [{ n: safe }])
      const beyond = sql`select ${safe} + 2 as n`
      assert.isTrue(Exit.isFailure(yield* Effect.exit(beyond)), "it is not rounded")
      const big = yield* Effect.provideService(beyond, SqlClient.SafeIntegers, true)
      assert.deepStrictEqual(plain(big), [{ n: BigInt(safe) + 2n }])
      assert.deepStrictEqual(plain(yield* sql`select ${1} as n`), [{ n: 1 }], "asking for big ones does not stick")
    })
  )
})

describe("statements", () => {
  it.effect("stay prepared if they ran lately, whatever ran before", () =>
    Effect.gen(function* () {
      const db = new DatabaseSync(":memory:")
      const prepared: Array<string> = []
      const counting: SqliteClient.Database = {
        isTransaction: false,
        prepare: (text) => {
          prepared.push(text)
          return db.prepare(text)
        }
      }
      const sql = yield* SqliteClient.fromDatabase(counting, { filename: ":memory:", prepareCacheSize: 2 })
      const run = (...texts: ReadonlyArray<string>) => Effect.forEach(texts, (text) => sql.unsafe(text))
      yield* run("select 1", "select 2", "select 3", "select 2", "select 3", "select 2", "select 4", "select 2")
      assert.deepStrictEqual(prepared, ["select 1", "select 2", "select 3", "select 4"])
      yield* run("select 3")
      assert.deepStrictEqual(prepared.slice(4), ["select 3"])
      db.close()
    }).pipe(Effect.provide(Reactivity.layer))
  )
})

describe("a duplicate key", () => {
  for (const [what, definition] of [
    ["primary key", "k text primary key, v text"],
    ["row number", "k integer primary key, v text"],
    ["unique column", "k text unique, v text"],
    ["clustered key", "k text not null primary key, v text"]
  ] as const) {
    it.effect(`of a ${what} is a unique violation`, () =>
      Effect.gen(function* () {
        const sql = yield* inMemory
        const clustered = what === "clustered key" ? "without rowid" : ""
        yield* sql.unsafe(`create table things (${definition}) ${clustered}`)
        const insert = sql`insert into things values (1, 'a')`
        yield* insert
        const refused = yield* Effect.flip(insert)
        assert.strictEqual(refused.reason._tag, "UniqueViolation")
        assert.isFalse(refused.isRetryable)
      })
    )
  }
})

describe("a connection", () => {
  it.effect("commits to the disk, reads while others write, minds foreign keys, and makes no files besides", () =>
    Effect.gen(function* () {
      const sql = yield* open({ filename: yield* freshFile })
      const pragma = (name: string) => Effect.map(sql.unsafe(`pragma ${name}`).values, ([row]) => row?.[0])
      assert.strictEqual(yield* pragma("journal_mode"), "wal")
      assert.strictEqual(yield* pragma("synchronous"), 2)
      assert.strictEqual(yield* pragma("foreign_keys"), 1)
      assert.strictEqual(yield* pragma("busy_timeout"), 0, "the client waits itself, and the process goes on")
      assert.strictEqual(yield* pragma("temp_store"), 2, "what undoes a statement is kept in memory")
    })
  )

  it.effect("fails where the file cannot be opened", () =>
    Effect.gen(function* () {
      const failed = yield* Effect.flip(open({ filename: `${yield* freshFile}/no/such/folder` }))
      assert.strictEqual(failed._tag, "SqlError")
    })
  )

  it.effect("shares its file with others, who see what it has committed", () =>
    Effect.gen(function* () {
      const filename = yield* freshFile
      const one = yield* open({ filename })
      const two = yield* open({ filename })
      yield* one`create table numbers (n bigint primary key)`
      yield* one`insert into numbers values (1)`
      yield* two`insert into numbers values (2)`
      assert.strictEqual(yield* count(one), 2)
      assert.strictEqual(yield* count(two), 2)
    })
  )

  it.live("waits for another's lock no longer than it was told to, and says that trying again may help", () =>
    Effect.gen(function* () {
      const filename = yield* freshFile
      const holder = yield* open({ filename })
      const waiter = yield* open({ filename, busyTimeout: "10 millis" })
      yield* holder`create table numbers (n bigint primary key)`
      const insert = waiter`insert into numbers values (1)`
      const refused = yield* holder.withTransaction(
        Effect.all([Effect.flip(insert), Effect.flip(waiter.withTransaction(insert)), count(waiter)])
      )
      assert.deepStrictEqual([refused[0].reason._tag, refused[1].reason._tag], ["LockTimeoutError", "LockTimeoutError"])
      assert.isTrue(refused[0].isRetryable && refused[1].isRetryable)
      assert.strictEqual(refused[2], 0, "reading goes on")
      yield* waiter.withTransaction(insert)
      assert.strictEqual(yield* count(holder), 1)
    })
  )

  it.live("waits for another's lock while the process goes on, and goes on itself when it is free", () =>
    Effect.gen(function* () {
      const filename = yield* freshFile
      const holder = new DatabaseSync(filename)
      yield* Effect.addFinalizer(() => Effect.sync(() => holder.close()))
      const waiter = yield* open({ filename })
      yield* waiter`create table numbers (n bigint primary key)`
      holder.exec("begin immediate; insert into numbers values (1)")
      const fiber = yield* Effect.forkChild(waiter.withTransaction(waiter`insert into numbers values (2)`))
      yield* Effect.sleep("20 millis")
      holder.exec("commit")
      yield* Fiber.join(fiber)
      assert.strictEqual(yield* count(waiter), 2)
    })
  )

  it.effect("can keep the file for itself", () =>
    Effect.gen(function* () {
      const filename = yield* freshFile
      yield* open({ filename, exclusive: true })
      const refused = yield* Effect.flip(open({ filename, busyTimeout: 0 }))
      assert.strictEqual(refused.reason._tag, "LockTimeoutError")
    })
  )

  it.effect("closes with its layer, and leaves one file", () =>
    Effect.gen(function* () {
      const filename = yield* freshFile
      const write = SqlClient.SqlClient.use((sql) => sql`create table numbers (n bigint)`)
      yield* Effect.provide(write, Layer.fresh(SqliteClient.layer({ filename })))
      const sql = yield* open({ filename, exclusive: true })
      assert.strictEqual(yield* count(sql), 0)
    })
  )
})

describe("a transaction", () => {
  it.effect("leaves nothing behind when it fails or is interrupted", () =>
    Effect.gen(function* () {
      const sql = yield* withNumbers
      yield* Effect.exit(sql.withTransaction(Effect.andThen(sql`insert into numbers values (1)`, Effect.fail("no"))))
      assert.strictEqual(yield* count(sql), 0)
      const begun = yield* Deferred.make<void>()
      const endless = sql.withTransaction(
        sql`insert into numbers values (2)`.pipe(
          Effect.andThen(Deferred.succeed(begun, undefined)),
          Effect.andThen(Effect.never)
        )
      )
      const fiber = yield* Effect.forkChild(endless)
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(yield* count(sql), 0)
    })
  )

  it.effect("takes nothing along that others write at the same time", () =>
    Effect.gen(function* () {
      const sql = yield* withNumbers
      const write = Effect.forEach(
        Array.from({ length: 100 }, (_, n) => n),
        (n) => Effect.andThen(Effect.yieldNow, sql`insert into numbers values (${n})`)
      )
      const fail = sql.withTransaction(
        sql`insert into numbers values (${-1})`.pipe(Effect.andThen(Effect.yieldNow), Effect.andThen(Effect.fail("no")))
      )
      const failing = Effect.forEach(Array.from({ length: 100 }), () => Effect.exit(fail))
      yield* Effect.all([write, failing], { concurrency: "unbounded" })
      assert.strictEqual(yield* count(sql), 100)
    })
  )

  it.effect("refuses the statements of a fiber that has outlived it", () =>
    Effect.gen(function* () {
      const sql = yield* withNumbers
      const ended = yield* Deferred.make<void>()
      const late = Effect.andThen(Deferred.await(ended), sql`insert into numbers values (1)`)
      const fiber = yield* sql.withTransaction(Effect.forkDetach(late))
      yield* Deferred.succeed(ended, undefined)
      const refused = yield* Effect.flip(Fiber.join(fiber))
      assert.match(String(refused.reason.cause), /transaction of this statement has ended/)
      assert.strictEqual(yield* count(sql), 0)
    })
  )

  it.effect("that cannot be committed fails as such, and the next one works", () =>
    Effect.gen(function* () {
      const sql = yield* withNumbers
      yield* sql`create table parts (n bigint references numbers (n) deferrable initially deferred)`
      const refused = yield* Effect.flip(sql.withTransaction(sql`insert into parts values (7)`))
      assert.strictEqual(refused._tag, "SqlError")
      yield* sql.withTransaction(sql`insert into numbers values (7)`)
      assert.strictEqual(yield* count(sql), 1)
      assert.deepStrictEqual(plain(yield* sql`select * from parts`), [])
    })
  )

  it.effect("undoes an inner one by itself", () =>
    Effect.gen(function* () {
      const sql = yield* withNumbers
      const inner = sql.withTransaction(Effect.andThen(sql`insert into numbers values (2)`, Effect.fail("no")))
      yield* sql.withTransaction(Effect.andThen(sql`insert into numbers values (1)`, Effect.exit(inner)))
      assert.deepStrictEqual(plain(yield* sql`select n from numbers`), [{ n: 1 }])
    })
  )
})
