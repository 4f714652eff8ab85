/** Who can read the files of a database. */
import { chmodSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, it } from "@effect/vitest"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf } from "@tolem/testing/fixtures"
import { Effect, Layer, Logger } from "effect"
import { assert } from "vitest"
import { fileOf } from "../src/FileModes.ts"
import * as Sqlite from "../src/Sqlite.ts"
import { folder, freshFile } from "./support/files.ts"
import { box } from "./support/stores.ts"

const insert = InvoiceStore.use((store) => store.insertMany([creationOf()]))

/** Writes to the file, looks at its modes while it is open, and answers them with what was logged. */
const modesOf = Effect.fnUntraced(function* (filename: string) {
  const logs: Array<string> = []
  const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => void logs.push(line))])
  const stores = Layer.fresh(Sqlite.layer({ filename })).pipe(Layer.provide(box), Layer.provide(logger))
  const path = fileOf(filename) ?? ""
  const look = Effect.sync(() => ["", "-wal", "-shm"].map((suffix) => statSync(`${path}${suffix}`).mode & 0o777))
  return { modes: yield* Effect.provide(Effect.andThen(insert, look), stores), logs: logs.join("\n") }
})

/** With a umask that forbids nothing. */
const careless = Effect.acquireRelease(
  Effect.sync(() => process.umask(0)),
  (umask) => Effect.sync(() => process.umask(umask))
)

describe("the files of a database", () => {
  it.effect("are their owner's alone, whatever the umask, also where they are named by a URI", () =>
    Effect.gen(function* () {
      yield* careless
      const path = yield* folder
      for (const filename of [join(path, "a.db"), `file:${join(path, "b.db")}`, `file://${join(path, "c.db")}`]) {
        assert.deepStrictEqual(yield* modesOf(filename), { modes: [0o600, 0o600, 0o600], logs: "" })
      }
    })
  )

  it.effect("are warned about where others can read them, with the command to mend that", () =>
    Effect.gen(function* () {
      yield* careless
      const file = yield* freshFile
      writeFileSync(file, "")
      chmodSync(file, 0o644)
      yield* modesOf(file)
      const { modes, logs } = yield* modesOf(file)
      assert.deepStrictEqual(modes, [0o644, 0o644, 0o644])
      assert.include(logs, `chmod 600 '${file}'`)
    })
  )

  it("are none where nothing is kept", () => {
    const names = [":memory:", "", "file::memory:", "file:shared?mode=memory&cache=shared"]
    assert.deepStrictEqual(names.map(fileOf), [null, null, null, null])
  })
})
