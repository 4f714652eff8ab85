/** `/api/v1/events` over the core's use-cases. */
import { Api } from "@tolem/api/Api"
import { CurrentPrincipal } from "@tolem/api/Security"
import { Engine } from "@tolem/core/engine/Engine"
import { renderFeedPage } from "@tolem/core/feed/FeedJson"
import { Duration, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { apiGroup } from "../http/ApiGroup.ts"
import { serving } from "../http/Contract.ts"
import { roomForPage } from "../http/RequestRoom.ts"
import { RequestState } from "../http/RequestState.ts"
import { json } from "../http/Responses.ts"
import { Draining } from "../operations/Health.ts"

/** How soon requests that wait are answered once the server stops. */
const stopsWithin = "250 millis"

/** Notes how long a request waits. */
const waited = Effect.fnUntraced(function* <A, E, R>(waiting: Effect.Effect<A, E, R>) {
  const [duration, answer] = yield* Effect.timed(waiting)
  const state = yield* RequestState
  if (state !== undefined) state.waitedNanos += Option.getOrElse(Duration.toNanos(duration), () => 0n)
  return answer
})

/** The handlers of the group `events`. */
export const layer = apiGroup(
  Api,
  "events",
  Effect.fnUntraced(function* (handlers) {
    const { access, feed, settings } = yield* Engine
    const draining = yield* Draining
    const stopping = Effect.repeat(Effect.sleep(stopsWithin), { until: () => draining.stopping })

    const list = Effect.gen(function* () {
      const viewer = yield* CurrentPrincipal
      const query = yield* HttpServerRequest.ParsedSearchParams
      const asked = { ...query, ...(Array.isArray(query["types"]) && { types: query["types"].join(",") }) }
      // Room is taken for what is answered, and none while nothing is.
      const awaited = feed.awaited(viewer, asked)
      const waits = query["wait"] !== undefined
      const request = waits ? yield* waited(Effect.raceFirst(awaited, Effect.as(stopping, asked))) : asked
      yield* roomForPage(query["limit"], settings)
      const reader = waits ? yield* access.again(viewer) : viewer
      return json(renderFeedPage(reader, yield* feed.page(reader, request), settings))
    })

    return serving(handlers, { list: () => list })
  })
)
