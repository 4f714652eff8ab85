/** What members are told in the cabinet, over the core's use-cases: what needs attention, and what changes. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk, CurrentSession } from "@tolem/api/PanelSecurity"
import { attentionJson } from "@tolem/core/attention/AttentionJson"
import type { DeskChange } from "@tolem/core/attention/DeskChange"
import type { Listener } from "@tolem/core/attention/DeskChanges"
import { Engine } from "@tolem/core/engine/Engine"
import { cursorFrom, cursorText } from "@tolem/core/feed/Cursor"
import { TooManyWaiting } from "@tolem/core/feed/FeedWatch"
import type { Tenant } from "@tolem/core/value/Tenant"
import { Duration, Effect, Option, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { apiGroup } from "../http/ApiGroup.ts"
import { serving } from "../http/Contract.ts"
import { type JsonAnswer, object, unkept } from "../http/Responses.ts"
import { Draining } from "../operations/Health.ts"

/** How soon those who listen are let go once the server stops. */
const stopsWithin = "250 millis"

/** The handlers of the group `attention`. */
export const layer = apiGroup(
  PanelApi,
  "attention",
  Effect.fnUntraced(function* (handlers) {
    const { attention, deskChanges, settings } = yield* Engine
    const { beatMs, holdMs } = settings.watching
    const draining = yield* Draining
    const stopping = Effect.repeat(Effect.sleep(stopsWithin), { until: () => draining.stopping })

    const heard = ({ next }: Listener, untilMs: number) =>
      Effect.raceFirst(next, Effect.as(stopping, null)).pipe(Effect.timeoutOption(Duration.millis(untilMs)))

    const told = (tenant: Tenant, listener: Listener) =>
      Stream.unfold(
        { leftMs: holdMs, isBegun: false },
        Effect.fnUntraced(function* ({ leftMs, isBegun }) {
          if (!isBegun)
            return [`retry: 2000\nid: ${cursorText(tenant, listener.from)}\n\n`, { leftMs, isBegun: true }] as const
          if (leftMs <= 0 || draining.stopping) return undefined
          const found = yield* heard(listener, Math.min(beatMs, leftMs))
          const rest = { leftMs: leftMs - beatMs, isBegun }
          // A line that says nothing keeps proxies from giving the connection up.
          if (Option.isNone(found)) return [":\n\n", rest] as const
          return found.value === null ? undefined : ([linesOf(tenant, found.value), { leftMs, isBegun }] as const)
        })
      )

    return serving(handlers, {
      attention: Effect.fnUntraced(function* () {
        return object(attentionJson(yield* attention.list(yield* CurrentDesk)))
      }),
      changes: Effect.fnUntraced(function* () {
        const desk = yield* CurrentDesk
        const { session } = yield* CurrentSession
        const { headers, method } = yield* HttpServerRequest.HttpServerRequest
        const tenant = { organizationId: desk.organization.id, mode: desk.mode }
        const after = cursorFrom(tenant, headers["last-event-id"] ?? "")
        if (method !== "HEAD" && deskChanges.isFull(desk, session.id)) return yield* new TooManyWaiting()
        // Taken by the stream itself: one that is never begun holds no place.
        const held = Stream.unwrap(
          Effect.map(deskChanges.listen(desk, session.id, after), (listener) =>
            Stream.ensuring(told(tenant, listener), Effect.sync(listener.leave))
          )
        )
        const body = held.pipe(
          Stream.catchCause(() => Stream.empty),
          Stream.encodeText
        )
        return HttpServerResponse.stream(body, {
          contentType: "text/event-stream",
          // Proxies would keep lines back until there are many.
          headers: { ...unkept, "x-accel-buffering": "no" }
        }) as JsonAnswer<string>
      })
    })
  })
)

const linesOf = (tenant: Tenant, changes: ReadonlyArray<DeskChange>): string =>
  changes
    .map(({ cursor, ...change }) => {
      const id = cursor === null ? "" : `id: ${cursorText(tenant, cursor)}\n`
      return `${id}data: ${JSON.stringify(change)}\n\n`
    })
    .join("")
