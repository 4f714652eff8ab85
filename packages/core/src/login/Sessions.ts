/** What is done with sessions that are open: they are used, listed and ended. Part of `Logins`. */

import { Clock, Context, Effect, Option, type Redacted } from "effect"
import { Digest } from "effect/crypto"
import { Unauthorized } from "../access/Access.ts"
import { CurrentActor, recordOf } from "../audit/Audit.ts"
import { refusal } from "../error/Refusal.ts"
import { AccountBlocked } from "../error/Refusals.ts"
import { isStorable } from "../value/Checks.ts"
import { type AccountId, Ids, type SessionId } from "../value/Ids.ts"
import { LoginSettings } from "./LoginSettings.ts"
import { LoginStore } from "./LoginStore.ts"
import { isLive, seen } from "./Session.ts"
import * as SessionToken from "./SessionToken.ts"

/** The account has no such session, or it has ended. */
export class SessionNotFound extends refusal("SessionNotFound", "session_not_found") {}

/** The verbs of sessions that are open, over the store. */
export const make = Effect.gen(function* () {
  const store = yield* LoginStore
  const ids = yield* Ids
  const limits = (yield* LoginSettings).login.session
  const digests = Context.make(Digest.Digest, yield* Digest.Digest)

  const ended = (subject: string, detail: string | null = null) =>
    recordOf(ids, { action: "session.ended", organizationId: null, subject, detail })

  const session = Effect.fn("Logins.session")(function* (token: Redacted.Redacted) {
    if (!SessionToken.isWellFormed(token)) return yield* new Unauthorized()
    const found = yield* store.findSession(yield* SessionToken.digestOf(token))
    const now = yield* Clock.currentTimeMillis
    if (Option.isNone(found)) return yield* new Unauthorized()
    const { session, account } = found.value
    // Those of a blocked account have ended with the block: their owners are told why.
    if (account.status === "blocked") return yield* new AccountBlocked()
    if (!isLive(session, now)) return yield* new Unauthorized()
    const next = seen(session, now, limits)
    if (next !== session) yield* store.touchSession(next, session.seenAt)
    return { session: next, account }
  }, Effect.provideContext(digests))

  const end = Effect.fn("Logins.end")(function* (token: Redacted.Redacted) {
    if (!SessionToken.isWellFormed(token)) return
    const digest = yield* SessionToken.digestOf(token)
    const found = yield* store.findSession(digest)
    const now = yield* Clock.currentTimeMillis
    if (Option.isNone(found) || !isLive(found.value.session, now)) return
    const { id, accountId } = found.value.session
    const { origin } = yield* CurrentActor
    const audit = Effect.provideService(ended(id), CurrentActor, { kind: "account", id: accountId, origin })
    yield* store.revoke({ digest }, now, yield* audit)
  }, Effect.provideContext(digests))

  const endOne = Effect.fn("Logins.endOne")(function* (accountId: AccountId, id: SessionId) {
    const whose = { accountId, id: isStorable(id) ? id : "" }
    const count = yield* store.revoke(whose, yield* Clock.currentTimeMillis, yield* ended(id))
    if (count === 0) return yield* new SessionNotFound()
  })

  const endOthers = Effect.fn("Logins.endOthers")(function* (accountId: AccountId, id: SessionId) {
    const audit = yield* ended(accountId, `all but ${id}`)
    return yield* store.revoke({ accountId, except: id }, yield* Clock.currentTimeMillis, audit)
  })

  const endAll = Effect.fn("Logins.endAll")(function* (accountId: AccountId) {
    return yield* store.revoke({ accountId }, yield* Clock.currentTimeMillis, yield* ended(accountId, "all"))
  })

  const sessions = Effect.fn("Logins.sessions")(function* (accountId: AccountId) {
    return yield* store.sessions(accountId, yield* Clock.currentTimeMillis)
  })

  return {
    /** Who uses a token. A live session is prolonged by it. */
    session,
    /** The live sessions of an account, newest first; at most `settings.login.maxSessions`. */
    sessions,
    /** Ends the session of a token at once, whether it is live or there is none. */
    end,
    /** Ends one session of an account at once. */
    endOne,
    /** Ends every session of an account but this one, and answers how many were live. */
    endOthers,
    /** Ends every session of an account at once, and answers how many were live. */
    endAll
  }
})
