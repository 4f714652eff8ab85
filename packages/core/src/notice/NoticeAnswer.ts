/** What a channel's answer makes of a line. Pure. */
import type { HandOver } from "../mail/Mailer.ts"
import type { SendOutcome } from "../messenger/Messenger.ts"
import { doubted, nothingGathered } from "./Gathered.ts"
import { type NoticeLine, paceMs, restMs } from "./NoticeLine.ts"

/** When it is now, and the waits before a message is handed over again; their number is that of the repetitions. */
export interface AnswerTimes {
  readonly now: number
  readonly retryWaitsMs: ReadonlyArray<number>
}

const later = (line: NoticeLine, part: Partial<NoticeLine> & { readonly notBefore: number }): NoticeLine => ({
  ...line,
  status: "waiting",
  ...part,
  dueAt: part.notBefore,
  version: line.version + 1
})

const givenUp = (line: NoticeLine, reason: string, now: number): NoticeLine =>
  later(line, { status: "given_up", tries: 0, reason, notBefore: now + restMs })

/**
 * The line whose message may have been taken: its things are not told again, but the next message says how many they
 * were. After as many as there are repetitions it rests.
 */
export const doubtful = (line: NoticeLine, reason: string, { now, retryWaitsMs }: AnswerTimes): NoticeLine => {
  const next = { ...line, gathered: doubted(line.gathered) }
  const waitMs = retryWaitsMs[line.tries - 1]
  return waitMs === undefined ? givenUp(next, reason, now) : later(next, { reason, notBefore: now + waitMs })
}

/** The line after the answer to its message. */
export const afterAnswer = (line: NoticeLine, answer: HandOver | SendOutcome, times: AnswerTimes): NoticeLine => {
  const { now, retryWaitsMs } = times
  switch (answer._tag) {
    case "Taken":
      return later(line, { gathered: nothingGathered, tries: 0, toldAt: now, reason: null, notBefore: now + paceMs })
    case "Unknown":
      return doubtful(line, answer.reason, times)
    // Not the message's fault: it does not count as a try.
    case "Later":
      return later(line, { tries: line.tries - 1, notBefore: now + Math.min(answer.waitMs, restMs) })
    // The chat has ended, and with it what waits for it.
    case "Blocked":
      return later(line, { gathered: nothingGathered, tries: 0, reason: answer.reason, notBefore: now + paceMs })
    case "Rejected": {
      const waitMs = answer.retryable ? retryWaitsMs[line.tries - 1] : undefined
      if (waitMs === undefined) return givenUp(line, answer.reason, now)
      return later(line, { reason: answer.reason, notBefore: now + waitMs })
    }
  }
}
