/** Whatever page of a SQLite file is overwritten, the checks find it, or the file does not open. */
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import * as SqliteClient from "@tolem/adapter-sqlite/SqliteClient"
import { Integrity } from "@tolem/core/engine/Integrity"
import { Effect, Layer } from "effect"
import { assert } from "vitest"
import * as Migrations from "../src/base/Migrations.ts"
import * as Stores from "../src/Stores.ts"
import { populate } from "./support/population.ts"
import { box } from "./support/sqlite.ts"

const pageSize = 4096

/** Pages that are looked at, spread over the whole file. */
const looked = 40

const storesOf = (filename: string) =>
  Stores.layer().pipe(
    Layer.provide(Migrations.layer()),
    Layer.provideMerge(SqliteClient.layer({ filename })),
    Layer.provide(box())
  )

/** What the checks say. Null: nothing can be started on this file, which says so. */
const rules = (filename: string) =>
  Integrity.use((integrity) => integrity.findings).pipe(
    Effect.map((findings) => findings.map(({ rule }) => rule)),
    // The checks themselves never fail.
    Effect.catch((error) => Effect.die(error)),
    Effect.provide(Layer.fresh(storesOf(filename))),
    Effect.catch(() => Effect.succeed(null))
  )

const withDirectory = <A, E>(use: (directory: string) => Effect.Effect<A, E>) =>
  Effect.scoped(
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "tolem-pages-"))),
        (directory) => Effect.sync(() => rmSync(directory, { recursive: true }))
      ),
      use
    )
  )

describe("a page of the file", () => {
  it.live("is found where it was overwritten, whichever it is", () =>
    withDirectory((directory) =>
      Effect.gen(function* () {
        const whole = join(directory, "whole.db")
        yield* Effect.provide(populate, Layer.fresh(storesOf(whole)))
        assert.deepStrictEqual(yield* rules(whole), [])
        const pages = statSync(whole).size / pageSize
        const found = { told: 0, closed: 0, missed: 0 }
        for (let number = 0; number < looked; number++) {
          const page = Math.floor((number * pages) / looked)
          const damaged = join(directory, `${page}.db`)
          copyFileSync(whole, damaged)
          const before = readFileSync(whole).subarray(page * pageSize, (page + 1) * pageSize)
          const file = openSync(damaged, "r+")
          const after = before.map((byte) => byte ^ 0x5a)
          writeSync(file, after, 0, pageSize, page * pageSize)
          closeSync(file)
          const broken = yield* rules(damaged)
          found[broken === null ? "closed" : broken.includes("pages_are_whole") ? "told" : "missed"] += 1
        }
        assert.strictEqual(found.missed, 0)
        assert.isAbove(found.told, found.closed, "a server does not start on a few pages only")
      })
    )
  )
})
