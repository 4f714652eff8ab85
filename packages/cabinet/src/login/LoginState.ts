/** Codes that are sent to a phone and typed in: those of a login, and the fresh ones of a person who is logged in. */
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
  /** The one that carries it. */
  readonly channel: string | undefined
  /** How many were sent to this phone since the page was opened. */
  readonly count: number
}

const challengeOf = (
  answer: Answer<"POST /panel/login/code">,
  channel: string | undefined,
  before: Challenge | null
): Challenge => ({
  id: answer.challengeId,
  againAt: now() + answer.retryAfterSeconds * 1000,
  channels: answer.channels,
  channel: channel ?? answer.channels[0],
  count: (before?.count ?? 0) + 1
})

/** Codes after which the code that was sent is of no more use. */
const spent = new Set(["challenge_expired", "challenge_used", "too_many_attempts"])

/** Where codes come from and what they are given for. */
interface Codes {
  readonly ask: (phone: string, channel: string | undefined) => Promise<Answer<"POST /panel/login/code">>
  readonly give: (challengeId: string, code: string, name: string | null) => Promise<void>
}

/** What a form of codes knows and does. */
export const useCodes = ({ ask, give }: Codes) => {
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
      const answer = await ask(phone, channel)
      setChallenge((before) => challengeOf(answer, channel, before))
    })

  const enter = (code: string, name: string | null): Promise<void> =>
    during(async () => {
      if (challenge !== null) await give(challenge.id, code, name)
    })

  const back = (): void => {
    setChallenge(null)
    setFailure(null)
  }

  const isSpent = failure instanceof Refusal && spent.has(failure.code)
  return { challenge, failure, isBusy, isSpent, heldUntil, send, enter, back }
}

/** See `useCodes`. */
export type LoginState = ReturnType<typeof useCodes>

const ofLogin: Codes = {
  ask: (phone, channel) =>
    callOnce("POST /panel/login/code", { body: { phone, ...(channel !== undefined && { channel }) } }),
  give: async (challengeId, code, name) => {
    const body = { challengeId, code, ...(name !== null && { name }) }
    enterSession(await callOnce("POST /panel/login/verify", { body }))
  }
}

/** What the form of a login knows and does: a phone, the code that comes to it, a session. */
export const useLogin = (): LoginState => useCodes(ofLogin)
