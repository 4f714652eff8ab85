/** Port: where challenges and sessions are kept. Each verb is one atomic step. */
import { Context, Data, type Effect, type Option } from "effect"
import type { AuditRecord } from "../audit/Audit.ts"
import type { StorageError } from "../error/StorageError.ts"
import type { Account } from "../merchant/Merchant.ts"
import type { AccountId, ChallengeId, SessionId } from "../value/Ids.ts"
import type { Challenge, CodeLimits } from "./Challenge.ts"
import type { Session } from "./Session.ts"

/** A code was right: what its challenge is to be turned into. */
export interface SessionRequest {
  readonly challengeId: ChallengeId
  readonly now: number
  /** Added if there is no account with its phone. */
  readonly account: Account
  /** `accountId` is that of the account as it is stored. */
  readonly session: Omit<Session, "accountId">
  /** Live sessions that the account may have with this one: beyond that the oldest ends. */
  readonly maxSessions: number
  /** Digest of the session that the same device had until now, of any account; it ends. Null: none. */
  readonly replaces: string | null
  /** What the audit log says, by the account as it is stored. */
  readonly audits?: { readonly entered: AuditRecord; readonly blocked: AuditRecord }
}

/** A code was right that a session was asked to confirm something with. */
export interface Confirmation {
  readonly challengeId: ChallengeId
  readonly sessionId: SessionId
  readonly now: number
  readonly freshUntil: number
}

/** A code was right that was sent to an address: the account's from now on. */
export interface EmailConfirmed {
  readonly challengeId: ChallengeId
  readonly accountId: AccountId
  readonly email: string
  readonly now: number
}

/** Whose sessions: one by the digest of its token, one or all others of an account by its id, or all of an account. */
export type SessionOwner =
  | { readonly digest: string }
  | { readonly accountId: AccountId; readonly id?: SessionId; readonly except?: SessionId }

/** What came of an entry. `Used`: another was faster. `Blocked`: there is no session, and the challenge is used up. */
export type SessionResult = Data.TaggedEnum<{
  Entered: { readonly account: Account; readonly session: Session }
  Used: object
  Blocked: object
}>
/** Constructors of outcomes. */
export const SessionResult = Data.taggedEnum<SessionResult>()

/** A session with the account that it belongs to. */
export interface SessionHolder {
  readonly session: Session
  readonly account: Account
}

/** Port: challenges and sessions. */
export class LoginStore extends Context.Service<
  LoginStore,
  {
    /**
     * Adds a challenge where the limits leave room for it at its `createdAt`; else answers the instant from which on
     * they do. Exact over all servers, however many ask at once.
     */
    readonly addChallenge: (
      challenge: Challenge,
      limits: CodeLimits
    ) => Effect.Effect<Option.Option<number>, StorageError>
    /** The challenge with this id; none also if its key cannot be read any more. */
    readonly findChallenge: (id: ChallengeId) => Effect.Effect<Option.Option<Challenge>, StorageError>
    /**
     * Counts a try and answers its number: each is given once, to rivals at the same moment too. The record of one
     * that fails is written with it, but not beyond the `max` tries that a challenge bears.
     */
    readonly countTry: (
      id: ChallengeId,
      failed?: { readonly max: number; readonly audit: AuditRecord }
    ) => Effect.Effect<number, StorageError>
    /**
     * Uses a challenge up, once, and opens a session for its account; those that it replaces, and those that are too
     * many with it, end in the same step. Exact, however many enter at once, and beside one who blocks the account.
     */
    readonly enter: (entry: SessionRequest) => Effect.Effect<SessionResult, StorageError>
    /**
     * Uses a challenge up, once, and notes until when its code is fresh for a session that is live. False, and nothing
     * is written, if another was faster or the session has ended.
     */
    readonly confirm: (confirmation: Confirmation, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** Uses a challenge up, once, and notes the address of an account. False, and nothing is written, if it was. */
    readonly confirmEmail: (confirmed: EmailConfirmed, audit: AuditRecord) => Effect.Effect<boolean, StorageError>
    /** The session with this digest, live or not. */
    readonly findSession: (digest: string) => Effect.Effect<Option.Option<SessionHolder>, StorageError>
    /** Notes a use: writes `seenAt` and `idleAt`, unless the session was revoked or another use was noted meanwhile. */
    readonly touchSession: (session: Session, previousSeenAt: number) => Effect.Effect<void, StorageError>
    /** The live sessions of an account, newest first. */
    readonly sessions: (accountId: AccountId, now: number) => Effect.Effect<ReadonlyArray<Session>, StorageError>
    /** Revokes sessions, once, and answers how many. The record is written if there was one at least. */
    readonly revoke: (whose: SessionOwner, now: number, audit?: AuditRecord) => Effect.Effect<number, StorageError>
    /** Forgets challenges that were made before an instant, oldest first, `limit` at most. Answers how many. */
    readonly forgetChallenges: (before: number, limit: number) => Effect.Effect<number, StorageError>
    /** The same for sessions that ended before it. */
    readonly forgetSessions: (before: number, limit: number) => Effect.Effect<number, StorageError>
  }
>()("@tolem/core/LoginStore") {}
