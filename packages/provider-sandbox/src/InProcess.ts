/** The port's adapter over a bank in this process: what a fault would do to a connection, it does to the call. */

import { Answer, map } from "@tolem/core/provider/Answer"
import * as Deadline from "@tolem/core/provider/Deadline"
import { guarded } from "@tolem/core/provider/Guarded"
import { type Calls, PaymentProvider, type ProviderSession } from "@tolem/core/provider/PaymentProvider"
import { Clock, Duration, Effect, Layer, Redacted } from "effect"
import type { Reply } from "./Reply.ts"
import type { SandboxBank } from "./SandboxBank.ts"

/** How the adapter behaves. */
export interface Options {
  /** Time of one call, in milliseconds; see `Deadline`. */
  readonly timeoutMs?: number | undefined
}

/** The port over `bank`. Waiting takes the time of the calling fiber's clock. */
export const make = (bank: SandboxBank, options: Options = {}): PaymentProvider["Service"] => {
  const token = (session: ProviderSession) => Redacted.value(session)
  const calls: Calls = {
    createQr: ({ session, ...order }) =>
      call((now) => bank.calls.create(token(session), { ...order, phone: null }, now)),
    createPush: ({ session, ...order }) => call((now) => bank.calls.create(token(session), order, now)),
    stateByReference: ({ session, reference }) =>
      call((now) => bank.calls.stateByReference(token(session), reference, now)),
    stateByOurs: ({ session, ours }) => call((now) => bank.calls.stateByOurs(token(session), ours, now)),
    cancel: ({ session, reference }) => call((now) => bank.calls.cancel(token(session), reference, now)),
    refund: ({ session, ...order }) => call((now) => bank.calls.refund(token(session), order, now)),
    refundState: ({ session, ours }) => call((now) => bank.calls.refundState(token(session), ours, now)),
    listOperations: ({ session, ...order }) => call((now) => bank.calls.listOperations(token(session), order, now)),
    initLogin: () => call((now) => bank.calls.initLogin(now)),
    sendPhone: ({ processId, phone }) => call((now) => bank.calls.sendPhone(processId, phone, now)),
    verifyOtp: ({ processId, otp }) =>
      Effect.map(
        call((now) => bank.calls.verifyOtp(processId, Redacted.value(otp), now)),
        (answer) => map(answer, (session): ProviderSession => Redacted.make(session))
      ),
    checkSession: (session) => call((now) => bank.calls.checkSession(token(session), now))
  }
  const can = Effect.succeed(bank.can)
  return { name: "Sandbox", can, ...Deadline.within(guarded(calls, can), options.timeoutMs) }
}

/** See `make`. */
export const layer = (bank: SandboxBank, options: Options = {}): Layer.Layer<PaymentProvider> =>
  Layer.succeed(PaymentProvider, make(bank, options))

const call = Effect.fnUntraced(function* <A>(perform: (now: number) => Reply<A>) {
  const reply = perform(yield* Clock.currentTimeMillis)
  switch (reply.kind) {
    case "answer":
      if (reply.afterMs > 0) yield* Effect.sleep(Duration.millis(reply.afterMs))
      return reply.answer(yield* Clock.currentTimeMillis)
    case "silence":
      return yield* Effect.never
    case "drop":
      return Answer.Unknown({ reason: "connection" })
    case "error":
      return Answer.Unknown({ reason: "server_error" })
    case "garbage":
      return Answer.Unknown({ reason: "unreadable" })
  }
})
