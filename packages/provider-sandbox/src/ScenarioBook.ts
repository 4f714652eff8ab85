/** Which scenario a payment or a login follows. */
import { isWholeTenge, type Tiyn } from "@tolem/core/value/Money"
import type { Order } from "./Ledger.ts"
import type { Scenario, Script } from "./Scenario.ts"
import { phoneOf, scenarios, tengeOf } from "./Scenarios.ts"

/** The scenarios that are always there; payments follow `usual` where nothing chooses another. */
export const make = (usual: string) => {
  const book = new Map(scenarios.map((scenario) => [scenario.name, scenario]))
  const scripts = new Map<string, Scenario>()
  const queue: Array<Scenario> = []
  let fallback = usual

  const all = () => Array.from(book.values())
  const byPhone = (phone: string) => all().find((scenario) => phoneOf(scenario) === phone)
  const byAmount = (amount: Tiyn) =>
    isWholeTenge(amount) ? all().find((scenario) => tengeOf(scenario) === amount / 100) : undefined

  return {
    /**
     * For a new payment. The first that applies: the script of our id, the next one to be used, the customer's phone,
     * the amount, the default.
     */
    choose: ({ ours, amount, phone }: Omit<Order, "description">): Scenario =>
      scripts.get(ours) ??
      queue.shift() ??
      (phone === null ? undefined : byPhone(phone)) ??
      byAmount(amount) ??
      book.get(fallback) ??
      scenarios[0]!,
    /** For a cashier's login. */
    ofCashier: byPhone,
    all,
    find: (name: string) => book.get(name),
    /** Adds a scenario, or replaces the one of that name. */
    define: (scenario: Scenario) => void book.set(scenario.name, scenario),
    /** The payment with our id follows the script. */
    script: (ours: string, script: Script) =>
      void scripts.set(ours, { ...script, name: "script", number: null, about: "" }),
    /** The next `times` new payments follow the scenario. */
    next: (scenario: Scenario, times: number): void => {
      for (let n = 0; n < times; n++) queue.push(scenario)
    },
    setDefault: ({ name }: Scenario): void => {
      fallback = name
    }
  }
}

/** Which scenario a payment or a login follows. */
export interface ScenarioBook extends ReturnType<typeof make> {}
