/** Use-cases of invoices as members ask for them: those of the interface, within what their role and terms allow. */
import { Context, Data, Effect, Layer, Option, Result } from "effect"
import { ProviderSessionNotConfigured } from "../error/Refusals.ts"
import { remainder } from "../invoice/Invoice.ts"
import type { Caller, CreateRequest } from "../invoice/InvoiceCreation.ts"
import { checkRefund } from "../invoice/InvoiceRequests.ts"
import { InvoiceStore } from "../invoice/InvoiceStore.ts"
import { Invoices } from "../invoice/Invoices.ts"
import { LoginSettings } from "../login/LoginSettings.ts"
import { checkConnectionId } from "../merchant/OrganizationRequests.ts"
import { isGiven, type JsonObject } from "../value/Checks.ts"
import type { ConnectionId, InvoiceId } from "../value/Ids.ts"
import { add } from "../value/Money.ts"
import { type Desk, Desks, isOpenTo } from "./Desks.ts"

/** The member may give nothing back, or less than this of one invoice. Nothing was done. */
export class RefundNotAllowed extends Data.TaggedError("RefundNotAllowed") {
  readonly code = "refund_not_allowed"
}

const make = Effect.gen(function* () {
  const desks = yield* Desks
  const invoices = yield* Invoices
  const store = yield* InvoiceStore
  const { freshRefund } = (yield* LoginSettings).login

  /** The cashier that a new invoice is made with; null: the organization's default one. */
  const cashierFor = Effect.fnUntraced(function* (desk: Desk, wanted: unknown) {
    if (desk.mode === "sandbox") return null
    const asked = isGiven(wanted) ? yield* Effect.fromResult(checkConnectionId(wanted)) : null
    if (desk.reach === "all") return asked
    const chosen: ConnectionId | undefined = asked ?? desk.connectionIds[0]
    return chosen !== undefined && isOpenTo(desk, chosen) ? chosen : yield* new ProviderSessionNotConfigured()
  })

  const create = Effect.fn("DeskInvoices.create")(function* (desk: Desk, request: CreateRequest) {
    const connectionId = yield* cashierFor(desk, request.body["connectionId"])
    const caller: Caller = { organizationId: desk.organization.id, mode: desk.mode, connectionId, source: "cabinet" }
    return yield* invoices.create(caller, request)
  })

  const bulk = Effect.fn("DeskInvoices.bulk")(function* (
    desk: Desk,
    wanted: unknown,
    requests: ReadonlyArray<CreateRequest>
  ) {
    const connectionId = yield* cashierFor(desk, wanted)
    const caller: Caller = { organizationId: desk.organization.id, mode: desk.mode, connectionId, source: "cabinet" }
    return yield* invoices.bulk(caller, requests)
  })

  const refund = Effect.fn("DeskInvoices.refund")(function* (
    desk: Desk,
    id: InvoiceId,
    request: { readonly body: JsonObject; readonly headerKey?: string | undefined }
  ) {
    const caller = yield* desks.callerFor(desk, id)
    const invoice = Option.getOrUndefined(yield* store.find(id))
    const asked = checkRefund(request.body, request.headerKey)
    // What cannot be understood is refused below, in the words of the interface.
    if (desk.mode === "live" && invoice !== undefined && Result.isSuccess(asked)) {
      // What was given back counts: many small refunds are a large one. What is left only gets less.
      const amount = add(invoice.refunded, asked.success.amount ?? remainder(invoice))
      const most = desk.reach === "limited" ? (desk.refundLimit ?? 0) : Number.POSITIVE_INFINITY
      if (amount > most || most === 0) return yield* new RefundNotAllowed()
      if (amount > freshRefund) yield* desks.confirmed(desk)
    }
    return yield* invoices.refund(caller, id, request)
  })

  return {
    /** Makes an invoice. A live one is of the cashier `connectionId` of the body, else of the default or first one. */
    create,
    /** Makes several of the cashier `wanted`, each judged by itself, as the interface does. */
    bulk,
    /** Gives back as much as the member may; a large live refund takes a fresh code. */
    refund
  }
})

/** The use-cases of invoices for members. */
export class DeskInvoices extends Context.Service<DeskInvoices, Effect.Success<typeof make>>()(
  "@tolem/core/DeskInvoices"
) {
  /** The use-cases over those of the interface. */
  static readonly layer = Layer.effect(DeskInvoices, make)
}
