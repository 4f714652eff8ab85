/** Promises of refunds. */
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect } from "effect"
import { expectEqual } from "../Expectation.ts"
import { freshId } from "../fixtures.ts"
import { ProviderControl, providerSubject } from "./ProviderCase.ts"
import { accepted, can, expectRefunds, givenPaid, givenQr, refusedWith, stateOf } from "./providerSteps.ts"

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
    yield* expectRefunds(session, payment, [part, rest])
  },

  *"is refused if nothing was paid"() {
    const provider = yield* PaymentProvider
    const { session, reference } = yield* givenQr
    const ours = freshId("ref")
    yield* refusedWith("not_refundable", provider.refund({ session, reference, ours, amount: Tiyn(1) }))
    if ((yield* can).findRefunds) yield* refusedWith("not_found", provider.refundState({ session, ours }))
  }
})

/** The same, of providers that make one refund for one id of ours. */
export const casesOfSingleRefunds = providerSubject(
  "refunding",
  {
    *"is done once for an id, however often and however concurrently it is asked"() {
      const provider = yield* PaymentProvider
      const { session, payment, reference } = yield* givenPaid
      const refund = provider.refund({ session, reference, ours: freshId("ref"), amount: Tiyn(10_000) })
      const all = yield* Effect.all(
        Array.from({ length: 12 }, () => accepted(refund)),
        { concurrency: "unbounded" }
      )
      expectEqual(new Set(all.map((made) => made.reference)).size, 1, "the same refund")
      yield* expectRefunds(session, payment, all.slice(0, 1))
    },

    *"refuses another amount under an id that is taken"() {
      const provider = yield* PaymentProvider
      const { session, payment, reference } = yield* givenPaid
      const ours = freshId("ref")
      const made = yield* accepted(provider.refund({ session, reference, ours, amount: Tiyn(10_000) }))
      yield* refusedWith("reference_used", provider.refund({ session, reference, ours, amount: Tiyn(20_000) }))
      yield* expectRefunds(session, payment, [made])
    }
  },
  { can: ["refundOnce"] }
)

/** The same, of providers that find refunds by our ids, or show those that others made. */
export const casesOfFoundRefunds = [
  ...providerSubject(
    "refunding",
    {
      *"is found by our id"() {
        const provider = yield* PaymentProvider
        const { session, reference } = yield* givenPaid
        const ours = freshId("ref")
        yield* refusedWith("not_found", provider.refundState({ session, ours }))
        const made = yield* accepted(provider.refund({ session, reference, ours, amount: Tiyn(10_000) }))
        expectEqual(yield* accepted(provider.refundState({ session, ours })), made, "what was answered")
        expectEqual(made.ours, ours, "our id")
      }
    },
    { can: ["findRefunds"] }
  ),
  ...providerSubject(
    "refunding",
    {
      *"outside of us shows in the payment, without an id of ours, and counts"() {
        const provider = yield* PaymentProvider
        const control = yield* ProviderControl
        const { session, payment, reference } = yield* givenPaid
        yield* control.refundOutside(reference, Tiyn(100_000))
        const { signal } = yield* stateOf(session, payment)
        const [outside, ...others] = signal._tag === "Paid" ? signal.refunds : []
        expectEqual(others, [], "there is one")
        expectEqual({ ours: outside?.ours, amount: outside?.amount }, { ours: null, amount: Tiyn(100_000) }, "theirs")
        const refund = (amount: number) =>
          provider.refund({ session, reference, ours: freshId("ref"), amount: Tiyn(amount) })
        yield* refusedWith("not_refundable", refund(50_001))
        const ours = yield* accepted(refund(50_000))
        yield* expectRefunds(session, payment, [outside!, ours])
      }
    },
    { can: ["showRefunds"], control: ["refundOutside"] }
  )
]
