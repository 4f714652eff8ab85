/** Use-cases of invoices as members ask for them: those of the interface, within what their role and terms allow. */
import { Context, Effect, Layer } from "effect"
import { ProviderSessionNotConfigured } from "../error/Refusals.ts"
import type { Caller, CreateRequest } from "../invoice/InvoiceCreation.ts"
import { Invoices, type RefundCall } from "../invoice/Invoices.ts"
import { LoginSettings } from "../login/LoginSettings.ts"
import { checkConnectionId } from "../merchant/OrganizationRequests.ts"
import { isGiven } from "../value/Checks.ts"
import type { ConnectionId, InvoiceId } from "../value/Ids.ts"
import { type Desk, Desks, isOpenTo } from "./Desks.ts"

const make = Effect.gen(function* () {
  const desks = yield* Desks
  const invoices = yield* Invoices
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

  const refund = Effect.fn("DeskInvoices.refund")(function* (desk: Desk, id: InvoiceId, request: RefundCall) {
    const caller = yield* desks.callerFor(desk, id)
    const most = desk.reach === "limited" ? (desk.refundLimit ?? 0) : Number.POSITIVE_INFINITY
    const confirmed = desk.isFresh ? most : Math.min(most, freshRefund)
    return yield* invoices
      .refundUpTo(caller, id, { ...request, most: confirmed })
      .pipe(
        Effect.tapError((error) =>
          error._tag === "RefundNotAllowed" && error.total <= most ? desks.confirmed(desk) : Effect.void
        )
      )
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
