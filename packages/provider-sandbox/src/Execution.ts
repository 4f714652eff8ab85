/** Carries out what is asked of the bank, well or with the fault that the call meets. */
import { Answer, refused } from "@tolem/core/provider/Answer"
import type { Call } from "@tolem/core/provider/PaymentProvider"
import type { FaultQueue } from "./FaultQueue.ts"
import { immediately, type Reply } from "./Reply.ts"
import type { Timeline } from "./Timeline.ts"

/** What is asked for: `deed` does it, at the instant that it is given. */
export interface CallArguments<A> {
  /** Faults of the payment or the cashier; those of the bank go first. */
  readonly own: FaultQueue | undefined
  readonly deed: (at: number) => Answer<A>
  /** Ends the session that the call came with. */
  readonly loseSession: () => void
}

/** Carries out a call, well or with the fault that it meets. */
export type Perform = <A>(call: Call, now: number, asked: CallArguments<A>) => Reply<A>

/** Performs in the time of `timeline`, with the faults of the bank. */
export const make = (timeline: Timeline, faults: FaultQueue): Perform => {
  const later = <A>(at: number, afterMs: number, deed: CallArguments<A>["deed"]): Reply<A> => {
    let done: Answer<A> = refused("unavailable", { retryable: true })
    timeline.postpone(at, (then) => {
      done = deed(then)
    })
    const answer = (now: number) => {
      timeline.settle(now)
      return done
    }
    return { kind: "answer", afterMs, answer }
  }

  return (call, now, { own, deed, loseSession }) => {
    const at = timeline.settle(now)
    const fault = faults.take(call) ?? own?.take(call)
    switch (fault?.kind) {
      case undefined:
        return immediately(deed(at))
      case "silence":
      case "drop":
      case "error":
      case "garbage":
        if (fault.done) deed(at)
        return fault
      case "slow": {
        const answer = deed(at)
        return { kind: "answer", afterMs: fault.delayMs, answer: () => answer }
      }
      case "late":
        return later(at + fault.delayMs, fault.delayMs, deed)
      case "twice":
        deed(at)
        return immediately(deed(at))
      case "throttle":
        return immediately(Answer.Throttled({ retryAfterMs: fault.retryAfterMs }))
      case "lose_session":
        loseSession()
        return immediately(Answer.SessionLost())
      case "refuse":
        return immediately(refused(fault.code, { retryable: fault.retryable }))
    }
  }
}
