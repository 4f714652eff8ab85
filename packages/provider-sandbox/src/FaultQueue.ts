/** Rules of faults that are used up call by call. */
import type { Call } from "@tolem/core/provider/PaymentProvider"
import type { Fault, FaultRule } from "./Scenario.ts"

/** A queue of its own that begins with `given`. */
export const make = (given: ReadonlyArray<FaultRule> = []) => {
  let rules: ReadonlyArray<FaultRule> = given
  /** The fault that this call meets, which is then used up by one. */
  const take = (call: Call): Fault | undefined => {
    const found = rules.find((rule) => rule.call === call || rule.call === "any")
    if (found === undefined || found.times === null) return found?.fault
    const left = found.times - 1
    rules = rules.flatMap((rule) => (rule !== found ? [rule] : left === 0 ? [] : [{ ...rule, times: left }]))
    return found.fault
  }
  return {
    take,
    add: (rule: FaultRule): void => {
      rules = [...rules, rule]
    },
    clear: (): void => {
      rules = []
    },
    /** Those that are left, oldest first. */
    rules: () => rules
  }
}

/** Rules of faults that are used up call by call. */
export interface FaultQueue extends ReturnType<typeof make> {}
