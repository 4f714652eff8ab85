/** Promises of adapters for what their provider cannot do: nothing is said that is not known. */
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { freshId } from "../fixtures.ts"
import { ProviderControl, providerSubject } from "./ProviderCase.ts"
import {
  accepted,
  answeredWith,
  customer,
  givenPaid,
  givenPush,
  givenQr,
  login,
  orderOf,
  refusedWith,
  stateOf
} from "./providerSteps.ts"

const subject = "what the provider cannot do"

/** What adapters of providers that lack an ability must do. */
export const casesOfLacks = [
  ...providerSubject(
    subject,
    {
      *"is to find payments by our ids: it is unknown whether there is one, made or not"() {
        const provider = yield* PaymentProvider
        const { session, order } = yield* givenQr
        for (const ours of [order.ours, freshId("inv")]) {
          yield* answeredWith("Unknown", provider.stateByOurs({ session, ours }))
        }
      }
    },
    { cannot: ["findByOurs"] }
  ),
  ...providerSubject(
    subject,
    {
      *"is to find refunds by our ids: it is unknown whether there is one, made or not"() {
        const provider = yield* PaymentProvider
        const { session, reference } = yield* givenPaid
        const ours = freshId("ref")
        yield* answeredWith("Unknown", provider.refundState({ session, ours }))
        yield* accepted(provider.refund({ session, reference, ours, amount: Tiyn(10_000) }))
        yield* answeredWith("Unknown", provider.refundState({ session, ours }))
      }
    },
    { cannot: ["findRefunds"] }
  ),
  ...providerSubject(
    subject,
    {
      *"is to make one payment for one id: those of one id are kept apart"() {
        const provider = yield* PaymentProvider
        const { session, order, payment } = yield* givenQr
        const again = yield* accepted(provider.createQr(order))
        yield* (yield* ProviderControl).act(again.reference, "pay")
        const isSame = again.reference === payment.reference
        const first = yield* accepted(provider.stateByReference({ session, reference: payment.reference }))
        expectEqual(first.signal._tag, isSame ? "Paid" : "Waiting", "the first of them")
      }
    },
    { cannot: ["createOnce"] }
  ),
  ...providerSubject(
    subject,
    {
      *"is to show what went back: a payment that was given back is a paid one"() {
        const provider = yield* PaymentProvider
        const { session, payment, reference } = yield* givenPaid
        yield* accepted(provider.refund({ session, reference, ours: freshId("ref"), amount: Tiyn(10_000) }))
        const { signal } = yield* stateOf(session, payment)
        expectEqual(signal._tag === "Paid" ? signal.refunds : null, [], "the refunds that it shows")
      }
    },
    { cannot: ["showRefunds"] }
  ),
  ...providerSubject(
    subject,
    {
      *"is to withdraw a push: a cancel changes nothing"() {
        const provider = yield* PaymentProvider
        const { session, payment, reference } = yield* givenPush
        const answer = yield* provider.cancel({ session, reference })
        expectTrue(answer._tag !== "Accepted", "it must not be accepted")
        expectEqual((yield* stateOf(session, payment)).signal._tag, "Waiting", "it can still be paid")
      }
    },
    { can: ["push"], cannot: ["cancel"] }
  ),
  ...providerSubject(
    subject,
    {
      *"is to push: it is refused"() {
        const provider = yield* PaymentProvider
        yield* refusedWith("invalid", provider.createPush({ ...orderOf(yield* login()), phone: customer }))
      }
    },
    { cannot: ["push"] }
  )
]
