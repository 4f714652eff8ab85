/** Why a cashier cannot be used, changed or logged in. */

import { Data } from "effect"
import type { Code } from "../error/ErrorCatalog.ts"
import { refusal } from "../error/Refusal.ts"
import type { NotAccepted } from "../provider/Answer.ts"

/** The cashier must log in again. */
export class ProviderSessionExpired extends refusal("ProviderSessionExpired", "provider_session_expired") {}

/** There is a cashier, but none that works. */
export class ConnectionNotActive extends refusal("ConnectionNotActive", "connection_not_active") {}

/** Keys are bound to it. */
export class ConnectionHasKeys extends refusal("ConnectionHasKeys", "connection_has_keys") {}

/** Why any step of a login may be refused. */
type StepCode = "provider_error" | "no_provider"

/** Why a step may be refused that goes on with a login: the second and the third. */
type LaterCode = StepCode | "challenge_expired" | "challenge_used"

/** Codes of refusals by the step of the login. */
export interface LoginCodes {
  readonly init: StepCode
  readonly phone: LaterCode | "cashier_number_rejected"
  readonly otp: LaterCode | "invalid_code" | "too_many_attempts"
}

/** A step of a login was refused; `code` says why. */
export class LoginRefused<
  C extends LoginCodes[keyof LoginCodes] = LoginCodes[keyof LoginCodes]
> extends Data.TaggedError("LoginRefused")<{ readonly code: C }> {}

/** The step of the login that the provider did not take. What it cannot mean by this step is an error of its own. */
export const loginRefused = <Step extends keyof LoginCodes>(answer: NotAccepted, step: Step) => {
  const code = codeOf(answer)
  return new LoginRefused<LoginCodes[Step]>({ code: isOf(step, code) ? code : "provider_error" })
}

const later = ["provider_error", "no_provider", "challenge_expired", "challenge_used"] as const
const codes: { readonly [Step in keyof LoginCodes]: ReadonlyArray<LoginCodes[Step]> } = {
  init: ["provider_error", "no_provider"],
  phone: [...later, "cashier_number_rejected"],
  otp: [...later, "invalid_code", "too_many_attempts"]
}

const isOf = <Step extends keyof LoginCodes>(step: Step, code: Code): code is LoginCodes[Step] =>
  codes[step].some((one) => one === code)

const codeOf = (answer: NotAccepted): LoginCodes[keyof LoginCodes] => {
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
