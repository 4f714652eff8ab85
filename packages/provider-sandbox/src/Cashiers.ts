/** Logins and sessions of the simulated bank. Tokens are numbers in a row: a sandbox has nothing to protect. */
import { Answer, refused } from "@tolem/core/provider/Answer"
import type { LoginProcess } from "@tolem/core/provider/PaymentProvider"

/** How long a login may take, in milliseconds. */
export const processMs = 600_000
const wrongCodesAllowed = 5

interface Process {
  readonly expiresAt: number
  phone: string | null
  wrongCodes: number
  used: boolean
}

/** The logins and sessions of cashiers. Instants are milliseconds. */
export interface Cashiers {
  readonly init: (now: number) => LoginProcess
  readonly sendPhone: (processId: string, phone: string, now: number) => Answer<void>
  readonly verify: (processId: string, otp: string, now: number) => Answer<string>
  /** Whose login it is, once a phone was given. */
  readonly phoneOfProcess: (processId: string) => string | null
  /** Whose session it is; null if it is none, or no longer. */
  readonly phoneOf: (session: string) => string | null
  /** Ends this session. */
  readonly lose: (session: string) => void
  /** Ends the sessions of the cashier, or everybody's, and answers how many. */
  readonly loseAll: (phone: string | null) => number
}

/** Cashiers who log in with `code`. `mark` makes their tokens differ from those of another run. */
export const make = (code: string, mark: string): Cashiers => {
  const processes = new Map<string, Process>()
  const sessions = new Map<string, string>()
  let sequence = 0

  const running = (processId: string, now: number) => {
    const process = processes.get(processId)
    if (process?.used === true) return refused("process_used")
    return process === undefined || process.expiresAt <= now ? refused("process_expired") : process
  }

  return {
    init: (now) => {
      const processId = `login-${mark}-${++sequence}`
      const expiresAt = now + processMs
      processes.set(processId, { expiresAt, phone: null, wrongCodes: 0, used: false })
      return { processId, expiresAt }
    },
    sendPhone: (processId, phone, now) => {
      const process = running(processId, now)
      if ("_tag" in process) return process
      if (!/^7[0-9]{10}$/.test(phone)) return refused("number_rejected")
      process.phone = phone
      return Answer.Accepted({ value: undefined })
    },
    verify: (processId, otp, now) => {
      const process = running(processId, now)
      if ("_tag" in process) return process
      if (process.wrongCodes >= wrongCodesAllowed) return refused("too_many_codes")
      if (process.phone === null || otp !== code) {
        process.wrongCodes++
        return refused("wrong_code", { retryable: true })
      }
      process.used = true
      const session = `session-${mark}-${++sequence}`
      sessions.set(session, process.phone)
      return Answer.Accepted({ value: session })
    },
    phoneOfProcess: (processId) => processes.get(processId)?.phone ?? null,
    phoneOf: (session) => sessions.get(session) ?? null,
    lose: (session) => void sessions.delete(session),
    loseAll: (phone) => {
      const lost = Array.from(sessions).filter(([, whose]) => phone === null || whose === phone)
      for (const [session] of lost) sessions.delete(session)
      return lost.length
    }
  }
}
