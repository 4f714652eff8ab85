/** People who log in by a code that is sent to their phone. Durations are milliseconds. */
import type { Effect } from "effect"
import { type CommonSettings, commonDefaults, hours, minutes, seconds, shareOf } from "../value/CommonSettings.ts"
import { Tiyn } from "../value/Money.ts"
import type { CodeLimits } from "./Challenge.ts"
import type { SessionLimits } from "./Session.ts"

/** The settings of logins and sessions. */
export interface LoginSettings extends CommonSettings {
  /** People who log in by a code that is sent to their phone. */
  readonly login: {
    /** How long a code lives. */
    readonly codeMs: number
    /** Codes that may be tried on one login, the right one included. */
    readonly maxTries: number
    readonly codes: CodeLimits
    /** Codes for addresses that people confirm: `perPhone` is of an address, `perAddress` of an account. */
    readonly ownEmail: CodeLimits
    /** Codes by e-mail: how many are handed over at once, and how many may wait for that; one more is refused. */
    readonly email: { readonly atOnce: number; readonly waiting: number }
    readonly session: SessionLimits
    /** Live sessions that a person may have, as on so many devices: the next login ends the oldest (ASVS 7.1.2). */
    readonly maxSessions: number
    /** How long a code that was right lets its owner do what a session alone does not. */
    readonly freshMs: number
    /** Live refunds of more than this take such a code, in tiyn. */
    readonly freshRefund: Tiyn
  }
}

/** Their defaults. */
export const loginDefaults: LoginSettings = {
  ...commonDefaults,
  login: {
    codeMs: 5 * minutes,
    maxTries: 5,
    codes: { waitMs: 60 * seconds, perPhone: 10, perAddress: 30, periodMs: 24 * hours },
    ownEmail: { waitMs: 60 * seconds, perPhone: 5, perAddress: 10, periodMs: 24 * hours },
    email: { atOnce: 4, waiting: 500 },
    session: { idleMs: 7 * 24 * hours, maxMs: 30 * 24 * hours, touchMs: 1 * minutes },
    maxSessions: 10,
    freshMs: 10 * minutes,
    freshRefund: Tiyn(10_000_000)
  }
}

/** Those in force. */
export const LoginSettings: Effect.Effect<LoginSettings> = shareOf(loginDefaults)
