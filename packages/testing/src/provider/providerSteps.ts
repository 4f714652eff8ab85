/** Steps that cases of the provider suite are made of. */

import type { Answer, RefusalCode } from "@tolem/core/provider/Answer"
import { abilitiesOf } from "@tolem/core/provider/Guarded"
import type { MadeRefund, Payment } from "@tolem/core/provider/Payment"
import { PaymentProvider, type ProviderSession, type QrRequest } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Redacted } from "effect"
import { expectEqual, PromiseBroken } from "../Expectation.ts"
import { freshId } from "../fixtures.ts"
import { ProviderControl } from "./ProviderCase.ts"

/** The value of a call that must be accepted. */
export const accepted = <A, R>(call: Effect.Effect<Answer<A>, never, R>): Effect.Effect<A, never, R> =>
  Effect.map(call, (answer) => {
    if (answer._tag === "Accepted") return answer.value
    throw new PromiseBroken(`it must be accepted, and was ${JSON.stringify(answer)}`)
  })

/** A call that must be refused with this code. */
export const refusedWith = <R>(
  code: RefusalCode,
  call: Effect.Effect<Answer<unknown>, never, R>
): Effect.Effect<void, never, R> =>
  Effect.map(call, (answer) => expectEqual(codeOf(answer), `Refused ${code}`, "it must be refused, for this reason"))

/** A call whose answer must be of this kind. */
export const answeredWith = <R>(
  tag: Answer<unknown>["_tag"],
  call: Effect.Effect<Answer<unknown>, never, R>
): Effect.Effect<void, never, R> => Effect.map(call, (answer) => expectEqual(answer._tag, tag, "the kind of answer"))

const codeOf = (answer: Answer<unknown>) => (answer._tag === "Refused" ? `Refused ${answer.code}` : answer._tag)

/** A new session of the first or the second cashier. */
export const login = Effect.fnUntraced(function* (who: 0 | 1 = 0) {
  const provider = yield* PaymentProvider
  const { cashiers, codes } = yield* ProviderControl
  const { processId } = yield* accepted(provider.initLogin())
  yield* accepted(provider.sendPhone({ processId, phone: cashiers[who] }))
  return yield* accepted(provider.verifyOtp({ processId, otp: Redacted.make(codes.right) }))
})

/** A request for 1 500 tenge with an id of its own. */
export const orderOf = (session: ProviderSession, members: Partial<QrRequest> = {}): QrRequest => ({
  session,
  ours: freshId("inv"),
  amount: Tiyn(150_000),
  description: "Екі кофе",
  ...members
})

/** A customer's phone. */
export const customer = "77012345678"

/** A session and a QR that it made. */
export const givenQr = Effect.gen(function* () {
  const provider = yield* PaymentProvider
  const session = yield* login()
  const order = orderOf(session)
  const payment = yield* accepted(provider.createQr(order))
  return { session, order, payment, reference: payment.reference }
})

/** The same, paid. */
export const givenPaid = Effect.gen(function* () {
  const given = yield* givenQr
  yield* (yield* ProviderControl).act(given.reference, "pay")
  return given
})

/** A session and a push that it made. */
export const givenPush = Effect.gen(function* () {
  const provider = yield* PaymentProvider
  const session = yield* login()
  const payment = yield* accepted(provider.createPush({ ...orderOf(session), phone: customer }))
  return { session, payment, reference: payment.reference }
})

/** What the provider under test can do. */
export const can = Effect.flatMap(PaymentProvider, abilitiesOf)

/** The state of a payment, asked for in both ways, which must agree. */
export const stateOf = Effect.fnUntraced(function* (session: ProviderSession, { reference, ours }: Payment) {
  const provider = yield* PaymentProvider
  const state = yield* accepted(provider.stateByReference({ session, reference }))
  if (ours === null || !(yield* can).findByOurs) return state
  const again = yield* accepted(provider.stateByOurs({ session, ours }))
  expectEqual(again, state, "the same by our id as by the provider's reference")
  return state
})

/** Fails unless the state is the one that a call answered, as far as this provider keeps it. */
export const expectState = Effect.fnUntraced(function* (state: Payment, answered: Payment) {
  const { findByOurs } = yield* can
  const kept = ({ reference, amount, expiresAt, signal }: Payment) => ({ reference, amount, expiresAt, signal })
  if (findByOurs) expectEqual(state, answered, "the state is what the call answered")
  else expectEqual(kept(state), kept(answered), "the state is what the call answered")
})

/** A refund that was answered must be the one that its payment shows, if payments show what went back. */
export const expectRefunds = Effect.fnUntraced(function* (
  session: ProviderSession,
  payment: Payment,
  made: ReadonlyArray<MadeRefund>
) {
  const { signal } = yield* stateOf(session, payment)
  if (signal._tag !== "Paid") throw new PromiseBroken(`a refunded payment is a paid one, not ${signal._tag}`)
  if ((yield* can).showRefunds) expectEqual(signal.refunds, made, "what the payment shows of its refunds")
})

/** No create of this id was taken, as far as this provider can tell. */
export const expectNotTaken = Effect.fnUntraced(function* (order: QrRequest) {
  if ((yield* can).findByOurs) yield* refusedWith("not_found", (yield* PaymentProvider).stateByOurs(order))
})
