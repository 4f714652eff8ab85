/** How login codes reach people. Off until a channel is named. */
import { codeChannelOf, type EmbeddedChannel } from "@tolem/core/embedded/EmbeddedLogins"
import { type CodeChannel, CodeChannels, type EmailChannel, emailChannel } from "@tolem/core/login/CodeChannel"
import { Effect, Layer, Option, Redacted } from "effect"
import type { Flag } from "effect/cli"
import { IsLocal } from "../../operations/LocalLines.ts"
import { UsageError } from "./Failures.ts"
import * as Flags from "./Flags.ts"
import * as SmsGateway from "./SmsGateway.ts"

/** The channel that every server knows. */
export const consoleName = "console"

/**
 * Writes codes to the server's log, for development: with the log one can log in as any account. Warnings, because
 * they have no place in the log of a service for others.
 */
const consoleChannel: CodeChannel = {
  name: consoleName,
  send: ({ phone, code }) =>
    Effect.logWarning("LoginChannels: a login code, for development only").pipe(
      Effect.annotateLogs({ phone, code: Redacted.value(code) }),
      Effect.provideService(IsLocal, true),
      Effect.as("sent" as const)
    )
}

/** `--login-channel`: who carries login codes. */
export const flag: Flag.Flag<Option.Option<string>> = Flags.optional({
  ...Flags.ofText("login-channel", "NAMES"),
  name: "TOLEM_LOGIN_CHANNELS",
  description:
    "How login codes are sent, commas between: sms by the gateway of TOLEM_SMS_GATEWAY, email to the address of the " +
    "account by TOLEM_SMTP_URL, console into the log, for development; default all that are set up but console"
})

/**
 * The channels of the flag, in its order; without it the gateway of the environment, those of the configuration file,
 * and e-mail where letters are sent, or none.
 */
export const layer = Effect.fnUntraced(function* (
  flag: Option.Option<string>,
  configured: ReadonlyArray<EmbeddedChannel> = [],
  hasMailer = false
) {
  const gateway = Option.toArray(yield* SmsGateway.channel)
  const others = configured.filter(({ name }) => gateway.every((each) => each.name !== name))
  const reached: ReadonlyArray<CodeChannel | EmailChannel> = [...gateway, ...others.map(codeChannelOf)]
  const isTaken = reached.some(({ name }) => name === emailChannel.name)
  const own = hasMailer && !isTaken ? [...reached, emailChannel] : reached
  const known = [...own, consoleChannel]
  const wanted = Option.match(flag, { onNone: () => own.map(({ name }) => name), onSome: Flags.list })
  const channels: Array<CodeChannel | EmailChannel> = []
  for (const name of wanted) {
    const channel = known.find((each) => each.name === name)
    if (channel === undefined) {
      const message = `--login-channel: "${name}" is none of ${known.map(({ name }) => name).join(", ")}`
      return yield* new UsageError({ message })
    }
    channels.push(channel)
  }
  return channels.length === 0 ? Layer.empty : Layer.succeed(CodeChannels, channels)
})
