/** Calls that take a fresh code: they wait while the person gives it, and are made again. One for the whole page. */
import { type Asking, Refusal } from "./Call.ts"
import type { Answer, Call, Request } from "./Contract.ts"
import { ask } from "./Session.ts"

/** The code of a call that waited for a fresh code when the person turned away: nothing was done, as they wished. */
export const givenUp = "given_up"

interface Wait {
  readonly go: () => void
  readonly giveUp: () => void
}

let wait: Wait | null = null
const listeners = new Set<() => void>()

/** Whether a call waits for a fresh code. */
export const awaitsCode = (): boolean => wait !== null

/** Hears of each change; the answer ends it. */
export const onConfirmation = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const become = (next: Wait | null): void => {
  wait = next
  for (const listener of listeners) listener()
}

/** The code was given: what waits goes on. */
export const confirm = (): void => {
  const held = wait
  become(null)
  held?.go()
}

/** The person turns away: what waits is not done. */
export const turnAway = (): void => {
  const held = wait
  become(null)
  held?.giveUp()
}

/** Calls the server as `ask` does, and again once the person has given a fresh code if it takes one. */
export const askFresh = async <C extends Call>(call: C, given: Request<C>, asking: Asking = {}): Promise<Answer<C>> => {
  try {
    return await ask(call, given, asking)
  } catch (failure) {
    if (!(failure instanceof Refusal) || failure.code !== "fresh_code_required") throw failure
    await new Promise<void>((go, fail) => {
      turnAway()
      become({ go, giveUp: () => fail(new Refusal(givenUp, 0, null)) })
    })
    return askFresh(call, given, asking)
  }
}
