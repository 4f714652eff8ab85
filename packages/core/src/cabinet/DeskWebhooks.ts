/** Use-cases of endpoints for members: made for a cashier, what was sent of an invoice, and sent again of a time. */
import { Clock, Context, Effect, Layer, Result } from "effect"
import { Connections } from "../connection/Connections.ts"
import { ConnectionNotFound } from "../error/Refusals.ts"
import { checkConnectionId } from "../merchant/OrganizationRequests.ts"
import { isGiven, isStorable, type JsonObject } from "../value/Checks.ts"
import type { InvoiceId } from "../value/Ids.ts"
import { Webhooks } from "../webhook/Webhooks.ts"
import { type Desk, Desks, type Outlook, viewerOf } from "./Desks.ts"
import { checkReplay, replayText } from "./ReplayRequests.ts"
import { ReportStore } from "./ReportStore.ts"

/** The most deliveries of an invoice that are shown. */
const maxShown = 200

/** The most deliveries that one request has sent again. */
const maxReplayed = 200

const make = Effect.gen(function* () {
  const desks = yield* Desks
  const store = yield* ReportStore
  const webhooks = yield* Webhooks
  const connections = yield* Connections

  const create = Effect.fn("DeskWebhooks.create")(function* (desk: Desk, body: JsonObject) {
    const viewer = viewerOf(desk)
    const wanted = body["connectionId"]
    const connectionId = isGiven(wanted) ? yield* Effect.fromResult(checkConnectionId(wanted)) : null
    // The sandbox has no cashiers.
    if (connectionId === null || desk.mode === "sandbox") return yield* webhooks.create(viewer, body)
    if (!isStorable(connectionId)) return yield* new ConnectionNotFound()
    yield* connections.get(desk.organization.id, connectionId)
    return yield* webhooks.create({ ...viewer, connectionId }, body)
  })

  const ofInvoice = Effect.fnUntraced(function* (desk: Outlook, id: InvoiceId) {
    const { organizationId } = yield* desks.callerFor(desk, id)
    return yield* store.deliveriesOf({ organizationId, invoiceId: id }, maxShown)
  })

  const replay = Effect.fn("DeskWebhooks.replay")(function* (desk: Outlook, id: string, body: JsonObject) {
    const viewer = viewerOf(desk)
    const endpoint = yield* webhooks.get(viewer, id)
    const asked = yield* Effect.fromResult(checkReplay(body, yield* Clock.currentTimeMillis))
    // One more tells whether there are more.
    const found = yield* store.deliveriesIn(viewer, { ...asked, endpointId: endpoint.id, limit: maxReplayed + 1 })
    const part = found.slice(0, maxReplayed)
    let sent = 0
    for (const { id: deliveryId } of part) {
      const again = yield* Effect.result(webhooks.resend(viewer, endpoint.id, deliveryId))
      if (Result.isSuccess(again)) sent += 1
      // The sandbox may have forgotten the invoice meanwhile.
      else if (again.failure._tag !== "DeliveryNotFound") return yield* Effect.fail(again.failure)
    }
    const last = part.at(-1)
    const hasMore = found.length > maxReplayed && last !== undefined
    return { sent, continueFrom: hasMore ? replayText({ ...asked, after: last }) : null }
  })

  return {
    /** Adds an endpoint: `{ url, events?, connectionId? }`. A live one may be of a cashier, whose events it gets. */
    create,
    /** What was sent of an invoice that is theirs to see, oldest first. */
    ofInvoice,
    /**
     * Sends the events of `from` to `to` to an endpoint again, each once, as new deliveries; with `failedOnly` those
     * of which no delivery succeeded or is pending. `continueFrom`: the `from` that goes on with the same replay, if
     * there were more than one request takes. What is sent meanwhile is not part of it, so that it comes to an end.
     */
    replay
  }
})

/** The use-cases of deliveries for members. */
export class DeskWebhooks extends Context.Service<DeskWebhooks, Effect.Success<typeof make>>()(
  "@tolem/core/DeskWebhooks"
) {
  /** The use-cases over those of endpoints. */
  static readonly layer = Layer.effect(DeskWebhooks, make)
}
