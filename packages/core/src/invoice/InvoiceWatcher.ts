/** Agent: lets invoices expire whose time has passed without one to ask, and looks at live ones when that is due. */
import { Effect, Layer } from "effect"
import { SandboxClocks } from "../time/SandboxClocks.ts"
import type { Ids } from "../value/Ids.ts"
import * as Watcher from "../work/Watcher.ts"
import type { Commits } from "./Commits.ts"
import * as Expiry from "./Expiry.ts"
import { InvoiceSettings } from "./InvoiceSettings.ts"
import { InvoiceStore } from "./InvoiceStore.ts"
import { isWaiting } from "./live/CreationStages.ts"
import { LivePayments } from "./live/LivePayments.ts"

const stopGraceMs = 3_000

/** Runs for as long as the layer is open. Any number of servers may run it on one database. */
export const layer: Layer.Layer<never, never, InvoiceStore | Commits | LivePayments | SandboxClocks | Ids> =
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* InvoiceStore
      const payments = yield* LivePayments
      const expire = yield* Expiry.make
      const clocks = yield* SandboxClocks
      const { watcher, live } = yield* InvoiceSettings

      const claim = clocks.claiming(store.claim)
      yield* Watcher.run({
        ...watcher,
        name: "InvoiceWatcher",
        atOnce: live.calls.callsAtOnce,
        graceMs: stopGraceMs,
        claim,
        fair: { tenantOf: (invoice) => invoice, waiting: store.waiting },
        act: (invoice) =>
          invoice.mode === "live" && !isWaiting(invoice)
            ? payments.lookInTurn(invoice)
            : clocks.within(invoice.organizationId, invoice.mode)(expire(invoice))
      })
    })
  )
