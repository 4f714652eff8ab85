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

/** The scenario of each payment and each login. */
export interface Cases {
  /** Of a payment: chosen when it is first asked for, whether or not it is then made. */
  readonly open: (cashier: string, order: Order) => Case
  readonly ofPayment: (cashier: string, ours: string) => Case | undefined
  /** Remembers which payment a refund with our id was asked for, whether or not it is then made. */
  readonly link: (cashier: string, refund: string, payment: Case | undefined) => Case | undefined
  readonly ofRefund: (cashier: string, ours: string) => Case | undefined
  readonly ofCashier: (phone: string) => Case | undefined
}

/** Cases of its own, with scenarios from `book`. */
export const make = (book: ScenarioBook): Cases => {
  const payments = new Map<string, Case>()
  const refunds = new Map<string, Case>()
  const logins = new Map<string, Case>()
  const keyOf = (cashier: string, ours: string) => `${cashier} ${ours}`
  const begin = (scenario: Scenario): Case => ({ scenario, faults: FaultQueue.make(scenario.faults) })

  return {
    open: (cashier, order) => {
      const key = keyOf(cashier, order.ours)
      const opened = payments.get(key) ?? begin(book.choose(order))
      payments.set(key, opened)
      return opened
    },
    ofPayment: (cashier, ours) => payments.get(keyOf(cashier, ours)),
    link: (cashier, refund, payment) => {
      if (payment !== undefined) refunds.set(keyOf(cashier, refund), payment)
      return payment
    },
    ofRefund: (cashier, ours) => refunds.get(keyOf(cashier, ours)),
    ofCashier: (phone) => {
      const scenario = book.ofCashier(phone)
      if (scenario === undefined) return undefined
      const opened = logins.get(phone) ?? begin(scenario)
      logins.set(phone, opened)
      return opened
    }
  }
}
