/** Promises of a cashier's login and session. */
import { PaymentProvider, type ProviderSession } from "@tolem/core/provider/PaymentProvider"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Redacted } from "effect"
import { expectEqual } from "../Expectation.ts"
import { ProviderControl, providerSubject } from "./ProviderCase.ts"
import {
  accepted,
  answeredWith,
  can,
  customer,
  givenPaid,
  givenQr,
  login,
  orderOf,
  refusedWith,
  stateOf
} from "./providerSteps.ts"

/** A login that waits for its code. */
const givenProcess = Effect.gen(function* () {
  const provider = yield* PaymentProvider
  const { cashiers, codes } = yield* ProviderControl
  const { processId } = yield* accepted(provider.initLogin())
  yield* accepted(provider.sendPhone({ processId, phone: cashiers[0] }))
  const verify = (otp: string) => provider.verifyOtp({ processId, otp: Redacted.make(otp) })
  return { processId, verifyRight: verify(codes.right), verifyWrong: verify(codes.wrong) }
})

/** Calls that the provider can do, about a payment that there is. */
const everyCall = Effect.fnUntraced(function* (session: ProviderSession, reference: string) {
  const provider = yield* PaymentProvider
  const { push, findByOurs, cancel, findRefunds } = yield* can
  const [ours, amount] = ["inv_none", Tiyn(100)] as const
  return [
    provider.createQr(orderOf(session)),
    ...(push ? [provider.createPush({ ...orderOf(session), phone: customer })] : []),
    provider.stateByReference({ session, reference }),
    ...(findByOurs ? [provider.stateByOurs({ session, ours })] : []),
    ...(cancel ? [provider.cancel({ session, reference })] : []),
    provider.refund({ session, reference, ours, amount }),
    ...(findRefunds ? [provider.refundState({ session, ours })] : []),
    provider.checkSession(session)
  ]
})

/** What every provider adapter must do, of “a cashier's login”. */
export const providerLoginCases = providerSubject("a cashier's login", {
  *"gives a session that works, and that nothing prints"() {
    const provider = yield* PaymentProvider
    const session = yield* login()
    yield* accepted(provider.checkSession(session))
    expectEqual(String(session), "<redacted>", "the session as text")
  },

  *"refuses a wrong code, and takes the right one afterwards"() {
    const { verifyRight, verifyWrong } = yield* givenProcess
    yield* refusedWith("wrong_code", verifyWrong)
    yield* accepted(verifyRight)
  },

  *"refuses a process that never began"() {
    const provider = yield* PaymentProvider
    const { cashiers, codes } = yield* ProviderControl
    const processId = "never-begun"
    yield* refusedWith("process_expired", provider.sendPhone({ processId, phone: cashiers[0] }))
    yield* refusedWith("process_expired", provider.verifyOtp({ processId, otp: Redacted.make(codes.right) }))
  }
})

/** The same, of providers that end logins. */
export const providerLoginEndCases = [
  ...providerSubject(
    "a cashier's login",
    {
      *"ends after many wrong codes, even for the right one"() {
        const { verifyRight, verifyWrong } = yield* givenProcess
        for (let n = 0; n < 5; n++) yield* refusedWith("wrong_code", verifyWrong)
        yield* refusedWith("too_many_codes", verifyWrong)
        yield* refusedWith("too_many_codes", verifyRight)
      },

      *"is over once it gave a session"() {
        const { verifyRight } = yield* givenProcess
        yield* accepted(verifyRight)
        yield* refusedWith("process_used", verifyRight)
      }
    },
    { can: ["endLogins"] }
  ),
  ...providerSubject(
    "a cashier's login",
    {
      *"does not live for ever"() {
        const { verifyRight } = yield* givenProcess
        yield* (yield* ProviderControl).passTime(24 * 3_600_000)
        yield* refusedWith("process_expired", verifyRight)
      }
    },
    { can: ["endLogins"], control: ["passTime"] }
  )
]

/** What every provider adapter must do, of “a lost session”. */
export const providerSessionCases = [
  ...providerSubject(
    "a lost session",
    {
      *"is what every call says"() {
        const { session, reference } = yield* givenQr
        yield* (yield* ProviderControl).loseSessions
        for (const call of yield* everyCall(session, reference)) yield* answeredWith("SessionLost", call)
      },

      *"takes nothing along: after a new login everything is there"() {
        const { payment, order } = yield* givenPaid
        const provider = yield* PaymentProvider
        yield* (yield* ProviderControl).loseSessions
        yield* answeredWith("SessionLost", provider.createQr(orderOf(order.session)))
        expectEqual((yield* stateOf(yield* login(), payment)).signal._tag, "Paid", "the payment of before")
      }
    },
    { control: ["loseSessions"] }
  ),
  ...providerSubject("a lost session", {
    *"is also what every call says of one that never was"() {
      const { reference } = yield* givenQr
      const calls = yield* everyCall(Redacted.make("made up"), reference)
      for (const call of calls) yield* answeredWith("SessionLost", call)
    }
  })
]
