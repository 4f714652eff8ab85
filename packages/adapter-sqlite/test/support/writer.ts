/** A process that inserts invoices one after the other and prints the id of each once it is acknowledged. */
import { writeSync } from "node:fs"
import { InvoiceStore } from "@tolem/core/invoice/InvoiceStore"
import { creationOf } from "@tolem/testing/fixtures"
import { Effect, Layer } from "effect"
import * as Sqlite from "../../src/Sqlite.ts"
import { box } from "./stores.ts"

const write = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const creation = creationOf()
  yield* store.insertMany([creation])
  writeSync(1, `${creation.invoice.id}\n`)
})
const stores = Sqlite.layer({ filename: process.argv[2]! }).pipe(Layer.provide(box))

await Effect.runPromise(Effect.provide(Effect.forever(write), stores))
