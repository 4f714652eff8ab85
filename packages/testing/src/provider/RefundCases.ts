/** Promises of refunds. */
import type { Payment } from "@tolem/core/provider/Payment"
import { PaymentProvider, type ProviderSession } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect } from "effect"
import { expectEqual, PromiseBroken } from "../Expectation.ts"
import { freshId } from "../fixtures.ts"
import { ProviderControl, providerSubject } from "./ProviderCase.ts"
import { accepted, givenPaid, givenQr, refusedWith, stateOf } from "./providerSteps.ts"

const refundsOf = Effect.fnUntraced(function* (session: ProviderSession, payment: Payment) {
  const { signal } = yield* stateOf(session, payment)
  if (signal._tag !== "Paid") throw new PromiseBroken(`a refunded payment is a paid one, not ${signal._tag}`)
  return signal.refunds
})

/** What every provider adapter must do, of “refunding”. */
export const casesOfRefunds = providerSubject("refunding", {
  *"gives back a part, then the rest, and then nothing more"() {
    const provider = yield* PaymentProvider
    const { session, payment, reference } = yield* givenPaid
    const refund = (amount: number) =>
      provider.refund({ session, reference, ours: freshId("ref"), amount: Tiyn(amount) })
    const part = yield* accepted(refund(50_000))
    expectEqual(part.amount, Tiyn(50_000), "the part")
    yield* refusedWith("not_refundable", refund(100_001))
    const rest = yield* accepted(refund(100_000))
    yield* refusedWith("not_refundable", refund(1))
    expectEqual(yield* refundsOf(session, payment), [part, rest], "the payment shows both, in order")
  },

  *"is done once for an id, however often and however concurrently it is asked"() {
    const provider = yield* PaymentProvider
    const { session, payment, reference } = yield* givenPaid
    const refund = provider.refund({ session, reference, ours: freshId("ref"), amount: Tiyn(10_000) })
    const all = yield* Effect.all(
      Array.from({ length: 12 }, () => accepted(refund)),
      { concurrency: "unbounded" }
    )
    expectEqual(new Set(all.map((made) => made.reference)).size, 1, "the same refund")
    expectEqual((yield* refundsOf(session, payment)).length, 1, "the payment shows one")
  },

  *"refuses another amount under an id that is taken"() {
    const provider = yield* PaymentProvider
    const { session, payment, reference } = yield* givenPaid
    const ours = freshId("ref")
    yield* accepted(provider.refund({ session, reference, ours, amount: Tiyn(10_000) }))
    yield* refusedWith("reference_used", provider.refund({ session, reference, ours, amount: Tiyn(20_000) }))
    expectEqual((yield* refundsOf(session, payment)).length, 1, "the payment shows one")
  },

  *"is refused if nothing was paid"() {
    const provider = yield* PaymentProvider
    const { session, reference } = yield* givenQr
    const ours = freshId("ref")
    yield* refusedWith("not_refundable", provider.refund({ session, reference, ours, amount: Tiyn(1) }))
    yield* refusedWith("not_found", provider.refundState({ session, ours }))
  },

  *"is found by our id"() {
    const provider = yield* PaymentProvider
    const { session, reference } = yield* givenPaid
    const ours = freshId("ref")
    yield* refusedWith("not_found", provider.refundState({ session, ours }))
    const made = yield* accepted(provider.refund({ session, reference, ours, amount: Tiyn(10_000) }))
    expectEqual(yield* accepted(provider.refundState({ session, ours })), made, "what was answered")
    expectEqual(made.ours, ours, "our id")
  },

  *"outside of us shows in the payment, without an id of ours, and counts"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const { session, payment, reference } = yield* givenPaid
    yield* control.refundOutside(reference, Tiyn(100_000))
    const [outside, ...others] = yield* refundsOf(session, payment)
    expectEqual(others, [], "there is one")
    expectEqual({ ours: outside?.ours, amount: outside?.amount }, { ours: null, amount: Tiyn(100_000) }, "theirs")
    const refund = (amount: number) =>
      provider.refund({ session, reference, ours: freshId("ref"), amount: Tiyn(amount) })
    yield* refusedWith("not_refundable", refund(50_001))
    const ours = yield* accepted(refund(50_000))
    expectEqual(yield* refundsOf(session, payment), [outside!, ours], "the payment shows both")
  }
})
