/** Who is logged in. One for the whole page: what it says changes as answers of the server come. */
import { prefer, preferences } from "../browser/Preferences.ts"
import { type Asking, callOnce, Refusal } from "./Call.ts"
import type { Answer, Call, Request } from "./Contract.ts"

/** A person's session, as the server tells it. */
export type Session = Answer<"GET /panel/session">

/**
 * Not asked yet; no one; a person; a person whose session is over while they are at work; the server is out of
 * reach.
 */
export type SessionState =
  | { readonly kind: "unknown" }
  | { readonly kind: "out" }
  | { readonly kind: "in"; readonly session: Session }
  | { readonly kind: "over"; readonly session: Session }
  | { readonly kind: "away" }

let state: SessionState = { kind: "unknown" }
const listeners = new Set<() => void>()
const waiting = new Set<() => void>()

/** What holds now. */
export const sessionState = (): SessionState => state

/** The organizations of the person who is logged in, or was until a moment ago; none otherwise. */
export const membershipsNow = (): Session["memberships"] =>
  state.kind === "in" || state.kind === "over" ? state.session.memberships : []

/** Hears of each change; the answer ends it. */
export const onSession = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const become = (next: SessionState): void => {
  state = next
  for (const listener of listeners) listener()
}

/** Asks the server who is logged in, unless no session was ever opened here. */
export const readSession = async (): Promise<void> => {
  if (preferences().returns !== true) return become({ kind: "out" })
  try {
    become({ kind: "in", session: await callOnce("GET /panel/session", {}) })
  } catch (failure) {
    const isOut = failure instanceof Refusal && failure.status === 401
    if (isOut) prefer({ returns: undefined })
    become({ kind: isOut ? "out" : "away" })
  }
}

/** Takes in a session that was just opened, and lets what waited for it go on. Another person begins anew. */
export const enterSession = (session: Session): void => {
  const isOther = state.kind === "over" && state.session.account.id !== session.account.id
  prefer({ returns: true })
  if (isOther) {
    location.reload()
    return
  }
  become({ kind: "in", session })
  for (const go of waiting) go()
  waiting.clear()
}

/** Reads the session again, after what it says was changed by the person themselves. */
export const refreshSession = async (): Promise<Session> => {
  const session = await ask("GET /panel/session", {})
  if (state.kind === "in") become({ kind: "in", session })
  return session
}

/** Ends the session on the server and here. */
export const leaveSession = async (): Promise<void> => {
  await callOnce("POST /panel/logout", {})
  prefer({ returns: undefined, organization: undefined })
  become({ kind: "out" })
}

/**
 * Calls the server. If the session is over, the person logs in where they are and the call is made again, so that
 * what they have typed is not lost. Rejects with a `Refusal`.
 */
export const ask = async <C extends Call>(call: C, given: Request<C>, asking: Asking = {}): Promise<Answer<C>> => {
  try {
    return await callOnce(call, given, asking)
  } catch (failure) {
    if (!(failure instanceof Refusal) || failure.status !== 401 || state.kind === "out") throw failure
    if (state.kind === "in") become({ kind: "over", session: state.session })
    await new Promise<void>((resolve) => waiting.add(resolve))
    return ask(call, given, asking)
  }
}
