/** Promises of an adapter for calls that go wrong: what it answers, and that asking afterwards tells the truth. */
import { Answer } from "@tolem/core/provider/Answer"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Fiber } from "effect"
import { expectEqual, expectTrue, PromiseBroken } from "../Expectation.ts"
import { freshId } from "../fixtures.ts"
import { ProviderControl, providerSubject, type Trouble } from "./ProviderCase.ts"
import {
  accepted,
  answeredWith,
  can,
  customer,
  expectNotTaken,
  expectRefunds,
  givenPaid,
  login,
  orderOf,
  refusedWith,
  stateOf
} from "./providerSteps.ts"

const undone: ReadonlyArray<Trouble> = ["lost_request", "server_error", "unreadable"]

const every = providerSubject(
  "a call that goes wrong",
  {
    *"is unknown, and a create that was not taken can be repeated"() {
      const provider = yield* PaymentProvider
      const control = yield* ProviderControl
      const session = yield* login()
      for (const trouble of undone) {
        const order = orderOf(session)
        yield* control.trouble("createQr", trouble)
        yield* answeredWith("Unknown", provider.createQr(order))
        yield* expectNotTaken(order)
        yield* accepted(provider.createQr(order))
      }
    },

    *"is unknown when a state, a login or a check gets no answer"() {
      const provider = yield* PaymentProvider
      const control = yield* ProviderControl
      const { session, reference, order } = yield* givenPaid
      const { findByOurs, findRefunds } = yield* can
      const calls = [
        ["stateByReference", provider.stateByReference({ session, reference })] as const,
        ...(findByOurs ? [["stateByOurs", provider.stateByOurs({ session, ours: order.ours })] as const] : []),
        ...(findRefunds ? [["refundState", provider.refundState({ session, ours: "ref_none" })] as const] : []),
        ["initLogin", provider.initLogin()] as const,
        ["checkSession", provider.checkSession(session)] as const
      ]
      for (const trouble of undone) {
        for (const [name, call] of calls) {
          yield* control.trouble(name, trouble)
          yield* answeredWith("Unknown", call)
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
      yield* expectNotTaken(order)
    },

    *"says how long to wait when it was one too many, and was not done"() {
      const provider = yield* PaymentProvider
      const control = yield* ProviderControl
      const order = orderOf(yield* login())
      yield* control.trouble("createQr", "throttled")
      const answer = yield* provider.createQr(order)
      if (answer._tag !== "Throttled") throw new PromiseBroken(`it is one too many, yet it was ${answer._tag}`)
      expectTrue(Number.isSafeInteger(answer.retryAfterMs) && answer.retryAfterMs > 0, "milliseconds to wait")
      yield* expectNotTaken(order)
    }
  },
  { control: ["trouble"] }
)

const findingPayments = providerSubject(
  "a call that goes wrong",
  {
    *"is unknown, and a create that was taken is found by our id, with its links"() {
      const provider = yield* PaymentProvider
      const control = yield* ProviderControl
      const order = orderOf(yield* login())
      yield* control.trouble("createQr", "lost_answer")
      yield* answeredWith("Unknown", provider.createQr(order))
      const found = yield* accepted(provider.stateByOurs(order))
      expectTrue(found.links !== null, "it can be paid")
      if (!(yield* can).createOnce) return
      expectEqual(yield* accepted(provider.createQr(order)), found, "repeated, it is the same payment")
    }
  },
  { can: ["findByOurs"], control: ["trouble"] }
)

const withdrawing = providerSubject(
  "a call that goes wrong",
  {
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
    }
  },
  { can: ["findByOurs", "push", "cancel"], control: ["trouble"] }
)

const findingRefunds = providerSubject(
  "a call that goes wrong",
  {
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
      yield* expectRefunds(session, payment, [found])
      if (!(yield* can).refundOnce) return
      expectEqual(yield* accepted(provider.refund(made)), found, "repeated, it is the same refund")
      yield* expectRefunds(session, payment, [found])
    }
  },
  { can: ["findRefunds"], control: ["trouble"] }
)

const doneOnce = providerSubject(
  "a call that goes wrong",
  {
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
      yield* expectRefunds(session, payment, [made])
    }
  },
  { can: ["createOnce", "refundOnce"], control: ["trouble"] }
)

/** What every provider adapter must do, of “a call that goes wrong”. */
export const casesOfTroubles = [...every, ...findingPayments, ...withdrawing, ...findingRefunds, ...doneOnce]
