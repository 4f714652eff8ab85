/** Port: carries the code of a login to its phone. */
import { Context, type Effect, type Redacted } from "effect"

/** A way to reach a phone: text messages, a messenger, or a log during development. */
export interface CodeChannel {
  /** By which clients choose it: lower case, as `sms`. */
  readonly name: string
  /** Never fails and ends within half a minute. `sent`: the channel has accepted the code for delivery. */
  readonly send: (message: {
    readonly phone: string
    readonly code: Redacted.Redacted
    /** Until when the code can be used, epoch milliseconds. */
    readonly expiresAt: number
  }) => Effect.Effect<"sent" | "failed">
}

/** The channels that there are, the preferred one first. Without them in the context there is no login by code. */
export class CodeChannels extends Context.Service<CodeChannels, ReadonlyArray<CodeChannel>>()(
  "@tolem/core/CodeChannels"
) {}
