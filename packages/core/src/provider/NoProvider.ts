/** Stands where an application has no provider: nothing is ever done, and nobody waits for it. */
import { Effect } from "effect"
import { refused } from "./Answer.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"

const refuse = () => Effect.succeed(refused("unavailable"))

/** See the file's head. */
export const noProvider: PaymentProvider["Service"] = {
  name: "None",
  createQr: refuse,
  createPush: refuse,
  stateByReference: refuse,
  stateByOurs: refuse,
  cancel: refuse,
  refund: refuse,
  refundState: refuse,
  initLogin: refuse,
  sendPhone: refuse,
  verifyOtp: refuse,
  checkSession: refuse
}
