/** Agent: lets invoices expire whose window has passed. */
import { Clock, Effect, Layer, Result } from "effect"
import { Ids } from "../Ids.ts"
import { Settings } from "../Settings.ts"
import * as Watcher from "../Watcher.ts"
import { Command, decide, type Invoice } from "./Invoice.ts"
import { InvoiceStore } from "./InvoiceStore.ts"
import { Invoices } from "./Invoices.ts"

const stopGraceMs = 3_000

/** Runs for as long as the layer is open. Any number of servers may run it on one database. */
export const layer: Layer.Layer<never, never, Invoices | InvoiceStore | Ids> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* InvoiceStore
    const invoices = yield* Invoices
    const ids = yield* Ids
    const { watcher } = yield* Settings

    const act = Effect.fnUntraced(function* (invoice: Invoice) {
      const now = yield* Clock.currentTimeMillis
      const eventId = yield* ids.next("evt")
      const decided = decide(invoice, Command.Expire(), { now, eventId, source: "schedule" })
      // A refusal or a lost race both mean that it was settled meanwhile.
      if (Result.isSuccess(decided)) {
        yield* Effect.catchTag(invoices.commit(decided.success), "InvoiceChanged", () => Effect.void)
      }
    })

    yield* Watcher.run({ ...watcher, name: "InvoiceWatcher", graceMs: stopGraceMs, claim: store.claim, act })
  })
)
