/** Which scenario a payment or a login follows. */
import { isWholeTenge, type Tiyn } from "@tolem/core/value/Money"
import type { Scenario, Script } from "./Scenario.ts"
import { phoneOf, scenarios, tengeOf } from "./Scenarios.ts"

/** What a scenario is chosen by. */
export interface Clues {
  readonly ours: string
  readonly amount: Tiyn
  readonly phone: string | null
}

/** Which scenario a payment or a login follows. */
export interface ScenarioBook {
  /**
   * For a new payment. The first that applies: the script of our id, the next one to be used, the customer's phone, the
   * amount, the default.
   */
  readonly choose: (clues: Clues) => Scenario
  /** For a cashier's login. */
  readonly ofCashier: (phone: string) => Scenario | undefined
  readonly all: () => ReadonlyArray<Scenario>
  readonly find: (name: string) => Scenario | undefined
  /** Adds a scenario, or replaces the one of that name. */
  readonly define: (scenario: Scenario) => void
  /** The payment with our id follows the script. */
  readonly script: (ours: string, script: Script) => void
  /** The next `times` new payments follow the scenario. */
  readonly next: (scenario: Scenario, times: number) => void
  readonly setDefault: (scenario: Scenario) => void
}

/** The scenarios that are always there; payments follow `usual` where nothing chooses another. */
export const make = (usual: string): ScenarioBook => {
  const book = new Map(scenarios.map((scenario) => [scenario.name, scenario]))
  const scripts = new Map<string, Scenario>()
  const queue: Array<Scenario> = []
  let fallback = usual

  const all = () => Array.from(book.values())
  const byPhone = (phone: string) => all().find((scenario) => phoneOf(scenario) === phone)
  const byAmount = (amount: Tiyn) =>
    isWholeTenge(amount) ? all().find((scenario) => tengeOf(scenario) === amount / 100) : undefined

  return {
    choose: ({ ours, amount, phone }) =>
      scripts.get(ours) ??
      queue.shift() ??
      (phone === null ? undefined : byPhone(phone)) ??
      byAmount(amount) ??
      book.get(fallback) ??
      scenarios[0]!,
    ofCashier: byPhone,
    all,
    find: (name) => book.get(name),
    define: (scenario) => void book.set(scenario.name, scenario),
    script: (ours, script) => void scripts.set(ours, { ...script, name: "script", number: null, about: "" }),
    next: (scenario, times) => {
      for (let n = 0; n < times; n++) queue.push(scenario)
    },
    setDefault: ({ name }) => {
      fallback = name
    }
  }
}
