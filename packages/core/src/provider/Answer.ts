/**
 * What a call to the provider came to. All five are values, not errors: a call without an answer may have moved
 * money, so that not knowing is a state to be stored and resolved, not a failure to be caught.
 */
import { Data } from "effect"

/**
 * Why the provider refused, in the words of this port; adapters map the provider's own codes to these.
 *
 * `not_found`: it knows no such payment or refund. `reference_used`: our reference names something else already.
 * `invalid`: it takes no such amount, phone or description. `unknown_customer`: the phone is not one of its customers.
 * `not_open`: paid, expired or cancelled already. `not_refundable`: not paid, or not for so much. `number_rejected`:
 * the cashier's phone may not log in. `wrong_code`, `too_many_codes`, `process_expired`, `process_used`: steps of the
 * login. `unavailable`: it cannot now. `other`: anything else.
 */
export const RefusalCode = [
  "not_found",
  "reference_used",
  "invalid",
  "unknown_customer",
  "not_open",
  "not_refundable",
  "number_rejected",
  "wrong_code",
  "too_many_codes",
  "process_expired",
  "process_used",
  "unavailable",
  "other"
] as const
/** See the list of the same name. */
export type RefusalCode = (typeof RefusalCode)[number]

/**
 * Why it is unknown: no whole answer in time, no connection or a broken one, an answer of the provider's own failure
 * (5xx), an answer that says nothing that can be understood, or a fault of the adapter itself.
 */
export type UnknownReason = "timeout" | "connection" | "server_error" | "unreadable" | "defect"

/** What a call to the provider came to. */
export type Answer<A> = Data.TaggedEnum<{
  /** It was done; `value` is what became of it. */
  Accepted: { readonly value: A }
  /** It was not done, and will not be. `retryable`: the same call may be accepted later. `detail`: for logs. */
  Refused: { readonly code: RefusalCode; readonly retryable: boolean; readonly detail: string | null }
  /** It may have been done, or may still be. Only asking for the state can tell. */
  Unknown: { readonly reason: UnknownReason }
  /** It was not done: the cashier has to log in again. */
  SessionLost: object
  /** It was not done: too many calls. None should be made for this cashier before `retryAfterMs` have passed. */
  Throttled: { readonly retryAfterMs: number }
}>

interface AnswerDefinition extends Data.TaggedEnum.WithGenerics<1> {
  readonly taggedEnum: Answer<this["A"]>
}

/** Constructors of answers, with `$is` and `$match`. */
export const Answer = Data.taggedEnum<AnswerDefinition>()

/** An answer that holds no value, whatever the call was. */
export type NotAccepted = Exclude<Answer<never>, { readonly _tag: "Accepted" }>

/** The answer with another value. Pure. */
export const map = <A, B>(answer: Answer<A>, change: (value: A) => B): Answer<B> =>
  answer._tag === "Accepted" ? Answer.Accepted({ value: change(answer.value) }) : answer

/** A refusal; final and without detail if nothing else is said. */
export const refused = (
  code: RefusalCode,
  more: { readonly retryable?: boolean; readonly detail?: string } = {}
): NotAccepted => ({ _tag: "Refused", code, retryable: more.retryable ?? false, detail: more.detail ?? null })
