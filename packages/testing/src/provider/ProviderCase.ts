/** One promise of the provider port, as a program that fails if it is not kept, and what such programs need. */
import { type Abilities, type Ability, complete } from "@tolem/core/provider/Abilities"
import type { Call, PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import type { Tiyn } from "@tolem/core/value/Money"
import { Context, Effect } from "effect"

/**
 * What can happen to a call. `lost_request`: it never arrives. `lost_answer`: it is done, and the answer is lost.
 * `silence`: neither an answer nor an end comes. `server_error`: an answer of 500, nothing done. `unreadable`: an
 * answer that cannot be understood, nothing done. `throttled`: too many calls. `twice`: it arrives two times.
 */
export type Trouble = "lost_request" | "lost_answer" | "silence" | "server_error" | "unreadable" | "throttled" | "twice"

/** What a customer does with a payment; or its time runs out. */
export type CustomerAct = "scan" | "pay" | "refuse" | "fail" | "expire"

/**
 * What an adapter's test lends the suite: the other side of the provider, be it a fake or a test environment.
 * `reference` is the provider's.
 */
export class ProviderControl extends Context.Service<
  ProviderControl,
  {
    /** Phones of two cashiers who may log in, of different merchants. */
    readonly cashiers: readonly [string, string]
    /** Codes of a login: the one that the cashier receives, and one that is wrong. */
    readonly codes: { readonly right: string; readonly wrong: string }
    /** What the adapter waits for one answer, in milliseconds. */
    readonly deadlineMs: number
    /** Does it as the customer would, or lets the time of the payment run out. */
    readonly act: (reference: string, does: CustomerAct) => Effect.Effect<void>
    /** Gives money back in the provider's own app. */
    readonly refundOutside: (reference: string, amount: Tiyn) => Effect.Effect<void>
    /** Ends every session. */
    readonly loseSessions: Effect.Effect<void>
    /** The next call of this name meets the trouble. */
    readonly trouble: (call: Call, trouble: Trouble) => Effect.Effect<void>
    /** Lets time pass for the adapter and the provider. */
    readonly passTime: (ms: number) => Effect.Effect<void>
  }
>()("@tolem/core/testing/ProviderControl") {}

/** Parts of `ProviderControl` that the other side of some providers cannot lend. */
export type ControlPart = "refundOutside" | "loseSessions" | "trouble" | "passTime"

/** What a case is about: a provider that can all of `can` and nothing of `cannot`, and a control that has `control`. */
export interface Needs {
  readonly can?: ReadonlyArray<Ability>
  readonly cannot?: ReadonlyArray<Ability>
  readonly control?: ReadonlyArray<ControlPart>
}

/** A promise of provider adapters. It fails, or dies with `PromiseBroken`, if the promise is broken. */
export interface ProviderCase {
  readonly name: string
  readonly needs: Needs
  readonly run: Effect.Effect<void, unknown, PaymentProvider | ProviderControl>
}

/** The cases of one subject, each named after it, which all need the same. */
export const providerSubject = (
  name: string,
  cases: Readonly<Record<string, () => Effect.fn.Return<void, unknown, PaymentProvider | ProviderControl>>>,
  needs: Needs = {}
): ReadonlyArray<ProviderCase> =>
  Object.entries(cases).map(([promise, body]) => ({ name: `${name} ${promise}`, needs, run: Effect.gen(body) }))

/** Why a case is not about this provider, or cannot be tried with this control; null if it is to be run. */
export const whyNot = (
  { needs }: ProviderCase,
  can: Abilities,
  lacking: ReadonlyArray<ControlPart> = []
): string | null => {
  const said = complete(can)
  const cannot = needs.can?.find((ability) => !said[ability])
  if (cannot !== undefined) return `the provider cannot: ${cannot}`
  const able = needs.cannot?.find((ability) => said[ability])
  if (able !== undefined) return `the provider can: ${able}`
  const part = needs.control?.find((one) => lacking.includes(one))
  return part === undefined ? null : `the control has no ${part}`
}
