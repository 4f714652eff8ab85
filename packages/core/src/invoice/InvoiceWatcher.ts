/** Agent: lets sandbox invoices expire whose window has passed, and looks at live ones when that is due. */
import { Clock, Effect, Layer, Result } from "effect"
import { Ids } from "../Ids.ts"
import { Settings } from "../Settings.ts"
import * as Watcher from "../Watcher.ts"
import { Commits } from "./Commits.ts"
import { Command, decide, type Invoice } from "./Invoice.ts"
import { InvoiceStore } from "./InvoiceStore.ts"
import { LivePayments } from "./LivePayments.ts"

const stopGraceMs = 3_000

/** Runs for as long as the layer is open. Any number of servers may run it on one database. */
export const layer: Layer.Layer<never, never, InvoiceStore | Commits | LivePayments | Ids> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* InvoiceStore
    const commits = yield* Commits
    const payments = yield* LivePayments
    const ids = yield* Ids
    const { watcher, live } = yield* Settings

    const expire = Effect.fnUntraced(function* (invoice: Invoice) {
      const now = yield* Clock.currentTimeMillis
      const eventId = yield* ids.next("evt")
      const decided = decide(invoice, Command.Expire(), { now, eventId, source: "schedule" })
      // A refusal or a lost race both mean that it was settled meanwhile.
      if (Result.isSuccess(decided)) {
        yield* Effect.catchTag(commits.commit(decided.success), "InvoiceChanged", () => Effect.void)
      }
    })

    yield* Watcher.run({
      ...watcher,
      name: "InvoiceWatcher",
      atOnce: live.calls.callsAtOnce,
      graceMs: stopGraceMs,
      claim: store.claim,
      act: (invoice) => (invoice.mode === "live" ? payments.lookInTurn(invoice) : expire(invoice))
    })
  })
)
