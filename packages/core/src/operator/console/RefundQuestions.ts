/** Use-case of operators: the provider is asked again about a refund of which it has not told, for a reason. */
import { Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../../audit/Audit.ts"
import { AuditStore } from "../../audit/AuditStore.ts"
import { InvoiceNotFound } from "../../error/Refusals.ts"
import { InvoiceStore } from "../../invoice/InvoiceStore.ts"
import { LivePayments } from "../../invoice/live/LivePayments.ts"
import { isUnresolved, type Refund } from "../../invoice/Refund.ts"
import { isStorable, type JsonObject } from "../../value/Checks.ts"
import { Ids, type RefundId } from "../../value/Ids.ts"
import { checkReason } from "./ConsoleRequests.ts"

/** What the provider has said. */
export interface RefundAnswer {
  /** As it is stored now. */
  readonly refund: Refund
  /** Whether the provider has said anything about its payment; false: it is silent, or its cashier cannot ask. */
  readonly isAnswered: boolean
}

const make = Effect.gen(function* () {
  const invoices = yield* InvoiceStore
  const payments = yield* LivePayments
  const audits = yield* AuditStore
  const ids = yield* Ids

  const find = Effect.fnUntraced(function* (id: RefundId) {
    const refund = isStorable(id) ? Option.getOrUndefined(yield* invoices.findRefund(id)) : undefined
    if (refund === undefined) return yield* new InvoiceNotFound()
    const invoice = Option.getOrUndefined(yield* invoices.find(refund.invoiceId))
    return invoice === undefined ? yield* new InvoiceNotFound() : { refund, invoice }
  })

  const ask = Effect.fn("RefundQuestions.ask")(function* (id: RefundId, { reason: given }: JsonObject) {
    const reason = yield* Effect.fromResult(checkReason(given))
    const { refund, invoice } = yield* find(id)
    if (!isUnresolved(refund)) return { refund, isAnswered: true } satisfies RefundAnswer
    const detail = JSON.stringify({ refundId: refund.id, reason })
    const deed = {
      action: "refund.asked",
      organizationId: invoice.organizationId,
      subject: invoice.id,
      detail
    } as const
    // Written first: what comes of it is written as the provider's word, which says nothing of who has asked.
    yield* audits.note(yield* recordOf(ids, deed))
    const { answered } = yield* payments.look(invoice)
    const { refund: now } = yield* find(id)
    return { refund: now, isAnswered: answered } satisfies RefundAnswer
  })

  return {
    /**
     * Asks now, whatever the budget of its cashier, and writes what the provider says. The reason is in the journal of
     * its organization before it is asked. It may be repeated: one whose outcome is known is answered as it is, and
     * nothing is asked or written.
     */
    ask
  }
})

/** Questions to the provider about refunds. */
export class RefundQuestions extends Context.Service<RefundQuestions, Effect.Success<typeof make>>()(
  "@tolem/core/RefundQuestions"
) {
  /** The use-case over the stores and the provider. */
  static readonly layer = Layer.effect(RefundQuestions, make)
}
