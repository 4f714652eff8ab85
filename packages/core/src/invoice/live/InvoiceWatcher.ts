/**
 * Agent: lets invoices expire whose time has passed without one to ask, looks at live ones when that is due, and has
 * those made that were stored in a transaction of the application.
 */
import { Clock, Effect, Layer, Result } from "effect"
import { SandboxClocks } from "../../time/SandboxClocks.ts"
import { Ids } from "../../value/Ids.ts"
import * as Watcher from "../../work/Watcher.ts"
import { Commits } from "../Commits.ts"
import { decideInvoice, type Invoice, InvoiceCommand } from "../Invoice.ts"
import { InvoiceSettings } from "../InvoiceSettings.ts"
import { InvoiceStore } from "../InvoiceStore.ts"
import { isToBeOffered, isWaiting } from "./CreationStages.ts"
import { LivePayments } from "./LivePayments.ts"
import { OfferOnOpen } from "./OfferOnOpen.ts"

const stopGraceMs = 3_000

/**
 * Lets an invoice expire that no provider is asked about: of the sandbox, or one that has waited in vain. What was
 * settled meanwhile is left as it is.
 */
export const expiry = Effect.gen(function* () {
  const commits = yield* Commits
  const ids = yield* Ids
  return Effect.fnUntraced(function* (invoice: Invoice) {
    const now = yield* Clock.currentTimeMillis
    const eventId = yield* ids.next("evt")
    const decided = decideInvoice(invoice, InvoiceCommand.Expire(), { now, eventId, source: "schedule" })
    // A refusal or a lost race both mean that it was settled meanwhile.
    if (Result.isSuccess(decided)) {
      yield* Effect.catchTag(commits.commit(decided.success), "InvoiceChanged", () => Effect.void)
    }
  })
})

/** Runs for as long as the layer is open. Any number of servers may run it on one database. */
export const layer: Layer.Layer<
  never,
  never,
  InvoiceStore | Commits | LivePayments | OfferOnOpen | SandboxClocks | Ids
> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* InvoiceStore
    const commits = yield* Commits
    const payments = yield* LivePayments
    const { offerDue } = yield* OfferOnOpen
    const expire = yield* expiry
    const clocks = yield* SandboxClocks
    const { watcher, live } = yield* InvoiceSettings

    // Behind what else is due. One that has changed is left as it is.
    const putOff = ({ id, version, providerStatus }: Invoice) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        commits.reschedule({ id, version, dueAt: now + watcher.leaseMs, providerStatus })
      )

    const act = Effect.fnUntraced(function* (invoice: Invoice) {
      if (isToBeOffered(invoice, yield* Clock.currentTimeMillis)) {
        const made = yield* Effect.tapError(offerDue(invoice), () => putOff(invoice))
        return made === null ? yield* putOff(invoice) : undefined
      }
      if (invoice.mode === "live" && !isWaiting(invoice)) return yield* payments.lookInTurn(invoice)
      yield* clocks.within(invoice.organizationId, invoice.mode)(expire(invoice))
    })

    // Without a provider here, what one has to be asked about is left to the other processes.
    const claimUnasked: typeof store.claim = (now, until, limit, among) =>
      store.claim(now, until, limit, among, "unasked")
    const claim = clocks.claiming(payments.isAble ? store.claim : claimUnasked)
    yield* Watcher.run({
      ...watcher,
      name: "InvoiceWatcher",
      atOnce: live.calls.callsAtOnce,
      graceMs: stopGraceMs,
      claim,
      fair: { tenantOf: (invoice) => invoice, waiting: store.waiting },
      act
    })
  })
)
