/** The provider suite for those who do not write Effect: tests as promises, for any test runner. */

import { abilitiesOf } from "@tolem/core/provider/Guarded"
import type { Call } from "@tolem/core/provider/PaymentProvider"
import { PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import { Effect, Layer, Logger } from "effect"
import { type ControlPart, type CustomerAct, ProviderControl, type Trouble, whyNot } from "./ProviderCase.ts"
import { allProviderCases } from "./ProviderSuite.ts"

/**
 * The other side of the provider, be it a fake or a test environment: see `ProviderControl`. Tests that need a part
 * that is left out are skipped.
 */
export interface PlainControl {
  /** Phones of two cashiers who may log in, of different merchants. */
  readonly cashiers: readonly [string, string]
  /** Codes of a login: the one that the cashier receives, and one that is wrong. */
  readonly codes: { readonly right: string; readonly wrong: string }
  /** Does it as the customer would, or lets the time of the payment run out. `reference` is the provider's. */
  readonly act: (reference: string, does: CustomerAct) => Promise<unknown>
  /** Gives money back in the provider's own app. */
  readonly refundOutside?: (reference: string, amount: number) => Promise<unknown>
  /** Ends every session. */
  readonly loseSessions?: () => Promise<unknown>
  /** The next call of this name meets the trouble. */
  readonly trouble?: (call: Call, trouble: Trouble) => Promise<unknown>
  /** Lets time pass for the provider. */
  readonly passTime?: (ms: number) => Promise<unknown>
}

/** A promise of provider adapters as a test. */
export interface ProviderTest {
  readonly name: string
  /** Why it is not about this provider, or cannot be tried with this control; null if it is to be run. */
  readonly skip: string | null
  /** Rejected, with what was expected and what was seen, if the promise is broken. */
  readonly run: () => Promise<void>
}

/** What is tested: an adapter, as `defineProvider` makes it, and the other side of its provider. */
export interface ProviderUnderTest {
  readonly provider: Layer.Layer<PaymentProvider>
  readonly control: PlainControl
}

const parts = ["refundOutside", "loseSessions", "trouble", "passTime"] as const satisfies ReadonlyArray<ControlPart>

/**
 * The suite over an adapter, as far as it says that its provider can do it.
 *
 * ```ts
 * for (const { name, skip, run } of await providerTests({ provider, control })) it.skipIf(skip !== null)(name, run)
 * ```
 */
export const providerTests = async ({ provider, control }: ProviderUnderTest): Promise<ReadonlyArray<ProviderTest>> => {
  const services = Layer.mergeAll(provider, Layer.succeed(ProviderControl, effects(control)), Logger.layer([]))
  const can = await Effect.runPromise(Effect.provide(Effect.flatMap(PaymentProvider, abilitiesOf), services))
  const lacking = parts.filter((part) => control[part] === undefined)
  return allProviderCases.map((one) => ({
    name: one.name,
    skip: whyNot(one, can, lacking),
    run: () => Effect.runPromise(Effect.provide(one.run, services))
  }))
}

const effects = (control: PlainControl): ProviderControl["Service"] => {
  const done = (step: (() => Promise<unknown>) | undefined) =>
    step === undefined ? Effect.void : Effect.asVoid(Effect.promise(step))
  const { act, refundOutside, loseSessions, trouble, passTime } = control
  return {
    cashiers: control.cashiers,
    codes: control.codes,
    // Real time is not moved: what ends at a deadline is waited for.
    deadlineMs: 0,
    act: (reference, does) => done(() => act(reference, does)),
    refundOutside: (reference, amount) => done(refundOutside && (() => refundOutside(reference, amount))),
    loseSessions: done(loseSessions),
    trouble: (call, what) => done(trouble && (() => trouble(call, what))),
    passTime: (ms) => done(passTime && (() => passTime(ms)))
  }
}
