/** Subscriptions of the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { callerOf } from "@tolem/core/cabinet/Desks"
import { Engine } from "@tolem/core/engine/Engine"
import {
  calendarJson,
  deskExtras,
  runPageJson,
  subscriptionSumsJson
} from "@tolem/core/subscription/outlook/OutlookJson"
import type { Subscription } from "@tolem/core/subscription/Subscription"
import { renderSubscription } from "@tolem/core/subscription/SubscriptionJson"
import { toIso } from "@tolem/core/value/Calendar"
import type { JsonObject } from "@tolem/core/value/Checks"
import { arrayText, withRawMember } from "@tolem/core/value/RawJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { created } from "../api/InvoicesHttp.ts"
import type { One, Sent } from "../api/RequestParts.ts"
import { subscriptionHandlers } from "../api/SubscriptionsHttp.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { json, object } from "../http/Responses.ts"

/** The handlers of the group `panelSubscriptions`. */
export const layer = apiGroup(
  PanelApi,
  "panelSubscriptions",
  Effect.fnUntraced(function* (handlers) {
    const engine = yield* Engine
    const { subscriptions, subscriptionReports: reports, deskConnections, settings } = engine
    const caller = Effect.map(CurrentDesk, (desk) => callerOf(desk, null))
    const render = Effect.fnUntraced(function* (all: ReadonlyArray<Subscription>) {
      const shown = yield* reports.upcoming(yield* caller, all)
      return shown.map(({ subscription, upcoming }) =>
        renderSubscription(subscription, deskExtras(subscription, upcoming))
      )
    })
    const maker = Effect.fnUntraced(function* (body: JsonObject) {
      const desk = yield* CurrentDesk
      return callerOf(desk, yield* deskConnections.named(desk, body["connectionId"]))
    })
    return serving(handlers, {
      ...subscriptionHandlers(engine, { caller, maker, list: reports.page }, render),
      run: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        const headerKey = request.headers["idempotency-key"]
        return created(yield* subscriptions.run(yield* caller, params.id, { headerKey }), settings)
      }),
      sums: Effect.fnUntraced(function* () {
        return object(subscriptionSumsJson(yield* reports.sums(yield* caller)))
      }),
      calendar: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(calendarJson(yield* reports.calendar(yield* caller, query)))
      }),
      calendarDay: Effect.fnUntraced(function* () {
        const query = yield* HttpServerRequest.ParsedSearchParams
        const { due, ...page } = yield* reports.day(yield* caller, query)
        const texts = yield* render(due.map(({ subscription }) => subscription))
        const items = due.map(({ at }, index) =>
          withRawMember({ runsAt: at.map(toIso) }, "subscription", texts[index]!)
        )
        return json(withRawMember(page, "due", arrayText(items)))
      }),
      runs: Effect.fnUntraced(function* ({ params }: One) {
        const query = yield* HttpServerRequest.ParsedSearchParams
        return object(runPageJson(yield* reports.runs(yield* caller, params.id, query)))
      }),
      preview: Effect.fnUntraced(function* ({ request }: Sent) {
        const { object: body } = yield* readJson(request)
        return object({ dates: (yield* reports.preview(yield* caller, body)).map(toIso) })
      }),
      previewChange: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const { object: body } = yield* readJson(request)
        return object({ dates: (yield* reports.previewChange(yield* caller, params.id, body)).map(toIso) })
      })
    })
  })
)
