/** The steps of a login: a phone, the code that comes to it, a session. */
import { useState } from "react"
import { callOnce, Refusal } from "../api/Call.ts"
import type { Answer } from "../api/Contract.ts"
import { enterSession } from "../api/Session.ts"
import { now } from "../browser/Clock.ts"

/** A code that was asked for. */
export interface Challenge {
  readonly id: string
  /** When another may be asked for. */
  readonly againAt: number
  readonly channels: ReadonlyArray<string>
  /** How many were sent to this phone since the page was opened. */
  readonly count: number
}

const challengeOf = (answer: Answer<"POST /panel/login/code">, before: Challenge | null): Challenge => ({
  id: answer.challengeId,
  againAt: now() + answer.retryAfterSeconds * 1000,
  channels: answer.channels,
  count: (before?.count ?? 0) + 1
})

/** Codes after which the code that was sent is of no more use. */
const spent = new Set(["challenge_expired", "challenge_used", "too_many_attempts"])

/** What the form of a login knows and does. */
export const useLogin = () => {
  const [challenge, setChallenge] = useState<Challenge | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  // When a code may be asked for again, if the server refused to send one.
  const [heldUntil, setHeldUntil] = useState(0)

  const during = async (act: () => Promise<void>): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    setFailure(null)
    try {
      await act()
    } catch (thrown) {
      setFailure(thrown)
      if (thrown instanceof Refusal && thrown.retryAfterSeconds !== null) {
        setHeldUntil(now() + thrown.retryAfterSeconds * 1000)
      }
    } finally {
      setBusy(false)
    }
  }

  const send = (phone: string, channel?: string): Promise<void> =>
    during(async () => {
      const body = { phone, ...(channel !== undefined && { channel }) }
      const answer = await callOnce("POST /panel/login/code", { body })
      setChallenge((before) => challengeOf(answer, before))
    })

  const enter = (code: string, name: string | null): Promise<void> =>
    during(async () => {
      if (challenge === null) return
      const body = { challengeId: challenge.id, code, ...(name !== null && { name }) }
      enterSession(await callOnce("POST /panel/login/verify", { body }))
    })

  const back = (): void => {
    setChallenge(null)
    setFailure(null)
  }

  const isSpent = failure instanceof Refusal && spent.has(failure.code)
  return { challenge, failure, isBusy, isSpent, heldUntil, send, enter, back }
}

/** See `useLogin`. */
export type LoginState = ReturnType<typeof useLogin>
