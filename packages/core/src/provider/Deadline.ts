/** Puts every call of a provider under a deadline, and turns faults of its adapter into answers. */
import { Duration, Effect } from "effect"
import { Answer } from "./Answer.ts"
import type { Call, Calls } from "./PaymentProvider.ts"

/** Time of one call, in milliseconds: as long as a customer or a cashier waits for a page. */
export const defaultTimeoutMs = 8_000

/**
 * The same calls; none takes longer than `timeoutMs`, none dies. Silence is `Unknown` with `timeout`, and so is a
 * defect, with `defect`, because either may have come after the deed. An interrupted caller stays interrupted.
 */
export const within = (calls: Calls, timeoutMs: number = defaultTimeoutMs): Calls => {
  const bounded =
    <Request extends ReadonlyArray<unknown>, A>(call: Call, run: (...request: Request) => Effect.Effect<Answer<A>>) =>
    (...request: Request): Effect.Effect<Answer<A>> =>
      Effect.suspend(() => run(...request)).pipe(
        Effect.timeoutOrElse({
          duration: Duration.millis(timeoutMs),
          orElse: () => Effect.succeed<Answer<A>>(Answer.Unknown({ reason: "timeout" }))
        }),
        Effect.catchCause((cause) =>
          Effect.logError("Provider: the adapter failed", cause).pipe(
            Effect.annotateLogs({ call }),
            Effect.as(Answer.Unknown({ reason: "defect" }))
          )
        )
      )
  return {
    createQr: bounded("createQr", calls.createQr),
    createPush: bounded("createPush", calls.createPush),
    stateByReference: bounded("stateByReference", calls.stateByReference),
    stateByOurs: bounded("stateByOurs", calls.stateByOurs),
    cancel: bounded("cancel", calls.cancel),
    refund: bounded("refund", calls.refund),
    refundState: bounded("refundState", calls.refundState),
    listOperations: bounded("listOperations", calls.listOperations),
    initLogin: bounded("initLogin", calls.initLogin),
    sendPhone: bounded("sendPhone", calls.sendPhone),
    verifyOtp: bounded("verifyOtp", calls.verifyOtp),
    checkSession: bounded("checkSession", calls.checkSession)
  }
}
