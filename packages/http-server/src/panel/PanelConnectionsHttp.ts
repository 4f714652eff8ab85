/** Cashiers of the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { connectionJson, loginJson } from "@tolem/core/connection/Connection"
import { Engine } from "@tolem/core/engine/Engine"
import { isStorable } from "@tolem/core/value/Checks"
import { Effect, Redacted } from "effect"
import type { One, Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { nothing, object } from "../http/Responses.ts"

const textOf = (value: unknown): string => (typeof value === "string" && isStorable(value) ? value : "")

/** The handlers of the group `connections`. */
export const layer = apiGroup(
  PanelApi,
  "connections",
  Effect.fnUntraced(function* (handlers) {
    const { connections, deskConnections } = yield* Engine
    const organizationId = Effect.map(CurrentDesk, ({ organization }) => organization.id)

    return serving(handlers, {
      list: Effect.fnUntraced(function* () {
        return object({ connections: (yield* deskConnections.list(yield* CurrentDesk)).map(connectionJson) })
      }),
      create: Effect.fnUntraced(function* ({ request }: Sent) {
        const { name } = (yield* readJson(request)).object
        return object(connectionJson(yield* connections.create(yield* organizationId, { name })), 201)
      }),
      change: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const { object: body } = yield* readJson(request)
        return object(connectionJson(yield* deskConnections.change(yield* CurrentDesk, params.id, body)))
      }),
      remove: Effect.fnUntraced(function* ({ params }: One) {
        yield* connections.remove(yield* organizationId, textOf(params.id))
        return nothing
      }),
      initLogin: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        yield* readOptionalJson(request)
        return object(loginJson(yield* connections.initLogin(yield* organizationId, textOf(params.id))))
      }),
      sendPhone: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const { processId, phone } = (yield* readJson(request)).object
        const given = { processId: textOf(processId), phone }
        return object(loginJson(yield* connections.sendPhone(yield* organizationId, textOf(params.id), given)))
      }),
      verifyOtp: Effect.fnUntraced(function* ({ request, params }: Sent & One) {
        const { processId, otp } = (yield* readJson(request)).object
        const given = { processId: textOf(processId), otp: Redacted.make(textOf(otp)) }
        return object(connectionJson(yield* connections.verifyOtp(yield* organizationId, textOf(params.id), given)))
      })
    })
  })
)
