/** Port: carries the code of a login to its phone. */
import { Context, type Effect, type Redacted } from "effect"

/** A code on its way. */
export interface CodeMessage {
  /** Of the person who is to have it, 7XXXXXXXXXX. */
  readonly phone: string
  readonly code: Redacted.Redacted
  /** Until when the code can be used, epoch milliseconds. */
  readonly expiresAt: number
}

/** A way to reach a phone: text messages, a messenger, or a log during development. */
export interface CodeChannel {
  /** By which clients choose it: lower case, as `sms`. */
  readonly name: string
  /** Never fails and ends within half a minute. `sent`: the channel has accepted the code for delivery. */
  readonly send: (message: CodeMessage) => Effect.Effect<"sent" | "failed">
}

/** The engine's own channel among the others: by e-mail, to the address of the account. It takes a `Mailer`. */
export interface EmailChannel {
  readonly name: "email"
  readonly send: null
}

/** See the interface of the same name. */
export const emailChannel: EmailChannel = { name: "email", send: null }

/** The channels that there are, the preferred one first. Without them in the context there is no login by code. */
export class CodeChannels extends Context.Service<CodeChannels, ReadonlyArray<CodeChannel | EmailChannel>>()(
  "@tolem/core/CodeChannels"
) {}
