/** The storage that only reads: it sees what others write, writes nothing itself, and leaves nothing behind. */
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { describe, it } from "@effect/vitest"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf, queryOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import { assert } from "vitest"
import * as Sqlite from "../src/Sqlite.ts"
import { folder, freshFile } from "./support/files.ts"
import { box } from "./support/stores.ts"

const on = <A, E>(filename: string, program: Effect.Effect<A, E, InvoiceStore>, readOnly = false) =>
  Effect.provide(program, Layer.fresh(Sqlite.layer({ filename, readOnly })).pipe(Layer.provide(box)))

const insert = InvoiceStore.use((store) => store.insertMany([creationOf()]))
const total = InvoiceStore.use((store) => Effect.map(store.list(queryOf()), (page) => page.total))

describe("the storage that only reads", () => {
  it.effect("refuses to write, and leaves the file as it was and alone", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      yield* on(file, insert)
      const before = readFileSync(file)
      const refused = yield* on(file, Effect.andThen(total, Effect.flip(insert)), true)
      assert.strictEqual(refused._tag, "StorageError")
      assert.isTrue(readFileSync(file).equals(before))
      assert.deepStrictEqual(readdirSync(dirname(file)), ["test.db"])
    })
  )

  it.effect("sees what another one writes meanwhile, whichever of them came first", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      yield* on(file, insert)
      const totals = Effect.gen(function* () {
        const before = yield* total
        yield* on(file, insert)
        return [before, yield* total]
      })
      assert.deepStrictEqual(yield* on(file, totals, true), [1, 2])
      const among = Effect.gen(function* () {
        yield* insert
        return yield* on(file, total, true)
      })
      assert.strictEqual(yield* on(file, among), 3)
    })
  )

  it.effect("reads the log that a crash has left, and leaves it where it is", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      const copy = join(yield* folder, "copy.db")
      const crash = Effect.sync(() => {
        for (const suffix of ["", "-wal"]) copyFileSync(`${file}${suffix}`, `${copy}${suffix}`)
      })
      yield* on(file, Effect.andThen(insert, crash))
      const before = ["", "-wal"].map((suffix) => readFileSync(`${copy}${suffix}`, "base64"))
      assert.strictEqual(yield* on(copy, total, true), 1)
      assert.deepStrictEqual(
        ["", "-wal"].map((suffix) => readFileSync(`${copy}${suffix}`, "base64")),
        before
      )
    })
  )

  it.effect("makes no file, and no schema in one that is empty", () =>
    Effect.gen(function* () {
      const file = yield* freshFile
      assert.strictEqual((yield* Effect.flip(on(file, total, true)))._tag, "SqlError")
      assert.deepStrictEqual(readdirSync(dirname(file)), [])
      writeFileSync(file, "")
      const outdated = yield* Effect.flip(on(file, total, true))
      assert(outdated._tag === "SchemaOutdated")
      assert.include(outdated.pending, "0001_init")
      assert.strictEqual(readFileSync(file).length, 0)
    })
  )
})
