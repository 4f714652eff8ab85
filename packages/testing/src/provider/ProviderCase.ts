/** One promise of the provider port, as a program that fails if it is not kept, and what such programs need. */
import type { Call, PaymentProvider } from "@tolem/core/provider/PaymentProvider"
import type { Tiyn } from "@tolem/core/value/Money"
import { Context, Effect } from "effect"

/**
 * What can happen to a call. `lost_request`: it never arrives. `lost_answer`: it is done, and the answer is lost.
 * `silence`: neither an answer nor an end comes. `server_error`: an answer of 500, nothing done. `unreadable`: an
 * answer that cannot be understood, nothing done. `throttled`: too many calls. `twice`: it arrives two times.
 */
export type Trouble = "lost_request" | "lost_answer" | "silence" | "server_error" | "unreadable" | "throttled" | "twice"

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
    readonly act: (reference: string, does: "scan" | "pay" | "refuse" | "fail" | "expire") => Effect.Effect<void>
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

/** A promise of provider adapters. It fails, or dies with `PromiseBroken`, if the promise is broken. */
export interface ProviderCase {
  readonly name: string
  readonly run: Effect.Effect<void, unknown, PaymentProvider | ProviderControl>
}

/** The cases of one subject, each named after it. */
export const providerSubject = (
  name: string,
  cases: Readonly<Record<string, () => Effect.fn.Return<void, unknown, PaymentProvider | ProviderControl>>>
): ReadonlyArray<ProviderCase> =>
  Object.entries(cases).map(([promise, body]) => ({ name: `${name} ${promise}`, run: Effect.gen(body) }))
