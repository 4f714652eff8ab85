/** A person's own sessions in the cabinet, over the core's use-cases. */
import { PanelApi } from "@tolem/api/PanelApi"
import { CurrentSession } from "@tolem/api/PanelSecurity"
import { Engine } from "@tolem/core/engine/Engine"
import type { SessionHolder } from "@tolem/core/login/LoginStore"
import { emailBegunJson, loginBegunJson, panelSessionJson, sessionsJson } from "@tolem/core/login/SessionJson"
import { Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { apiGroup } from "../http/ApiGroup.ts"
import { readJson, readOptionalJson } from "../http/Bodies.ts"
import { serving } from "../http/Contract.ts"
import { nothing, object } from "../http/Responses.ts"

/** The handlers of the group `sessions`. */
export const layer = apiGroup(
  PanelApi,
  "sessions",
  Effect.fnUntraced(function* (handlers) {
    const { logins, directory, operators } = yield* Engine

    const list = Effect.gen(function* () {
      const { session, account } = yield* CurrentSession
      return object(sessionsJson(yield* logins.sessions(account.id), session.id))
    })
    const endOthers = Effect.gen(function* () {
      const { session, account } = yield* CurrentSession
      return object({ ended: yield* logins.endOthers(account.id, session.id) })
    })
    const endOne = Effect.fnUntraced(function* (id: string) {
      const { account } = yield* CurrentSession
      yield* logins.endOne(account.id, id)
      return nothing
    })

    const code = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { channel } = (yield* readOptionalJson(request)).object
      const { account } = yield* CurrentSession
      const begun = logins.begin({ phone: account.phone, channel }, Option.getOrNull(request.remoteAddress))
      // The phone of an account is one.
      return object(loginBegunJson(yield* Effect.catchTag(begun, "FieldRefused", Effect.die)))
    })
    const verify = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { challengeId, code } = (yield* readJson(request)).object
      return yield* shown(yield* logins.confirm(yield* CurrentSession, { challengeId, code }))
    })

    const shown = Effect.fnUntraced(function* (holder: SessionHolder) {
      const { id } = holder.account
      return object(panelSessionJson(holder, yield* directory.parts(id), yield* operators.isOperator(id)))
    })
    const rename = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { name } = (yield* readJson(request)).object
      return yield* shown(yield* logins.rename(yield* CurrentSession, name))
    })
    const emailCode = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { email } = (yield* readJson(request)).object
      return object(emailBegunJson(yield* logins.beginEmail(yield* CurrentSession, email)))
    })
    const confirmEmail = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
      const { email, challengeId, code } = (yield* readJson(request)).object
      return yield* shown(yield* logins.confirmEmail(yield* CurrentSession, { email, challengeId, code }))
    })
    const removeEmail = Effect.gen(function* () {
      yield* logins.removeEmail(yield* CurrentSession)
      return nothing
    })

    return serving(handlers, {
      rename: ({ request }) => rename(request),
      emailCode: ({ request }) => emailCode(request),
      confirmEmail: ({ request }) => confirmEmail(request),
      removeEmail: () => removeEmail,
      code: ({ request }) => code(request),
      verify: ({ request }) => verify(request),
      list: () => list,
      endOthers: () => endOthers,
      endOne: ({ params }) => endOne(params.id)
    })
  })
)
