/** Promises of an adapter for calls that go wrong: what it answers, and that asking afterwards tells the truth. */
import { Answer } from "@tolem/core/provider/Answer"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Fiber } from "effect"
import { expectEqual, expectTrue, PromiseBroken } from "../Expectation.ts"
import { freshId } from "../fixtures.ts"
import { ProviderControl, providerSubject, type Trouble } from "./ProviderCase.ts"
import { accepted, answeredWith, customer, givenPaid, login, orderOf, refusedWith, stateOf } from "./providerSteps.ts"

const undone: ReadonlyArray<Trouble> = ["lost_request", "server_error", "unreadable"]

/** What every provider adapter must do, of “a call that goes wrong”. */
export const casesOfTroubles = providerSubject("a call that goes wrong", {
  *"is unknown, and a create that was not taken can be repeated"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const session = yield* login()
    for (const trouble of undone) {
      const order = orderOf(session)
      yield* control.trouble("createQr", trouble)
      yield* answeredWith("Unknown", provider.createQr(order))
      yield* refusedWith("not_found", provider.stateByOurs(order))
      yield* accepted(provider.createQr(order))
    }
  },

  *"is unknown, and a create that was taken is found by our id, with its links"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const order = orderOf(yield* login())
    yield* control.trouble("createQr", "lost_answer")
    yield* answeredWith("Unknown", provider.createQr(order))
    const found = yield* accepted(provider.stateByOurs(order))
    expectTrue(found.links !== null, "it can be paid")
    expectEqual(yield* accepted(provider.createQr(order)), found, "repeated, it is the same payment")
  },

  *"is unknown, and so for a push"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const order = { ...orderOf(yield* login()), phone: customer }
    yield* control.trouble("createPush", "lost_answer")
    yield* answeredWith("Unknown", provider.createPush(order))
    const found = yield* accepted(provider.stateByOurs(order))
    const { session } = order
    yield* control.trouble("cancel", "lost_answer")
    yield* answeredWith("Unknown", provider.cancel({ session, reference: found.reference }))
    expectEqual((yield* stateOf(session, found)).signal._tag, "Cancelled", "the cancel was done")
  },

  *"is unknown, and a refund was made exactly if it is found"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const { session, payment, reference } = yield* givenPaid
    const request = () => ({ session, reference, ours: freshId("ref"), amount: Tiyn(10_000) })
    for (const trouble of undone) {
      const lost = request()
      yield* control.trouble("refund", trouble)
      yield* answeredWith("Unknown", provider.refund(lost))
      yield* refusedWith("not_found", provider.refundState(lost))
    }
    const made = request()
    yield* control.trouble("refund", "lost_answer")
    yield* answeredWith("Unknown", provider.refund(made))
    const found = yield* accepted(provider.refundState(made))
    expectEqual(yield* accepted(provider.refund(made)), found, "repeated, it is the same refund")
    const { signal } = yield* stateOf(session, payment)
    expectEqual(signal._tag === "Paid" ? signal.refunds : [], [found], "the payment shows one")
  },

  *"is unknown when a state, a login or a check gets no answer"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const { session, reference, payment } = yield* givenPaid
    const calls = {
      stateByReference: provider.stateByReference({ session, reference }),
      stateByOurs: provider.stateByOurs({ session, ours: payment.ours }),
      refundState: provider.refundState({ session, ours: "ref_none" }),
      initLogin: provider.initLogin(),
      checkSession: provider.checkSession(session)
    }
    for (const trouble of undone) {
      for (const name of ["stateByReference", "stateByOurs", "refundState", "initLogin", "checkSession"] as const) {
        yield* control.trouble(name, trouble)
        yield* answeredWith("Unknown", calls[name])
      }
    }
  },

  *"ends at the deadline without an answer"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const order = orderOf(yield* login())
    yield* control.trouble("createQr", "silence")
    const call = yield* Effect.forkChild(provider.createQr(order), { startImmediately: true })
    yield* control.passTime(control.deadlineMs)
    expectEqual(yield* Fiber.join(call), Answer.Unknown({ reason: "timeout" }), "the answer")
    yield* refusedWith("not_found", provider.stateByOurs(order))
  },

  *"says how long to wait when it was one too many, and was not done"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const order = orderOf(yield* login())
    yield* control.trouble("createQr", "throttled")
    const answer = yield* provider.createQr(order)
    if (answer._tag !== "Throttled") throw new PromiseBroken(`it is one too many, yet it was ${answer._tag}`)
    expectTrue(Number.isSafeInteger(answer.retryAfterMs) && answer.retryAfterMs > 0, "milliseconds to wait")
    yield* refusedWith("not_found", provider.stateByOurs(order))
  },

  *"because it arrives twice does everything once"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const session = yield* login()
    yield* control.trouble("createQr", "twice")
    const payment = yield* accepted(provider.createQr(orderOf(session)))
    yield* control.act(payment.reference, "pay")
    yield* control.trouble("refund", "twice")
    const { reference } = payment
    const refund = { session, reference, ours: freshId("ref"), amount: Tiyn(100_000) }
    const made = yield* accepted(provider.refund(refund))
    const { signal } = yield* stateOf(session, payment)
    expectEqual(signal._tag === "Paid" ? signal.refunds : [], [made], "one refund")
  }
})
