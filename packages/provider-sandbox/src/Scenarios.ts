/**
 * The scenarios that are always there. One with number N is chosen by the amount of 1 000 + N tenge, by the customer's
 * phone 7700000 1000 + N, and for logins by that phone as the cashier's.
 */
import type { Fault, FaultRule, Scenario, Script, Step } from "./Scenario.ts"

const seconds = 1000
const always: null = null

const step = (after: Step["after"], ms: number, does: Step["does"], share = 1): Step => ({ after, ms, does, share })
const rule = (call: FaultRule["call"], fault: Fault, times: number | null = 1): FaultRule => ({ call, times, fault })
const creates = (fault: Fault): ReadonlyArray<FaultRule> => [rule("createQr", fault), rule("createPush", fault)]
const states = (fault: Fault, times: number): ReadonlyArray<FaultRule> => [
  rule("stateByReference", fault, times),
  rule("stateByOurs", fault, times)
]

const pays = [step("creation", 1 * seconds, "scan"), step("creation", 2 * seconds, "pay")]
const refundMeets = (fault: Fault, times: number | null = 1): Partial<Script> => ({
  steps: pays,
  faults: [rule("refund", fault, times)]
})

const scenario = (number: number | null, name: string, about: string, script: Partial<Script> = {}): Scenario => {
  return { number, name, about, steps: [], faults: [], ...script }
}

/** Every scenario, the default first. */
export const scenarios: ReadonlyArray<Scenario> = [
  scenario(null, "waits", "Not paid unless the control API says so. The default."),
  scenario(1, "pays", "Scanned after 1 s, paid after 2 s.", { steps: pays }),
  scenario(2, "pays_slowly", "Paid after 60 s.", { steps: [step("creation", 60 * seconds, "pay")] }),
  scenario(3, "pays_after_expiry", "Paid 20 s after it expired.", { steps: [step("expiry", 20 * seconds, "pay")] }),
  scenario(4, "pays_after_cancel", "Paid 5 s after it was cancelled here, else 20 s before it expires.", {
    steps: [step("cancellation", 5 * seconds, "pay"), step("expiry", -20 * seconds, "pay")]
  }),
  scenario(5, "refused_by_payer", "Scanned after 1 s; the customer says no after 2 s.", {
    steps: [step("creation", 1 * seconds, "scan"), step("creation", 2 * seconds, "refuse")]
  }),
  scenario(6, "fails", "Scanned after 1 s; the money cannot be taken after 2 s.", {
    steps: [step("creation", 1 * seconds, "scan"), step("creation", 2 * seconds, "fail")]
  }),
  scenario(7, "never_answers", "The create is not taken and gets no answer.", {
    faults: creates({ kind: "silence", done: false })
  }),
  scenario(8, "loses_answer", "The create is taken, its answer is lost; paid after 2 s.", {
    steps: pays,
    faults: creates({ kind: "drop", done: true })
  }),
  scenario(9, "answers_twice", "Every call is carried out twice; paid after 2 s.", {
    steps: pays,
    faults: [rule("any", { kind: "twice" }, always)]
  }),
  scenario(10, "answers_500", "The create is not taken and answered with 500, then works.", {
    faults: creates({ kind: "error", status: 500, done: false })
  }),
  scenario(11, "is_slow", "The create is answered after 5 s; paid after 2 s.", {
    steps: pays,
    faults: creates({ kind: "slow", delayMs: 5 * seconds })
  }),
  scenario(12, "is_too_slow", "The create is taken after 20 s, when its caller has gone; paid 2 s later.", {
    steps: pays,
    faults: creates({ kind: "late", delayMs: 20 * seconds })
  }),
  scenario(13, "loses_session", "The first question for its state ends the cashier's session.", {
    faults: states({ kind: "lose_session" }, 1)
  }),
  scenario(14, "throttles", "The first three questions for its state are too many; paid after 2 s.", {
    steps: pays,
    faults: states({ kind: "throttle", retryAfterMs: 2 * seconds }, 3)
  }),
  scenario(15, "refuses_refund", "Paid after 2 s; refunds are refused.", {
    ...refundMeets({ kind: "refuse", code: "not_refundable", retryable: false }, always)
  }),
  scenario(16, "loses_refund_answer", "Paid after 2 s; the first refund is made, its answer is lost.", {
    ...refundMeets({ kind: "drop", done: true })
  }),
  scenario(17, "loses_refund", "Paid after 2 s; the first refund is not made and gets no answer.", {
    ...refundMeets({ kind: "silence", done: false })
  }),
  scenario(18, "refunds_too_late", "Paid after 2 s; the first refund is made after 20 s, when its caller has gone.", {
    ...refundMeets({ kind: "late", delayMs: 20 * seconds })
  }),
  scenario(19, "refunds_on_its_own", "Paid after 2 s, given back in the provider's app 10 s later.", {
    steps: [...pays, step("payment", 10 * seconds, "refund")]
  }),
  scenario(20, "refunds_half_on_its_own", "Paid after 2 s, half of it given back in the provider's app 10 s later.", {
    steps: [...pays, step("payment", 10 * seconds, "refund", 0.5)]
  }),
  scenario(21, "refuses_create", "The create is refused.", {
    faults: creates({ kind: "refuse", code: "invalid", retryable: false })
  }),
  scenario(22, "refuses_cancel", "Cancelling is refused; paid after 60 s.", {
    steps: [step("creation", 60 * seconds, "pay")],
    faults: [rule("cancel", { kind: "refuse", code: "not_open", retryable: false }, always)]
  }),
  scenario(23, "answers_garbage", "The first three answers about its state cannot be read; paid after 2 s.", {
    steps: pays,
    faults: states({ kind: "garbage", body: '{"reference":7,"amount":NaN', done: false }, 3)
  }),
  scenario(31, "rejects_number", "Login: the provider sends this cashier no code.", {
    faults: [rule("sendPhone", { kind: "refuse", code: "number_rejected", retryable: false }, always)]
  }),
  scenario(32, "wrong_code", "Login: no code is right for this cashier.", {
    faults: [rule("verifyOtp", { kind: "refuse", code: "wrong_code", retryable: true }, always)]
  }),
  scenario(33, "session_breaks", "Login works; the first check ends the session.", {
    faults: [rule("checkSession", { kind: "lose_session" })]
  })
]

/** The amount in tenge that chooses the scenario, or null. */
export const tengeOf = ({ number }: Scenario): number | null => (number === null ? null : 1000 + number)

/** The phone that chooses the scenario, or null. */
export const phoneOf = ({ number }: Scenario): string | null => (number === null ? null : `7700000${1000 + number}`)
