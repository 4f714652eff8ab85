/** How login codes reach people. Off until a channel is named. */
import { type CodeChannel, CodeChannels } from "@tolem/core/login/CodeChannel"
import { Config, Effect, Layer, Option, Redacted } from "effect"
import { Flag } from "effect/cli"
import * as Flags from "./Flags.ts"

/**
 * Writes codes to the server's log, for development: with the log one can log in as any account. Warnings, because
 * they have no place in the log of a service for others.
 */
const consoleChannel: CodeChannel = {
  name: "console",
  send: ({ phone, code }) =>
    Effect.logWarning("LoginChannels: a login code, for development only").pipe(
      Effect.annotateLogs({ phone, code: Redacted.value(code) }),
      Effect.as("sent" as const)
    )
}

const known: ReadonlyArray<CodeChannel> = [consoleChannel]
const names = known.map(({ name }) => name).join(", ")

const unknownOf = (text: string): string | undefined =>
  Flags.list(text).find((wanted) => !known.some(({ name }) => name === wanted))

/** `--login-channel`: who carries login codes. */
export const flag: Flag.Flag<Option.Option<string>> = Flags.optional({
  flag: Flag.String("login-channel").pipe(Flag.withMetavar("NAMES")),
  variable: Config.String,
  name: "TOLEM_LOGIN_CHANNELS",
  description:
    "How login codes are sent, commas between: console writes them to the log, for development; default none",
  wrong: (text) => {
    const unknown = unknownOf(text)
    return unknown === undefined ? undefined : `--login-channel: "${unknown}" is none of ${names}`
  }
})

/** The channels of the flag, in its order, or none. */
export const layer = (flag: Option.Option<string>): Layer.Layer<never> => {
  const wanted = Flags.list(Option.getOrElse(flag, () => ""))
  const channels = wanted.flatMap((name) => known.filter((channel) => channel.name === name))
  return channels.length === 0 ? Layer.empty : Layer.succeed(CodeChannels, channels)
}
