/** Why no code is sent, and why a code does not log in. None of them tells whether a phone is known. */
import { Data } from "effect"

/** A code was asked for too soon, or too often. Nothing was sent. */
export class RateLimited extends Data.TaggedError("RateLimited")<{
  /** Whole seconds until another may be asked for, at least 1. */
  readonly retryAfterSeconds: number
}> {
  readonly code = "rate_limited"
}

/**
 * `no_channel`: there is none, or it could not send the code. `channel_forbidden`: the one that was asked for is not
 * among those that there are.
 */
export class ChannelRefused extends Data.TaggedError("ChannelRefused")<{
  readonly code: "no_channel" | "channel_forbidden"
}> {}

/**
 * `challenge_expired`: the login is over, or there never was one. `challenge_used`: it has succeeded before.
 * `too_many_attempts`: no further code is looked at.
 */
export class ChallengeRefused extends Data.TaggedError("ChallengeRefused")<{
  readonly code: "invalid_code" | "challenge_expired" | "challenge_used" | "too_many_attempts"
}> {}

/** What a client is told to wait, one second at least. */
export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000))
