/** A bank in this process, its adapter, and a cashier who has logged in. */
import type { Answer } from "@tolem/core/provider/Answer"
import type { Payment } from "@tolem/core/provider/Payment"
import { Tiyn } from "@tolem/core/value/Money"
import { Effect, Redacted } from "effect"
import { assert } from "vitest"
import * as InProcess from "../../src/InProcess.ts"
import * as SandboxBank from "../../src/SandboxBank.ts"
import { phoneOf, scenarios, tengeOf } from "../../src/Scenarios.ts"

export const accepted = <A>(answer: Answer<A>): A => {
  if (answer._tag !== "Accepted") assert.fail(`not accepted but ${JSON.stringify(answer)}`)
  return answer.value
}

/** An answer in one word: its code where it was refused, its reason if it is unknown. */
export const inShort = (answer: Answer<unknown>): string => {
  if (answer._tag === "Refused") return answer.code
  return answer._tag === "Unknown" ? answer.reason : answer._tag
}

const numbered = (name: string) => {
  const scenario = scenarios.find((each) => each.name === name)
  const [tenge, phone] = scenario === undefined ? [null, null] : [tengeOf(scenario), phoneOf(scenario)]
  if (tenge === null || phone === null) return assert.fail(`${name} has no number`)
  return { amount: Tiyn(tenge * 100), phone }
}

/** A fresh world. */
export const world = Effect.fnUntraced(function* (options: SandboxBank.Options = {}) {
  const bank = SandboxBank.make(options)
  const provider = InProcess.make(bank)

  const begin = Effect.fnUntraced(function* (phone: string) {
    const { processId } = accepted(yield* provider.initLogin())
    const sent = yield* provider.sendPhone({ processId, phone })
    const verify = provider.verifyOtp({ processId, otp: Redacted.make("111111") })
    return { processId, sent, verify }
  })
  const login = (phone = "77770000001") => Effect.flatMap(begin(phone), ({ verify }) => Effect.map(verify, accepted))

  const session = yield* login()
  let serial = 0
  const order = (amount: number, ours = `inv_${++serial}`) => ({
    session,
    ours,
    amount: Tiyn(amount),
    description: null
  })
  const signal = ({ reference }: Payment) =>
    Effect.map(provider.stateByReference({ session, reference }), (answer) =>
      answer._tag === "Accepted" ? answer.value.signal._tag : inShort(answer)
    )
  const refund = ({ reference, amount }: Payment, ours = "ref_1", part: number = amount) => ({
    session,
    reference,
    ours,
    amount: Tiyn(part)
  })
  const refundsOf = (payment: Payment) =>
    Effect.map(provider.stateByReference({ session, reference: payment.reference }), (answer) => {
      const state = accepted(answer).signal
      return state._tag === "Paid" ? state.refunds.map(({ ours, amount }) => ({ ours, amount: Number(amount) })) : []
    })

  return {
    bank,
    provider,
    session,
    begin,
    login,
    order,
    signal,
    refund,
    refundsOf,
    /** An order whose amount chooses the scenario. */
    byAmount: (scenario: string) => order(numbered(scenario).amount),
    /** A push whose phone chooses it. */
    byPhone: (scenario: string) => ({ ...order(50_000), phone: numbered(scenario).phone }),
    cashier: (scenario: string) => numbered(scenario).phone
  }
})

/** See `world`. */
export type World = Effect.Success<ReturnType<typeof world>>
