/** The storage on a file: it is made, kept, shared, and survives a process that is killed. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as Migrations from "@tolem/adapter-sql/base/Migrations"
import * as Stores from "@tolem/adapter-sql/Stores"
import { RateStore } from "@tolem/core/access/RateStore"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { MerchantStore } from "@tolem/core/merchant/MerchantStore"
import { accountOf, creationOf, organizationOf, queryOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { assert } from "vitest"
import * as Sqlite from "../src/Sqlite.ts"
import * as SqliteClient from "../src/SqliteClient.ts"
import { folder, freshFile } from "./support/files.ts"
import { box } from "./support/stores.ts"

/** Runs a program on the stores of a file, opened for it alone. */
const on = <A, E>(
  filename: string,
  program: Effect.Effect<A, E, InvoiceStore | MerchantStore>,
  options: Partial<Sqlite.SqliteOptions> = {}
) => Effect.provide(program, Layer.fresh(Sqlite.layer({ filename, ...options })).pipe(Layer.provide(box)))

/** The stores on a database in memory, with the client beside them. */
const withClient = Stores.layer().pipe(
  Layer.provide(Migrations.layer()),
  Layer.provideMerge(SqliteClient.layer({ filename: ":memory:" })),
  Layer.provide(box)
)

const insert = InvoiceStore.use((store) => store.insertMany([creationOf()]))
const total = InvoiceStore.use((store) => Effect.map(store.list(queryOf()), (page) => page.total))

describe("a database in memory", () => {
  it.effect("begins empty, with the whole schema, whatever was written to those before", () =>
    Effect.gen(function* () {
      const made = Effect.andThen(insert, total)
      for (const prefix of ["tolem_", "tolem_", "other_", "other_"]) {
        assert.strictEqual(yield* on(":memory:", made, { prefix }), 1, prefix)
      }
      const stores = Layer.fresh(Sqlite.layer({ filename: ":memory:" })).pipe(Layer.provide(box))
      const both = yield* Effect.all([Layer.build(stores), Layer.build(stores)])
      yield* Effect.provide(insert, both[0])
      assert.strictEqual(yield* Effect.provide(total, both[1]), 0)
    }).pipe(Effect.scoped)
  )
})

describe("the storage on a file", () => {
  it.effect("makes the folder and the file, and keeps what was written", () =>
    Effect.gen(function* () {
      const filename = join(yield* folder, "some", "where", "shop.db")
      yield* on(filename, insert)
      assert.isTrue(existsSync(filename))
      assert.strictEqual(yield* on(filename, total), 1)
    })
  )

  it.effect("fails where it cannot make them", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      writeFileSync(file, "not a database, and no folder either")
      const noFolder = yield* Effect.flip(on(join(file, "shop.db"), total))
      assert.strictEqual(noFolder._tag, "SqlError")
      const noDatabase = yield* Effect.flip(on(file, total))
      assert.strictEqual(noDatabase._tag, "SqlError")
    })
  )

  it.effect("is shared by all who open it, each seeing what the others have written", () =>
    Effect.gen(function* () {
      const filename = yield* freshFile
      const server = Effect.gen(function* () {
        yield* insert
        yield* on(filename, insert)
        const owner = accountOf()
        yield* on(
          filename,
          MerchantStore.use((store) => store.addOrganization(organizationOf(owner), owner))
        )
        assert.strictEqual(yield* total, 2)
        assert.strictEqual(yield* MerchantStore.use((store) => store.organizationCount), 1)
      })
      yield* on(filename, server)
    })
  )

  it.effect("keeps two sets of tables apart by their prefix", () =>
    Effect.gen(function* () {
      const filename = yield* freshFile
      yield* on(filename, insert, { prefix: "a_" })
      assert.strictEqual(yield* on(filename, total, { prefix: "b_" }), 0)
      assert.strictEqual(yield* on(filename, total, { prefix: "a_" }), 1)
    })
  )

  it.effect("waits for the disk again after counting requests, for which it does not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const store = yield* RateStore
      const synchronous = Effect.map(sql.unsafe("pragma synchronous").values, ([row]) => row?.[0])
      const hit = { subject: "key_1", kind: "read", windowAt: 0 } as const
      const hits = Effect.forEach(Array.from({ length: 20 }), () => store.hitMany([hit]), { concurrency: "unbounded" })
      const inserts = Effect.forEach(
        Array.from({ length: 20 }),
        () => sql.withTransaction(Effect.andThen(insert, synchronous)),
        { concurrency: "unbounded" }
      )
      const [, settings] = yield* Effect.all([hits, inserts], { concurrency: "unbounded" })
      assert.deepStrictEqual(new Set(settings), new Set([2]), "every insert is committed to the disk")
      assert.strictEqual(yield* synchronous, 2)
      yield* sql`drop table tolem_rate_windows`
      yield* Effect.flip(store.hitMany([hit]))
      assert.strictEqual(yield* synchronous, 2, "also when counting has failed")
    }).pipe(Effect.provide(Layer.fresh(withClient)))
  )

  it.effect("has everything that was acknowledged before the process was killed", () =>
    Effect.gen(function* () {
      const filename = yield* freshFile
      const acknowledged = yield* Effect.promise(() => killedWhileWriting(filename, 40))
      assert.isAtLeast(acknowledged.length, 40)
      const found = yield* on(
        filename,
        InvoiceStore.use((store) => Effect.forEach(acknowledged, store.find))
      )
      assert.deepStrictEqual(
        found.filter((each) => each._tag === "None"),
        []
      )
    })
  )
})

/** Lets a process write invoices and tell of each, and kills it in the middle. Answers the ids that it told of. */
const killedWhileWriting = async (filename: string, count: number): Promise<ReadonlyArray<string>> => {
  const child = spawn(process.execPath, [new URL("support/writer.ts", import.meta.url).pathname, filename], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  let told = ""
  child.stdout.setEncoding("utf8")
  child.stdout.on("data", (text: string) => {
    told += text
    if (told.split("\n").length > count) child.kill("SIGKILL")
  })
  await once(child, "close")
  // The last line may have been cut off.
  return told.split("\n").slice(0, -1)
}
