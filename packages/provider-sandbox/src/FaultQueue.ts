/** Rules of faults that are used up call by call. */
import type { Call } from "@tolem/core/provider/PaymentProvider"
import type { Fault, FaultRule } from "./Scenario.ts"

/** Rules of faults that are used up call by call. */
export interface FaultQueue {
  /** The fault that this call meets, which is then used up by one. */
  readonly take: (call: Call) => Fault | undefined
  readonly add: (rule: FaultRule) => void
  readonly clear: () => void
  /** Those that are left, oldest first. */
  readonly rules: () => ReadonlyArray<FaultRule>
}

/** A queue of its own that begins with `given`. */
export const make = (given: ReadonlyArray<FaultRule> = []): FaultQueue => {
  let rules: ReadonlyArray<FaultRule> = given
  const take = (call: Call) => {
    const found = rules.find((rule) => rule.call === call || rule.call === "any")
    if (found === undefined || found.times === null) return found?.fault
    const left = found.times - 1
    rules = rules.flatMap((rule) => (rule !== found ? [rule] : left === 0 ? [] : [{ ...rule, times: left }]))
    return found.fault
  }
  return {
    take,
    add: (rule) => {
      rules = [...rules, rule]
    },
    clear: () => {
      rules = []
    },
    rules: () => rules
  }
}
