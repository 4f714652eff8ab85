/** Use-cases of looks: what a merchant's customers owe is shown for a reason, which its owner reads. */
import { Context, Effect, Layer, Option } from "effect"
import { recordOf } from "../../audit/Audit.ts"
import { AuditStore } from "../../audit/AuditStore.ts"
import { InvoiceNotFound } from "../../error/Refusals.ts"
import { InvoiceStore } from "../../invoice/InvoiceStore.ts"
import { isStorable, type JsonObject } from "../../value/Checks.ts"
import { Ids } from "../../value/Ids.ts"
import { checkReason } from "./ConsoleRequests.ts"

const make = Effect.gen(function* () {
  const invoices = yield* InvoiceStore
  const audits = yield* AuditStore
  const ids = yield* Ids

  const invoice = Effect.fn("Looks.invoice")(function* ({ invoiceId: id, reason: given }: JsonObject) {
    const reason = yield* Effect.fromResult(checkReason(given))
    const wanted = typeof id === "string" && isStorable(id) ? id : ""
    const found = Option.getOrUndefined(yield* invoices.find(wanted))
    if (found === undefined) return yield* new InvoiceNotFound()
    const detail = JSON.stringify({ reason })
    const deed = {
      action: "invoice.looked_at",
      organizationId: found.organizationId,
      subject: found.id,
      detail
    } as const
    // Written first: what is not in the log is shown to no one.
    yield* audits.note(yield* recordOf(ids, deed))
    return found
  })

  return {
    /** One invoice, for one answer. The reason is in the journal of its organization before it is shown. */
    invoice
  }
})

/** The use-cases of looks. */
export class Looks extends Context.Service<Looks, Effect.Success<typeof make>>()("@tolem/core/Looks") {
  /** The use-cases over the stores. */
  static readonly layer = Layer.effect(Looks, make)
}
