/** The provider suite of the core, on the sandbox in this process. */
import { it } from "@effect/vitest"
import { ProviderControl } from "@tolem/testing/provider/ProviderCase"
import { providerSuite } from "@tolem/testing/provider/ProviderSuite"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { describe } from "vitest"
import * as InProcess from "../src/InProcess.ts"
import type { Action } from "../src/Life.ts"
import * as SandboxBank from "../src/SandboxBank.ts"
import { faultOf } from "./support/troubles.ts"

const adapter = Layer.unwrap(
  Effect.sync(() => {
    const bank = SandboxBank.make()
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
    return Layer.merge(control, InProcess.layer(bank, { timeoutMs: 8000 }))
  })
)

describe("the sandbox in this process", () => {
  for (const { name, run } of providerSuite) it.effect(name, () => Effect.provide(run, Layer.fresh(adapter)))
})
