/** The operators' console about the platform as a whole, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { Engine } from "@tolem/core/engine/Engine"
import { refundAnswerJson } from "@tolem/core/operator/console/ConsoleJson"
import { healthJson } from "@tolem/core/platform/HealthJson"
import { workCountsJson, workJson } from "@tolem/core/platform/WorkJson"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import type { One, Sent } from "../../api/RequestParts.ts"
import { apiGroup } from "../../http/ApiGroup.ts"
import { readJson } from "../../http/Bodies.ts"
import { serving } from "../../http/Contract.ts"
import { object } from "../../http/Responses.ts"

/** The handlers of the group `operatorPlatform`. */
export const layer = apiGroup(
  PanelApi,
  "operatorPlatform",
  Effect.fnUntraced(function* (handlers) {
    const { platformHealth, platformWork, refundQuestions } = yield* Engine
    return serving(handlers, {
      health: Effect.fnUntraced(function* () {
        return object(healthJson(yield* platformHealth.look()))
      }),
      counts: Effect.fnUntraced(function* () {
        return object(workCountsJson(yield* platformWork.counts()))
      }),
      work: Effect.fnUntraced(function* ({ params }: { readonly params: { readonly kind: string } }) {
        return object(workJson(yield* platformWork.list(params.kind, yield* HttpServerRequest.ParsedSearchParams)))
      }),
      ask: Effect.fnUntraced(function* ({ request, params }: One & Sent) {
        const { object: body } = yield* readJson(request)
        return object(refundAnswerJson(yield* refundQuestions.ask(params.id, body)))
      })
    })
  })
)
