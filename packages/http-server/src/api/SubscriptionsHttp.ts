/** `/api/v1/subscriptions` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import { renderInvoice } from "@tolem/core/invoice/InvoiceJson"
import type { Subscription } from "@tolem/core/subscription/Subscription"
import { renderSubscription } from "@tolem/core/subscription/SubscriptionJson"
import type { CommandError } from "@tolem/core/subscription/Subscriptions"
import { arrayText, withRawMember } from "@tolem/core/value/RawJson"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { json } from "../http/Responses.ts"
import { bodyToMake, caller, listQuery, type One, replayHeaders, type Sent } from "./RequestParts.ts"

type Verb = (caller: Caller, id: string) => Effect.Effect<Subscription, CommandError>

const command = (verb: Verb) =>
  Effect.fnUntraced(function* ({ request, params }: Sent & One) {
    yield* readOptionalJson(request)
    return json(renderSubscription(yield* verb(yield* caller, params.id)))
  })

/** The handlers of the group `subscriptions`. */
export const layer = HttpApiBuilder.group(
  Api,
  "subscriptions",
  Effect.fnUntraced(function* (handlers) {
    const { subscriptions, settings } = yield* Engine

    return serving(handlers, {
      create: Effect.fnUntraced(function* ({ request }: Sent) {
        const made = yield* subscriptions.create(yield* caller, yield* bodyToMake({ request }))
        return json(renderSubscription(made.subscription), made.replayed ? 200 : 201, replayHeaders(made))
      }),
      list: Effect.fnUntraced(function* () {
        const page = yield* subscriptions.list(yield* caller, yield* listQuery(settings))
        const { total, limit, offset } = page
        const items = arrayText(page.subscriptions.map(renderSubscription))
        return json(withRawMember({ total, limit, offset }, "subscriptions", items))
      }),
      get: Effect.fnUntraced(function* ({ params }: One) {
        return json(renderSubscription(yield* subscriptions.get(yield* caller, params.id)))
      }),
      patch: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        return json(
          renderSubscription(yield* subscriptions.patch(yield* caller, params.id, yield* bodyToMake({ request })))
        )
      }),
      pause: command(subscriptions.pause),
      resume: command(subscriptions.resume),
      cancel: command(subscriptions.cancel),
      run: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        return json(renderInvoice(yield* subscriptions.run(yield* caller, params.id), settings), 201)
      })
    })
  })
)
