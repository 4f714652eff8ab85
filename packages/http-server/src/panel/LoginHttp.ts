/** The cabinet's login over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentSession } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import type { SessionHolder } from "@tolem/core/login/LoginStore"
import { loginBegunJson, panelSessionJson } from "@tolem/core/login/SessionJson"
import { referralJson } from "@tolem/core/partner/PartnerClient"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { nothing, object } from "../http/Responses.ts"
import { tokenOf, withoutSession, withSession } from "./PanelSecurity.ts"

/** The handlers of the group `login`. */
export const layer = apiGroup(
  PanelApi,
  "login",
  Effect.fnUntraced(function* (handlers) {
    const { logins, directory, operators, partners, settings } = yield* Engine

    const shown = Effect.fnUntraced(function* (holder: SessionHolder) {
      const { id } = holder.account
      return object(panelSessionJson(holder, yield* directory.parts(id), yield* operators.isOperator(id)))
    })

    const code = Effect.fnUntraced(function* (request: Request) {
      const { phone, channel } = (yield* readJson(request)).object
      const begun = yield* logins.begin({ phone, channel }, addressOf(request))
      return object(loginBegunJson(begun))
    })

    const verify = Effect.fnUntraced(function* (request: Request) {
      const { challengeId, code, name } = (yield* readJson(request)).object
      // Who logs in anew on a device ends what was open there.
      const client = {
        address: addressOf(request),
        userAgent: request.headers["user-agent"] ?? null,
        token: tokenOf(request, settings)
      }
      const opened = yield* logins.finish({ challengeId, code, name }, client)
      return withSession(yield* shown(opened), opened, settings)
    })

    const logout = Effect.fnUntraced(function* (request: Request) {
      yield* readOptionalJson(request)
      const token = tokenOf(request, settings)
      if (token !== undefined) yield* logins.end(token)
      return withoutSession(nothing, settings)
    })

    const session = Effect.flatMap(CurrentSession, shown)

    const referral = Effect.gen(function* () {
      const { account } = yield* CurrentSession
      return object(referralJson(yield* partners.referral(account.id), settings))
    })

    return serving(handlers, {
      code: ({ request }) => code(request),
      verify: ({ request }) => verify(request),
      logout: ({ request }) => logout(request),
      session: () => session,
      referral: () => referral
    })
  })
)

type Request = HttpServerRequest.HttpServerRequest

const addressOf = ({ remoteAddress }: Request): string | null => Option.getOrNull(remoteAddress)
