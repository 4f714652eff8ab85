/** The three steps of a cashier's login at the provider: a process, a code sent to a phone, the code given. */
import { Clock, Effect, Option, Redacted, Result } from "effect"
import { type ConnectionNotFound, FieldRefused } from "../error/Refusals.ts"
import type { StorageError } from "../error/StorageError.ts"
import { noProvider } from "../provider/NoProvider.ts"
import { PaymentProvider, type ProviderSession } from "../provider/PaymentProvider.ts"
import { optionalPhone } from "../value/Checks.ts"
import { type ConnectionId, Ids, type LoginProcessId, type OrganizationId } from "../value/Ids.ts"
import type { Connection, Login, LoginCode, LoginPhone } from "./Connection.ts"
import { LoginRefused, loginRefused } from "./ConnectionErrors.ts"
import { ConnectionStore } from "./ConnectionStore.ts"

const maxTries = 5
const loginMs = 600_000

/** What could be a code; about anything else the provider is not asked, and it costs no try. */
export const otpForm = /^[0-9A-Za-z]{1,32}$/

type Changed = Effect.Effect<Connection, ConnectionNotFound | StorageError>

/** The steps. `get` finds the cashier, and `loggedIn` stores the session that the provider has given. */
export const makeLogins = Effect.fnUntraced(function* (
  get: (organizationId: OrganizationId, id: ConnectionId) => Changed,
  loggedIn: (
    organizationId: OrganizationId,
    id: ConnectionId,
    session: ProviderSession,
    phone: string | null
  ) => Changed
) {
  const store = yield* ConnectionStore
  const ids = yield* Ids
  const provider = Option.getOrElse(yield* Effect.serviceOption(PaymentProvider), () => noProvider)

  const initLogin = Effect.fn("Connections.initLogin")(function* (organizationId: OrganizationId, id: ConnectionId) {
    const connection = yield* get(organizationId, id)
    const answer = yield* provider.initLogin()
    if (answer._tag !== "Accepted") return yield* loginRefused(answer, "init")
    const now = yield* Clock.currentTimeMillis
    const login: Login = {
      id: yield* ids.next("prc"),
      connectionId: connection.id,
      organizationId,
      providerProcessId: answer.value.processId,
      phone: null,
      tries: 0,
      expiresAt: Math.min(now + loginMs, answer.value.expiresAt),
      usedAt: null
    }
    yield* store.addLogin(login)
    return login
  })

  const openLogin = Effect.fnUntraced(function* (
    organizationId: OrganizationId,
    id: ConnectionId,
    processId: LoginProcessId
  ) {
    yield* get(organizationId, id)
    const found = Option.getOrUndefined(yield* store.login(id, processId))
    const now = yield* Clock.currentTimeMillis
    if (found === undefined || (found.usedAt === null && found.expiresAt <= now)) {
      return yield* new LoginRefused({ code: "challenge_expired" })
    }
    return found.usedAt === null ? found : yield* new LoginRefused({ code: "challenge_used" })
  })

  const sendPhone = Effect.fn("Connections.sendPhone")(function* (
    organizationId: OrganizationId,
    id: ConnectionId,
    request: LoginPhone
  ) {
    const phone = yield* Effect.fromResult(checkPhone(request.phone))
    const login = yield* openLogin(organizationId, id, request.processId)
    const answer = yield* provider.sendPhone({ processId: login.providerProcessId, phone })
    if (answer._tag !== "Accepted") return yield* loginRefused(answer, "phone")
    yield* store.notePhone(login.id, phone)
    return login
  })

  const verifyOtp = Effect.fn("Connections.verifyOtp")(function* (
    organizationId: OrganizationId,
    id: ConnectionId,
    request: LoginCode
  ) {
    const login = yield* openLogin(organizationId, id, request.processId)
    if (!otpForm.test(Redacted.value(request.otp))) return yield* new LoginRefused({ code: "invalid_code" })
    // Counted before the provider is asked, so that many at once get no more tries than one by one.
    const tries = yield* store.countTry(login.id)
    if (tries > maxTries) return yield* new LoginRefused({ code: "too_many_attempts" })
    const answer = yield* provider.verifyOtp({ processId: login.providerProcessId, otp: request.otp })
    if (answer._tag !== "Accepted") return yield* loginRefused(answer, "otp")
    if (!(yield* store.endLogin(login.id, yield* Clock.currentTimeMillis))) {
      return yield* new LoginRefused({ code: "challenge_used" })
    }
    return yield* loggedIn(organizationId, id, answer.value, login.phone)
  })

  return {
    /** Step 1 of the login. Answers the id of the process, which lives for ten minutes. */
    initLogin,
    /** Step 2: a code is sent to the cashier's phone. */
    sendPhone,
    /** Step 3: with the right code the connection is active. */
    verifyOtp
  }
})

const checkPhone = (value: unknown) =>
  Result.flatMap(
    Result.mapError(optionalPhone(value), (code) => new FieldRefused({ code })),
    (phone) => (phone === null ? Result.fail(new FieldRefused({ code: "invalid_phone" })) : Result.succeed(phone))
  )
