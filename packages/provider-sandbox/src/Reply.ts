/** What the simulated bank gives back for a call: an answer, now or later, or one of the ways in which none comes. */
import type { Answer } from "@tolem/core/provider/Answer"

/** What the sandbox answers a call. `garbage` is an answer that is not what was asked for. */
export type Reply<A> =
  | {
      readonly kind: "answer"
      readonly afterMs: number
      /** To be asked for once `afterMs` have passed, with the instant that it is then. */
      readonly answer: (now: number) => Answer<A>
    }
  | { readonly kind: "silence" }
  | { readonly kind: "drop" }
  | { readonly kind: "error"; readonly status: number }
  | { readonly kind: "garbage"; readonly body: string }

/** The answer at once. */
export const immediately = <A>(answer: Answer<A>): Reply<A> => ({ kind: "answer", afterMs: 0, answer: () => answer })
