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

/** Cashiers who log in with `code`. `mark` makes their tokens differ from those of another run. */
export const make = (code: string, mark: string) => {
  const processes = new Map<string, Process>()
  const sessions = new Map<string, string>()
  let sequence = 0

  const running = (processId: string, now: number) => {
    const process = processes.get(processId)
    if (process?.used === true) return refused("process_used")
    return process === undefined || process.expiresAt <= now ? refused("process_expired") : process
  }

  return {
    init: (now: number): LoginProcess => {
      const processId = `login-${mark}-${++sequence}`
      const expiresAt = now + processMs
      processes.set(processId, { expiresAt, phone: null, wrongCodes: 0, used: false })
      return { processId, expiresAt }
    },
    sendPhone: (processId: string, phone: string, now: number): Answer<void> => {
      const process = running(processId, now)
      if ("_tag" in process) return process
      if (!/^7[0-9]{10}$/.test(phone)) return refused("number_rejected")
      process.phone = phone
      return Answer.Accepted({ value: undefined })
    },
    verify: (processId: string, otp: string, now: number): Answer<string> => {
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
    /** Whose login it is, once a phone was given. */
    phoneOfProcess: (processId: string): string | null => processes.get(processId)?.phone ?? null,
    /** Whose session it is; null if it is none, or no longer. */
    phoneOf: (session: string): string | null => sessions.get(session) ?? null,
    /** Ends this session. */
    lose: (session: string) => void sessions.delete(session),
    /** Ends the sessions of the cashier, or everybody's, and answers how many. */
    loseAll: (phone: string | null): number => {
      const lost = Array.from(sessions).filter(([, whose]) => phone === null || whose === phone)
      for (const [session] of lost) sessions.delete(session)
      return lost.length
    }
  }
}

/** The logins and sessions of cashiers. Instants are milliseconds. */
export interface Cashiers extends ReturnType<typeof make> {}
