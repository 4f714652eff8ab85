/** For applications without a provider: nothing is ever done, and no caller waits. */
import { Effect } from "effect"
import { refused } from "./Answer.ts"
import type { PaymentProvider } from "./PaymentProvider.ts"

const refuse = () => Effect.succeed(refused("unavailable"))

/** Answers every call that nothing was done. */
export const noProvider: PaymentProvider["Service"] = {
  name: "None",
  createQr: refuse,
  createPush: refuse,
  stateByReference: refuse,
  stateByOurs: refuse,
  cancel: refuse,
  refund: refuse,
  refundState: refuse,
  listOperations: refuse,
  initLogin: refuse,
  sendPhone: refuse,
  verifyOtp: refuse,
  checkSession: refuse
}
