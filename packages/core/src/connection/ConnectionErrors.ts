/** Why a cashier cannot be used, changed or logged in. */
import { Data, Effect } from "effect"
import type { Code } from "../error/ErrorCatalog.ts"
import type { NotAccepted } from "../provider/Answer.ts"

/** The cashier must log in again. */
export class ProviderSessionExpired extends Data.TaggedError("ProviderSessionExpired") {
  readonly code = "provider_session_expired"
}

/** There is a cashier, but none that works. */
export class ConnectionNotActive extends Data.TaggedError("ConnectionNotActive") {
  readonly code = "connection_not_active"
}

/** Keys are bound to it. */
export class ConnectionHasKeys extends Data.TaggedError("ConnectionHasKeys") {
  readonly code = "connection_has_keys"
}

/** A step of a login was refused; `code` says why. */
export class LoginRefused extends Data.TaggedError("LoginRefused")<{ readonly code: Code }> {}

/** The step of the login that the provider did not take. */
export const loginRefused = (answer: NotAccepted): Effect.Effect<never, LoginRefused> =>
  Effect.fail(new LoginRefused({ code: codeOf(answer) }))

const codeOf = (answer: NotAccepted): Code => {
  if (answer._tag !== "Refused") return "provider_error"
  switch (answer.code) {
    case "number_rejected":
      return "cashier_number_rejected"
    case "wrong_code":
      return "invalid_code"
    case "too_many_codes":
      return "too_many_attempts"
    case "process_expired":
      return "challenge_expired"
    case "process_used":
      return "challenge_used"
    case "unavailable":
      return "no_provider"
    default:
      return "provider_error"
  }
}
