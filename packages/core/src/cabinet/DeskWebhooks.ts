/** Use-cases of what was sent about invoices, as members ask for them: of one invoice, and once more of a time. */
import { Context, Effect, Layer, Result } from "effect"
import { FieldRefused } from "../error/Refusals.ts"
import type { JsonObject } from "../value/Checks.ts"
import type { InvoiceId } from "../value/Ids.ts"
import { queryInstant } from "../value/QueryChecks.ts"
import { Webhooks } from "../webhook/Webhooks.ts"
import { type Desk, Desks, viewerOf } from "./Desks.ts"
import { ReportStore } from "./ReportStore.ts"

/** The most deliveries of an invoice that are shown. */
const maxShown = 200

/** The most deliveries that one request has sent again. */
const maxReplayed = 200

const make = Effect.gen(function* () {
  const desks = yield* Desks
  const store = yield* ReportStore
  const webhooks = yield* Webhooks

  const ofInvoice = Effect.fnUntraced(function* (desk: Desk, id: InvoiceId) {
    const { organizationId } = yield* desks.callerFor(desk, id)
    return yield* store.deliveriesOf({ organizationId, invoiceId: id }, maxShown)
  })

  const replay = Effect.fn("DeskWebhooks.replay")(function* (desk: Desk, id: string, body: JsonObject) {
    const viewer = viewerOf(desk)
    const endpoint = yield* webhooks.get(viewer, id)
    const { from, to, isFailedOnly } = yield* Effect.fromResult(checkReplay(body))
    const status = isFailedOnly ? "failed" : null
    // One more tells whether there are more.
    const query = { endpointId: endpoint.id, status, from, to, limit: maxReplayed + 1 } as const
    const found = yield* store.deliveriesIn(viewer, query)
    const events = new Map(found.slice(0, maxReplayed).map((one) => [one.eventId, one]))
    let sent = 0
    for (const { id: deliveryId, kind } of events.values()) {
      if (kind === "webhook.test") continue
      const again = yield* Effect.result(webhooks.resend(viewer, endpoint.id, deliveryId))
      if (Result.isSuccess(again)) sent += 1
      // The sandbox may have forgotten the invoice meanwhile.
      else if (again.failure._tag !== "DeliveryNotFound") return yield* Effect.fail(again.failure)
    }
    return { sent, continueFrom: found[maxReplayed]?.createdAt ?? null }
  })

  return {
    /** What was sent of an invoice that is theirs to see, oldest first. */
    ofInvoice,
    /**
     * Sends the events of `from` to `to` to an endpoint again, each once, as new deliveries; with `failedOnly` those
     * that were given up. `continueFrom`: where to go on, if there were more than one request takes.
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

const checkReplay = ({ from, to, failedOnly }: JsonObject) =>
  Result.gen(function* () {
    const start = yield* queryInstant(from, "start", "invalid_from")
    const end = yield* queryInstant(to, "end", "invalid_to")
    if (start === null) return yield* Result.fail("invalid_from" as const)
    return { from: start, to: end ?? Number.MAX_SAFE_INTEGER, isFailedOnly: failedOnly === true }
  }).pipe(Result.mapError((code) => new FieldRefused({ code })))
