/** Promises of creating payments, of their states, and of cancelling. */
import type { Signal } from "@tolem/core/provider/Payment"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect } from "effect"
import { expectEqual, expectTrue } from "../Expectation.ts"
import { ProviderControl, providerSubject } from "./ProviderCase.ts"
import {
  accepted,
  can,
  customer,
  expectState,
  givenPaid,
  givenPush,
  givenQr,
  login,
  orderOf,
  refusedWith,
  stateOf
} from "./providerSteps.ts"

/** What every provider adapter must do, of “creating a payment”. */
export const casesOfCreates = providerSubject("creating a payment", {
  *"gives a QR with links, that can still be paid, for the amount asked"() {
    const { order, payment, session } = yield* givenQr
    expectEqual(payment.amount, order.amount, "the amount")
    expectEqual(payment.ours, order.ours, "our id")
    expectEqual(payment.signal._tag, "Waiting", "nobody has paid")
    expectTrue(payment.links !== null && payment.links.qrUrl !== "" && payment.links.deepLink !== "", "both links")
    expectTrue(Number.isSafeInteger(payment.expiresAt) && payment.expiresAt > 0, "an instant of expiry")
    yield* expectState(yield* stateOf(session, payment), payment)
  },

  *"keeps payments apart"() {
    const provider = yield* PaymentProvider
    const control = yield* ProviderControl
    const { session, payment } = yield* givenQr
    const other = yield* accepted(provider.createQr(orderOf(session)))
    yield* control.act(other.reference, "pay")
    expectEqual((yield* stateOf(session, payment)).signal._tag, "Waiting", "the other one was paid, not this one")
  }
})

/** The same, of providers that push. */
export const casesOfPushes = providerSubject(
  "creating a payment",
  {
    *"pushes into an app, without links"() {
      const provider = yield* PaymentProvider
      const order = { ...orderOf(yield* login()), phone: customer }
      const payment = yield* accepted(provider.createPush(order))
      expectEqual(payment.links, null, "there is nothing to open")
      yield* expectState(yield* stateOf(order.session, payment), payment)
    }
  },
  { can: ["push"] }
)

/** The same, of providers that make one payment for one id of ours. */
export const casesOfSingleCreates = providerSubject(
  "creating a payment",
  {
    *"makes one payment of one id, however often and however concurrently it is asked"() {
      const provider = yield* PaymentProvider
      const order = orderOf(yield* login())
      const create = accepted(provider.createQr(order))
      const first = yield* create
      const others = yield* Effect.all(
        Array.from({ length: 12 }, () => create),
        { concurrency: "unbounded" }
      )
      expectEqual(new Set(others.map(({ reference }) => reference)), new Set([first.reference]), "the same payment")
    },

    *"answers a repeated create with what became of the payment"() {
      const provider = yield* PaymentProvider
      const { order, reference } = yield* givenPaid
      const again = yield* accepted(provider.createQr(order))
      expectEqual(again.reference, reference, "the same payment")
      expectEqual(again.signal._tag, "Paid", "which was paid meanwhile")
    },

    *"refuses another amount under an id that is taken"() {
      const provider = yield* PaymentProvider
      const { order } = yield* givenQr
      yield* refusedWith("reference_used", provider.createQr({ ...order, amount: Tiyn(order.amount + 100) }))
    }
  },
  { can: ["createOnce"] }
)

/** What every provider adapter must do, of “the state of a payment”. */
export const casesOfStates = providerSubject("the state of a payment", {
  *"follows the customer to the payment, with a receipt"() {
    const control = yield* ProviderControl
    const { session, payment, reference } = yield* givenQr
    yield* control.act(reference, "scan")
    const opened = (yield* can).showScans ? "Scanned" : "Waiting"
    expectEqual((yield* stateOf(session, payment)).signal._tag, opened, "the customer has opened it")
    yield* control.act(reference, "pay")
    const { signal } = yield* stateOf(session, payment)
    if (signal._tag !== "Paid") return expectEqual<Signal["_tag"]>(signal._tag, "Paid", "the customer has paid")
    expectEqual(signal.receipt.amount, payment.amount, "what was paid")
    expectTrue(signal.receipt.reference !== "", "a reference of the money")
    expectTrue(Number.isSafeInteger(signal.receipt.at), "an instant")
    expectTrue(/^(https?:|$)/.test(signal.receipt.url ?? ""), "a web address of the receipt, or none")
    expectEqual(signal.refunds, [], "nothing went back")
    const again = yield* stateOf(session, payment)
    expectEqual(again.signal, signal, "and however often it is asked, it is the same payment")
  },

  *"tells a refusal by the customer from a failure"() {
    const control = yield* ProviderControl
    const first = yield* givenQr
    yield* control.act(first.reference, "refuse")
    expectEqual((yield* stateOf(first.session, first.payment)).signal._tag, "RefusedByPayer", "the payer said no")
    const second = yield* givenQr
    yield* control.act(second.reference, "fail")
    expectEqual((yield* stateOf(second.session, second.payment)).signal._tag, "Failed", "it could not be taken")
  },

  *"shows money that comes after the expiry"() {
    const control = yield* ProviderControl
    const { session, payment, reference } = yield* givenQr
    yield* control.act(reference, "expire")
    expectEqual((yield* stateOf(session, payment)).signal._tag, "Expired", "its time has passed")
    yield* control.act(reference, "pay")
    expectEqual((yield* stateOf(session, payment)).signal._tag, "Paid", "and then it was paid")
  },

  *"is refused if there is no such payment"() {
    const provider = yield* PaymentProvider
    const session = yield* login()
    if ((yield* can).findByOurs) yield* refusedWith("not_found", provider.stateByOurs({ session, ours: "inv_none" }))
    yield* refusedWith("not_found", provider.stateByReference({ session, reference: "none" }))
  },

  *"is for the merchant's own cashiers only"() {
    const provider = yield* PaymentProvider
    const { reference, order } = yield* givenPaid
    const { ours, amount } = order
    const session = yield* login(1)
    const { findByOurs, cancel } = yield* can
    yield* refusedWith("not_found", provider.stateByReference({ session, reference }))
    if (findByOurs) yield* refusedWith("not_found", provider.stateByOurs({ session, ours }))
    if (cancel) yield* refusedWith("not_found", provider.cancel({ session, reference }))
    yield* refusedWith("not_found", provider.refund({ session, reference, ours: "ref_theirs", amount }))
  }
})

/** What every provider adapter must do, of “cancelling a push”. */
export const casesOfCancels = providerSubject(
  "cancelling a push",
  {
    *"withdraws it, and says so again when asked again"() {
      const provider = yield* PaymentProvider
      const { session, payment, reference } = yield* givenPush
      const cancelled = yield* accepted(provider.cancel({ session, reference }))
      expectEqual(cancelled.signal._tag, "Cancelled", "it is withdrawn")
      yield* expectState(yield* stateOf(session, payment), cancelled)
      expectEqual(yield* accepted(provider.cancel({ session, reference })), cancelled, "and again")
    },

    *"is refused once it was paid, and changes nothing"() {
      const provider = yield* PaymentProvider
      const control = yield* ProviderControl
      const { session, payment, reference } = yield* givenPush
      yield* control.act(reference, "pay")
      yield* refusedWith("not_open", provider.cancel({ session, reference }))
      expectEqual((yield* stateOf(session, payment)).signal._tag, "Paid", "it is still paid")
    },

    *"does not hide money that comes after it"() {
      const provider = yield* PaymentProvider
      const control = yield* ProviderControl
      const { session, payment, reference } = yield* givenPush
      yield* accepted(provider.cancel({ session, reference }))
      yield* control.act(reference, "pay")
      expectEqual((yield* stateOf(session, payment)).signal._tag, "Paid", "the money came nevertheless")
    }
  },
  { can: ["cancel", "push"] }
)
