/** What members are told of, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentDesk } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import { FieldRefused } from "@tolem/core/error/Refusals"
import { chatInvitationJson, noticesJson } from "@tolem/core/notice/NoticeJson"
import { Effect } from "effect"
import type { One, Sent } from "../api/RequestParts.ts"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { nothing, object } from "../http/Responses.ts"

/** The handlers of the group `notices`. */
export const layer = apiGroup(
  PanelApi,
  "notices",
  Effect.fnUntraced(function* (handlers) {
    const { notices, messengerLinks } = yield* Engine

    const choose = Effect.fnUntraced(function* ({ request, params }: Sent & One) {
      const { object: body } = yield* readJson(request)
      return object(noticesJson(yield* notices.choose(yield* CurrentDesk, params.id, body)))
    })

    const invite = Effect.gen(function* () {
      const { accountId } = yield* CurrentDesk
      const invitation = yield* messengerLinks.invite(accountId)
      if (invitation === null) return yield* new FieldRefused({ code: "no_channel" })
      return object(chatInvitationJson(invitation))
    })

    return serving(handlers, {
      get: Effect.fnUntraced(function* () {
        return object(noticesJson(yield* notices.get(yield* CurrentDesk)))
      }),
      choose,
      test: Effect.fnUntraced(function* ({ params }: One) {
        return object(noticesJson(yield* notices.test(yield* CurrentDesk, params.id)))
      }),
      invite: () => invite,
      leave: Effect.fnUntraced(function* () {
        yield* messengerLinks.leave((yield* CurrentDesk).accountId)
        return nothing
      })
    })
  })
)
