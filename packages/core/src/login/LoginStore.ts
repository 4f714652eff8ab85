/** Port: where challenges and sessions are kept. Each verb is one atomic step. */
import { Context, Data, type Effect, type Option } from "effect"
import type { Account } from "../merchant/Merchant.ts"
import type { StorageError } from "../StorageError.ts"
import type { Challenge, CodeLimits } from "./Challenge.ts"
import type { Session } from "./Session.ts"

/** A code was right: what its challenge is to be turned into. */
export interface Entry {
  readonly challengeId: string
  readonly now: number
  /** Added where there is no account with its phone. */
  readonly account: Account
  /** `accountId` is that of the account as it is stored. */
  readonly session: Omit<Session, "accountId">
}

/** What came of an entry. `Used`: somebody was faster. `Blocked`: there is no session, and the challenge is used up. */
export type Entered = Data.TaggedEnum<{
  Entered: { readonly account: Account; readonly session: Session }
  Used: object
  Blocked: object
}>
/** Constructors of outcomes. */
export const Entered = Data.taggedEnum<Entered>()

/** A session with the account that it belongs to. */
export interface SessionHolder {
  readonly session: Session
  readonly account: Account
}

/** See the file's head. */
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
    /** The challenge with this id; none also where its key cannot be read any more. */
    readonly findChallenge: (id: string) => Effect.Effect<Option.Option<Challenge>, StorageError>
    /** Counts a try and answers its number: each is given once, whoever else tries at the same moment. */
    readonly countTry: (id: string) => Effect.Effect<number, StorageError>
    /** Uses a challenge up, once, and opens a session for its account. */
    readonly enter: (entry: Entry) => Effect.Effect<Entered, StorageError>
    /** The session with this digest, live or not. */
    readonly findSession: (digest: string) => Effect.Effect<Option.Option<SessionHolder>, StorageError>
    /** Notes a use: writes `seenAt` and `idleAt`, unless the session was revoked or another use was noted meanwhile. */
    readonly touchSession: (session: Session, previousSeenAt: number) => Effect.Effect<void, StorageError>
    /** Revokes the session with this digest. False where there is none that is not revoked. */
    readonly revokeSession: (digest: string, now: number) => Effect.Effect<boolean, StorageError>
    /** Revokes every session of an account and answers how many there were. */
    readonly revokeAllOf: (accountId: string, now: number) => Effect.Effect<number, StorageError>
    /** Forgets challenges that were made, and sessions that ended, before an instant. */
    readonly forget: (before: {
      readonly challenges: number
      readonly sessions: number
    }) => Effect.Effect<void, StorageError>
  }
>()("@tolem/core/LoginStore") {}
