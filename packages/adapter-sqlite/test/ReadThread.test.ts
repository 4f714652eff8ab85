/** Long reads do not hold up what everybody waits for. */
import { describe, it } from "@effect/vitest"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf, queryOf } from "@tolem/testing/fixtures"
import { Effect, Fiber, Layer } from "effect"
import { Reactivity } from "effect/reactivity"
import { assert } from "vitest"
import * as ReadThread from "../src/ReadThread.ts"
import * as Sqlite from "../src/Sqlite.ts"
import * as SqliteClient from "../src/SqliteClient.ts"
import { freshFile } from "./support/files.ts"
import { box } from "./support/stores.ts"

/** A database with a table, its client, and the thread beside it. */
const world = (timeoutMs?: number) =>
  Effect.gen(function* () {
    const filename = yield* freshFile
    const sql = yield* SqliteClient.make({ filename })
    yield* sql`create table t (n bigint not null)`
    const read = yield* ReadThread.make({ filename, timeoutMs })
    return { sql, read }
  }).pipe(Effect.provide(Reactivity.layer))

describe("the thread of long reads", () => {
  it.live("lets others write and read while it reads, and gives up what takes too long", () =>
    Effect.gen(function* () {
      const { sql, read } = yield* world(2_000)
      const endless = sql`with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as c from n`
      const reading = yield* Effect.forkChild(Effect.flip(read("org sandbox", endless)), { startImmediately: true })
      yield* sql`insert into t (n) values (${1})`
      assert.deepStrictEqual({ ...(yield* sql`select n from t`)[0] }, { n: 1 })
      assert.isUndefined(reading.pollUnsafe())
      const error = yield* Fiber.join(reading)
      assert.strictEqual(error.reason._tag, "StatementTimeoutError")
      assert.isTrue(error.isRetryable)
      assert.deepStrictEqual(yield* read("org sandbox", sql`select n from t`), [{ n: 1 }])
    }).pipe(Effect.scoped)
  )

  it.live("sees each write that was acknowledged before", () =>
    Effect.gen(function* () {
      const { sql, read } = yield* world()
      for (let n = 1; n <= 50; n++) {
        yield* sql`insert into t (n) values (${n})`
        assert.deepStrictEqual(yield* read("org", sql`select max(n) as n, ${n} / 2 as half from t`), [
          { n, half: Math.floor(n / 2) }
        ])
      }
    }).pipe(Effect.scoped)
  )

  it.live("serves tenants in turn", () =>
    Effect.gen(function* () {
      const { sql, read } = yield* world()
      const order: Array<string> = []
      const lines = ["greedy", "greedy", "greedy", "greedy", "modest"]
      yield* Effect.forEach(
        lines,
        (line) =>
          Effect.tap(read(line, sql`select 1 as one`), () =>
            Effect.sync(() => {
              order.push(line)
            })
          ),
        { concurrency: "unbounded" }
      )
      assert.isAtMost(order.indexOf("modest"), 2)
    }).pipe(Effect.scoped)
  )

  it.live("fails as a statement does, cannot write, and goes on", () =>
    Effect.gen(function* () {
      const { sql, read } = yield* world()
      const wrong = yield* Effect.flip(read("org", sql`select n from nowhere`))
      assert.match(String(wrong.reason.cause), /no such table/)
      const writes = yield* Effect.flip(read("org", sql`insert into t (n) values (1) returning n`))
      assert.match(String(writes.reason.cause), /readonly/)
      assert.deepStrictEqual(yield* read("org", sql`select count(*) as c from t`), [{ c: 0 }])
    }).pipe(Effect.scoped)
  )
})

it.live("a search of invoices finds what was stored a moment ago", () =>
  Effect.gen(function* () {
    const filename = yield* freshFile
    const found = InvoiceStore.use((store) =>
      Effect.gen(function* () {
        const creation = creationOf()
        yield* store.insertMany([creation])
        return yield* store.list({ ...queryOf(), search: creation.invoice.id })
      })
    ).pipe(Effect.provide(Sqlite.layer({ filename }).pipe(Layer.provide(box))))
    assert.strictEqual((yield* found).total, 1)
  }).pipe(Effect.scoped)
)
