import type { AccountId, SessionId } from "../value/Ids.ts"

/** A session: a person who has logged in, on one device. Pure. */

/** A session as it is kept: the digest of its token, never the token. Instants are epoch milliseconds. */
export interface Session {
  readonly id: SessionId
  readonly accountId: AccountId
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string
  /** Where it was opened from, for its owner to recognise it by; null if unknown. */
  readonly address: string | null
  readonly userAgent: string | null
  readonly createdAt: number
  /** When it was last used, to a minute or so. */
  readonly seenAt: number
  /** When it ends unless it is used before; never after `expiresAt`. */
  readonly idleAt: number
  /** When it ends in any case. */
  readonly expiresAt: number
  readonly revokedAt: number | null
  /** Until when the last code of its owner lets them do what a session alone does not; null: it does not. */
  readonly freshUntil: number | null
}

/** How long sessions last, milliseconds. */
export interface SessionLimits {
  /** Unused. */
  readonly idleMs: number
  /** In any case. */
  readonly maxMs: number
  /** Uses that are closer together are noted once. */
  readonly touchMs: number
}

/** Whether it may still be used. */
export const isLive = ({ revokedAt, idleAt }: Session, now: number): boolean => revokedAt === null && now < idleAt

/** Whether a code that its owner was sent is fresh. */
export const isFresh = ({ freshUntil }: Session, now: number): boolean => freshUntil !== null && now < freshUntil

/** The session as it is after a use at `now`; the same one where that need not be noted. */
export const seen = (session: Session, now: number, { idleMs, touchMs }: SessionLimits): Session =>
  now - session.seenAt < touchMs
    ? session
    : { ...session, seenAt: now, idleAt: Math.min(now + idleMs, session.expiresAt) }
