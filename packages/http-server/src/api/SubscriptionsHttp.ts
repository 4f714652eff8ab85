/** `/api/v1/subscriptions` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { Engine } from "@tolem/core/engine/Engine"
import type { Caller } from "@tolem/core/invoice/InvoiceCreation"
import type { Subscription } from "@tolem/core/subscription/Subscription"
import { renderSubscription, type SubscriptionObject } from "@tolem/core/subscription/SubscriptionJson"
import type { SubscriptionPage } from "@tolem/core/subscription/SubscriptionStore"
import type { CommandError, SubscriptionListRequest } from "@tolem/core/subscription/Subscriptions"
import type { JsonObject } from "@tolem/core/value/Checks"
import type { PageBounds } from "@tolem/core/value/QueryChecks"
import { arrayText, type JsonText, withRawMember } from "@tolem/core/value/RawJson"
import { Effect } from "effect"
import { apiGroup } from "../http/ApiGroup.ts"
import { readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { json } from "../http/Responses.ts"
import { created } from "./InvoicesHttp.ts"
import { bodyToMake, listQuery, type One, caller as ofKey, replayHeaders, type Sent } from "./RequestParts.ts"

type Verb = (caller: Caller, id: string) => Effect.Effect<Subscription, CommandError>

/** What `caller` tells of who asks, and `maker` of who asks for a new one, in which cashier's name. */
export interface Askers<E1, R1, E2, R2, E4> {
  readonly caller: Effect.Effect<Caller, E1, R1>
  readonly maker: (body: JsonObject) => Effect.Effect<Caller, E2, R2>
  /** Lists what a query asks for. */
  readonly list: (caller: Caller, query: SubscriptionListRequest) => Effect.Effect<SubscriptionPage & PageBounds, E4>
}

/** Adds to subscriptions what only some are shown of them. */
type Extras<X, E, R> = (
  all: ReadonlyArray<Subscription>
) => Effect.Effect<ReadonlyArray<JsonText<SubscriptionObject & X>>, E, R>

/** The handlers of subscriptions, by the names of the endpoints; without that of `run`. `render` shows them. */
export const subscriptionHandlers = <X, E1, R1, E2, R2, E3, R3, E4>(
  { subscriptions, settings }: Pick<Engine["Service"], "subscriptions" | "settings">,
  { caller, maker, list }: Askers<E1, R1, E2, R2, E4>,
  render: Extras<X, E3, R3>
) => {
  const one = (subscription: Subscription) => Effect.map(render([subscription]), ([text]) => text!)
  const command = (verb: Verb) =>
    Effect.fnUntraced(function* ({ request, params }: Sent & One) {
      yield* readOptionalJson(request)
      return json(yield* one(yield* verb(yield* caller, params.id)))
    })
  return {
    create: Effect.fnUntraced(function* ({ request }: Sent) {
      const asked = yield* bodyToMake({ request })
      const made = yield* subscriptions.create(yield* maker(asked.body), asked)
      return json(yield* one(made.subscription), made.replayed ? 200 : 201, replayHeaders(made))
    }),
    list: Effect.fnUntraced(function* () {
      const page = yield* list(yield* caller, yield* listQuery(settings))
      const { total, limit, offset } = page
      const items = arrayText(yield* render(page.subscriptions))
      return json(withRawMember({ total, limit, offset }, "subscriptions", items))
    }),
    get: Effect.fnUntraced(function* ({ params }: One) {
      return json(yield* one(yield* subscriptions.get(yield* caller, params.id)))
    }),
    patch: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
      const asked = yield* bodyToMake({ request })
      return json(yield* one(yield* subscriptions.patch(yield* caller, params.id, asked)))
    }),
    pause: command(subscriptions.pause),
    resume: command(subscriptions.resume),
    cancel: command(subscriptions.cancel)
  }
}

/** The handlers of the group `subscriptions`. */
export const layer = apiGroup(
  Api,
  "subscriptions",
  Effect.fnUntraced(function* (handlers) {
    const engine = yield* Engine
    const { subscriptions, settings } = engine
    return serving(handlers, {
      ...subscriptionHandlers(engine, { caller: ofKey, maker: () => ofKey, list: subscriptions.list }, (all) =>
        Effect.succeed(all.map((each) => renderSubscription(each)))
      ),
      run: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        const headerKey = request.headers["idempotency-key"]
        return created(yield* subscriptions.run(yield* ofKey, params.id, { headerKey }), settings)
      })
    })
  })
)
