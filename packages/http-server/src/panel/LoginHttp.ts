/** The cabinet's login over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentSession } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import type { SessionHolder } from "@tolem/core/login/LoginStore"
import { loginBegunJson, sessionJson } from "@tolem/core/login/SessionJson"
import { referralJson } from "@tolem/core/partner/PartnerClient"
import { Effect, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { answered, json } from "../http/Responses.ts"
import { tokenOf, withoutSession, withSession } from "./PanelSecurity.ts"

// A client that hangs up must not cut a write in two.
const write = { uninterruptible: true }

/** The handlers of the group `login`. */
export const layer = HttpApiBuilder.group(
  PanelApi,
  "login",
  Effect.fnUntraced(function* (handlers) {
    const { logins, directory, partners, settings } = yield* Engine

    const shown = Effect.fnUntraced(function* (holder: SessionHolder) {
      return json(JSON.stringify(sessionJson(holder, yield* directory.parts(holder.account.id))))
    })

    const code = Effect.fnUntraced(function* (request: Request) {
      const { object } = yield* readJson(request)
      const begun = yield* logins.begin({ phone: object["phone"], channel: object["channel"] }, addressOf(request))
      return json(JSON.stringify(loginBegunJson(begun)))
    })

    const verify = Effect.fnUntraced(function* (request: Request) {
      const { object } = yield* readJson(request)
      const { challengeId, code, name } = object
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
      return withoutSession(HttpServerResponse.empty({ status: 204 }), settings)
    })

    const session = Effect.flatMap(CurrentSession, shown)

    const referral = Effect.gen(function* () {
      const { account } = yield* CurrentSession
      return json(JSON.stringify(referralJson(yield* partners.referral(account.id), settings)))
    })

    return handlers
      .handleRaw("code", ({ request }) => answered(code(request)), write)
      .handleRaw("verify", ({ request }) => answered(verify(request)), write)
      .handleRaw("logout", ({ request }) => answered(logout(request)), write)
      .handle("session", () => answered(session))
      .handle("referral", () => answered(referral))
  })
)

type Request = HttpServerRequest.HttpServerRequest

const addressOf = ({ remoteAddress }: Request): string | null => Option.getOrNull(remoteAddress)
