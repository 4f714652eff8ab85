/** Use-cases of refunds whose outcome the provider has not told: people look at the provider's, and say it. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import { InvoiceNotFound } from "../../error/Refusals.ts"
import { visibleTo } from "../../error/Visibility.ts"
import type { InvoiceId, RefundId } from "../../value/Ids.ts"
import type { Caller } from "../InvoiceCreation.ts"
import { checkResolution, type RefundResolution } from "../InvoiceRequests.ts"
import { InvoiceStore } from "../InvoiceStore.ts"
import { LivePayments } from "./LivePayments.ts"
import { RefundStateConflict } from "./LiveRefund.ts"

const make = Effect.gen(function* () {
  const store = yield* InvoiceStore
  const payments = yield* LivePayments

  const read = Effect.fnUntraced(function* (caller: Caller, id: InvoiceId) {
    const [found] = yield* store.details([id])
    const detail = found === undefined ? undefined : Option.getOrUndefined(found)
    const invoice = yield* Effect.fromResult(visibleTo(caller, detail?.invoice, () => new InvoiceNotFound()))
    return { invoice, refunds: detail?.refunds ?? [] }
  })

  const resolve = Effect.fn("Refunds.resolve")(function* (
    caller: Caller,
    id: RefundId,
    resolution: RefundResolution,
    note: string | null = null
  ) {
    const reference = yield* Effect.fromResult(checkResolution(resolution))
    const named = Option.getOrUndefined(yield* store.findRefund(id))
    if (named === undefined) return yield* new InvoiceNotFound()
    const { invoice, refunds } = yield* read(caller, named.invoiceId)
    const record = refunds.find((one) => one.id === id)
    // The provider has shown it as one of its own: as this one too it would count twice.
    const isCounted = refunds.some((one) => one.id !== id && one.providerReference === (reference ?? id))
    // One whose call may be under way is not unknown yet.
    if (record?.status === "unknown" && !isCounted) {
      const at = yield* Clock.currentTimeMillis
      const verdict = reference === null ? "failed" : { reference, ours: id, amount: record.amount, at }
      yield* payments.resolve(invoice, record, verdict, { source: caller.source, note })
    }
    const resolved = yield* read(caller, invoice.id)
    const isAsSaid = resolved.refunds.some(
      (one) =>
        one.id === id &&
        (reference === null
          ? one.status === "failed"
          : one.status === "succeeded" && one.providerReference === reference)
    )
    return isAsSaid ? resolved : yield* new RefundStateConflict()
  })

  return {
    /**
     * Says what became of a live refund whose outcome is `unknown`: made, under the provider's reference, or not made.
     * The note goes into the audit log with it.
     * Where something else is known already it fails with `RefundStateConflict`; so it may be repeated. A provider that
     * shows later that it was made after all is believed.
     */
    resolve
  }
})

/** What is done about refunds by hand. */
export class Refunds extends Context.Service<Refunds, Effect.Success<typeof make>>()("@tolem/core/Refunds") {
  /** The use-case over the stores. */
  static readonly layer = Layer.effect(Refunds, make)
}
