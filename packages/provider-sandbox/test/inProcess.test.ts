/** The provider suite of the core, on the sandbox in this process. */
import { it } from "@effect/vitest"
import { type Abilities, abilityNames } from "@tolem/core/provider/Abilities"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { ProviderControl } from "@tolem/testing/provider/ProviderCase"
import { allProviderCases, providerSuite, providerSuiteOf } from "@tolem/testing/provider/ProviderSuite"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe, expect, it as plain } from "vitest"
import * as InProcess from "../src/InProcess.ts"
import type { Action } from "../src/Life.ts"
import * as SandboxBank from "../src/SandboxBank.ts"
import { faultOf } from "./support/troubles.ts"

const everything: Abilities = { listOperations: true }

/** A bank that can do this, and an adapter that says so, or something else. */
const adapterOf = (can: Abilities = everything, says = can) =>
  Layer.unwrap(
    Effect.sync(() => {
      const bank = SandboxBank.make({ can })
      const act = (reference: string, action: Action) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          if (bank.control.act(reference, action, now) === undefined) throw new Error(`cannot ${action.does} it`)
        })
      const control = Layer.succeed(ProviderControl, {
        cashiers: ["77770000001", "77770000002"],
        codes: { right: "111111", wrong: "999999" },
        deadlineMs: 8000,
        act: (reference, does) => act(reference, { does }),
        refundOutside: (reference, amount) => act(reference, { does: "refund", amount, ours: null }),
        loseSessions: Effect.sync(() => void bank.control.loseSessions(null)),
        trouble: (call, trouble) =>
          Effect.sync(() => bank.control.faults.add({ call, times: 1, fault: faultOf[trouble] })),
        passTime: (ms) => TestClock.adjust(ms)
      })
      const provider = { ...InProcess.make(bank, { timeoutMs: 8000 }), can: Effect.succeed(says) }
      return Layer.merge(control, Layer.succeed(PaymentProvider, provider))
    })
  )

describe("the sandbox in this process", () => {
  for (const { name, run } of providerSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(adapterOf())))
})

const nothing: Abilities = Object.fromEntries(abilityNames.map((name) => [name, false]))
const onlyPushes = { ...nothing, push: true }

describe.each([
  ["can do nothing of it", nothing],
  ["pushes, and withdraws nothing", onlyPushes],
  ["finds payments by our ids, and makes another one each time", { ...everything, createOnce: false }],
  ["finds payments by our ids, but no refunds", { ...everything, findRefunds: false, refundOnce: false }]
] as const)("a bank that %s", (_, can) => {
  for (const { name, run } of providerSuiteOf(can))
    it.effect(name, () => Effect.provide(run, Layer.fresh(adapterOf(can))))
})

describe("the suite", () => {
  plain("has cases for what is promised, and others for what is not", () => {
    for (const ability of abilityNames) {
      const lacking = providerSuiteOf({ [ability]: false })
      expect(lacking.length, ability).not.toBe(0)
      const isAsked = allProviderCases.some(({ needs }) =>
        [...(needs.can ?? []), ...(needs.cannot ?? [])].includes(ability)
      )
      expect(isAsked || ability === "showScans", ability).toBe(true)
    }
    expect(providerSuiteOf(nothing).length).toBeLessThan(providerSuite.length)
  })

  // Each lie of an adapter that says more than its bank can do.
  it.effect.each([
    "findByOurs",
    "findRefunds",
    "createOnce",
    "refundOnce",
    "showRefunds",
    "showScans",
    "cancel",
    "push",
    "listOperations"
  ] as const)("finds out a provider that says that it can %s and cannot", (ability) =>
    Effect.gen(function* () {
      let broken = 0
      for (const { run } of providerSuite) {
        const ended = yield* Effect.exit(Effect.provide(run, Layer.fresh(adapterOf({ [ability]: false }, everything))))
        if (ended._tag === "Failure") broken++
      }
      expect(broken).toBeGreaterThan(0)
    })
  )
})
