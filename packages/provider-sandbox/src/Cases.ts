/** The scenario that each payment and each cashier's login follows, and which of its faults are still to come. */
import * as FaultQueue from "./FaultQueue.ts"
import type { Order } from "./Ledger.ts"
import type { Scenario } from "./Scenario.ts"
import type { ScenarioBook } from "./ScenarioBook.ts"

/** A scenario under way. */
export interface Case {
  readonly scenario: Scenario
  readonly faults: FaultQueue.FaultQueue
}

/** Cases of its own, with scenarios from `book`. */
export const make = (book: ScenarioBook) => {
  const payments = new Map<string, Case>()
  const refunds = new Map<string, Case>()
  const logins = new Map<string, Case>()
  const keyOf = (cashier: string, ours: string) => `${cashier} ${ours}`
  const begin = (scenario: Scenario): Case => ({ scenario, faults: FaultQueue.make(scenario.faults) })

  return {
    /** Of a payment: chosen when it is first asked for, whether or not it is then made. */
    open: (cashier: string, order: Order): Case => {
      const key = keyOf(cashier, order.ours)
      const opened = payments.get(key) ?? begin(book.choose(order))
      payments.set(key, opened)
      return opened
    },
    ofPayment: (cashier: string, ours: string) => payments.get(keyOf(cashier, ours)),
    /** Remembers which payment a refund with our id was asked for, whether or not it is then made. */
    link: (cashier: string, refund: string, payment: Case | undefined): Case | undefined => {
      if (payment !== undefined) refunds.set(keyOf(cashier, refund), payment)
      return payment
    },
    ofRefund: (cashier: string, ours: string) => refunds.get(keyOf(cashier, ours)),
    ofCashier: (phone: string): Case | undefined => {
      const scenario = book.ofCashier(phone)
      if (scenario === undefined) return undefined
      const opened = logins.get(phone) ?? begin(scenario)
      logins.set(phone, opened)
      return opened
    }
  }
}

/** The scenario of each payment and each login. */
export interface Cases extends ReturnType<typeof make> {}
